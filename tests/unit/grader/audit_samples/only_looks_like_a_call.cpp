// The bytes 0f 05 stand inside a number of another instruction.
int number() {
  return 0x050f050f;
}
bool is_it(unsigned short word) {
  return word == 0x050f;
}
