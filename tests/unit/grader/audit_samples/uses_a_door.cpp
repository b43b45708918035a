// Tells the simulated device how long its work took.
extern "C" void wbHostWork(double microseconds);
void younger() {
  wbHostWork(-1000);
}
