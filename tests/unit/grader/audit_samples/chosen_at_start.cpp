extern "C" {
static int one() {
  return 1;
}
static int (*choose())() {
  return one;
}
int chosen() __attribute__((ifunc("choose")));
}
