#include <cuda_runtime.h>
#include <workbook/driver.h>

#include <exception>
#include <string>
#include <vector>

void train(const float* in, float* out, const int* sizes, int epochs, int batches, int room);

namespace {

// Calls train, and says what came out of it: "", the text of an exception, or "something else".
std::string thrown_by_train(const float* in, float* out, const int* sizes, int epochs, int batches,
                            int room) {
  try {
    train(in, out, sizes, epochs, batches, room);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "something else";
  }
  return {};
}

}  // namespace

// With a bad batch first, when the check gives one, and then with the good ones, in one thread.
WORKBOOK_DRIVER(train) {
  const int epochs = call.value<int>("epochs"), room = call.value<int>("room");
  const int batches = static_cast<int>(call.count("sizes"));
  const float* in = call.host_in<float>("in");
  const int* sizes = call.host_in<int>("sizes");
  float* out = call.host_out<float>("out");
  std::vector<float> other(static_cast<std::size_t>(batches * room));
  train(in, other.data(), sizes, 1, batches, room);  // the first launch of a program takes longer
  std::string thrown;
  if (call.has("bad")) {
    const float* bad = call.host_in<float>("bad");
    call.learner("bad", [&] { thrown = thrown_by_train(bad, other.data(), sizes, epochs, batches, room); });
  }
  std::string thrown_later;
  call.learner("good", [&] { thrown_later = thrown_by_train(in, out, sizes, epochs, batches, room); });
  call.result("thrown", thrown);
  call.result("thrown later", thrown_later);
}
