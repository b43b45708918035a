// Answers for the host's clock.
extern "C" int clock_gettime(int, void*) noexcept {
  return 0;
}
