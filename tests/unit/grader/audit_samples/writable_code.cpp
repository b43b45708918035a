asm(".section .mine,\"awx\",@progbits\n.byte 0xc3\n.text");
int used() {
  return 1;
}
