extern "C" __attribute__((weak)) int cudaMemcpy(void*, const void*, unsigned long, int) {
  return 0;
}
