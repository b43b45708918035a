// Looks for doors.
extern "C" void* dlsym(void*, const char*);
void* door() {
  return dlsym(nullptr, "wbRegion");
}
