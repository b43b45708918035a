static int counted = 0;
__attribute__((constructor(101))) static void early() {
  ++counted;
}
