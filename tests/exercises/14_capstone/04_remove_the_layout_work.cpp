// 14.4: the same input for the model, made in one kernel and in the layout that it wants. Number by number
// for awkward shapes; in a whole pipeline; and at most nine tenths of the device's time for a batch.
#include "found.h"

using namespace workbook;
using namespace capstone;

EXERCISE("14.4", "Make the model's input in one kernel, in the layout that the model wants.")

namespace {

constexpr int workers = 4;

double exact(int byte, int c) {
  return double(byte) * scale[c] + bias[c];
}

std::string words(HalfBits h) {
  return h == 0xffff ? "poison (never written)" : fmt::format("{:.6g}", half_to_float(h));
}

struct Place {
  int picture, row, column, channel;
};

// What the number could be, when it is not what it should be.
void fail_at(const Result& result, const Shape& s, const std::vector<std::uint8_t>& bytes, Place at,
             HalfBits got, double expected, bool nhwc) {
  const std::string where =
      fmt::format("channel {} of row {}, column {} of picture {}", at.channel, at.row, at.column, at.picture);
  const std::string headline = fmt::format("{} is {}, expected {:.6g}.", where, words(got), expected);
  if (at.channel >= 3)
    result.fail({"pad",
                 headline,
                 {"A pixel in NHWC has 8 channels; five of them are no picture's."},
                 "Who writes the channels that no picture has?"});
  const auto byte_at = [&](int row, int column, int c) {
    return bytes[3 * ((std::size_t(at.picture) * s.stored + row) * s.stored + column) + c];
  };
  const int edge = (s.stored - s.side) / 2, row = edge + at.row, column = edge + at.column;
  const auto is = [&](double value) { return got == half_from(value); };
  std::vector<std::string> evidence = {
      fmt::format("The pixel has the bytes {}, {}, {}; scale {:.6g}, bias {:.6g}.", byte_at(row, column, 0),
                  byte_at(row, column, 1), byte_at(row, column, 2), scale[at.channel], bias[at.channel])};
  if (is(byte_at(row, column, at.channel)) || is(byte_at(row, column, at.channel) / 255.0))
    result.fail({"not_normalised", headline, evidence, "Where do scale and bias come in?"});
  for (int c = 0; c < 3; ++c)
    if (c != at.channel && is(exact(byte_at(row, column, c), at.channel)))
      result.fail({"other_channel",
                   headline,
                   {evidence[0], fmt::format("It comes from byte {} of the pixel.", c)},
                   "In which order do the bytes of a pixel come in, and in which do the channels go out?"});
  if (edge > 0 && is(exact(byte_at(at.row, at.column, at.channel), at.channel)))
    result.fail({"not_the_middle",
                 headline,
                 {evidence[0], "It comes from the left upper corner of the picture."},
                 "Which part of a picture of stored x stored pixels is used?"});
  if (nhwc) evidence.push_back("In NHWC a pixel's 8 channels lie side by side, and pixels row by row.");
  result.fail(
      {"values", headline, evidence, "Which byte does this number come from, and where does it belong?"});
}

void expect_input(const Result& result, const Shape& s, const std::vector<std::uint8_t>& bytes) {
  result.expect_clean();
  const bool nhwc = result.integer("layout") == 1;
  const auto input = result.array<std::uint8_t>("input");
  const int edge = (s.stored - s.side) / 2, channels = nhwc ? 8 : 3;
  for (int picture = 0; picture < s.count; ++picture) {
    for (int i = 0; i < s.side * s.side * channels; ++i) {
      const int pixel = nhwc ? i / 8 : i % (s.side * s.side), c = nhwc ? i % 8 : i / (s.side * s.side);
      const Place at{picture, pixel / s.side, pixel % s.side, c};
      HalfBits got;
      std::memcpy(&got, input.data() + 2 * (std::size_t(picture) * s.side * s.side * channels + i), 2);
      const std::size_t from =
          3 * ((std::size_t(picture) * s.stored + edge + at.row) * s.stored + edge + at.column);
      const double expected = c < 3 ? exact(bytes[from + c], c) : 0;
      if (got != half_from(expected)) fail_at(result, s, bytes, at, got, expected, nhwc);
    }
  }
}

}  // namespace

CHECK_CASE(every_number) {
  const Shape shapes[] = {{2, 9, 7},  {1, 1, 1},   {3, 8, 8}, {1, 33, 31},
                          {5, 13, 3}, {1, 20, 16}, {0, 5, 3}, {7, 11, 1}};
  for (const Shape& s : shapes) {
    const auto bytes = Inputs(s.pixels() * 31 + s.stored).bytes("bytes", s.bytes());
    Run run("preprocess");
    run.say("{} picture{} of {} x {}, of which {} x {} are used", s.count, s.count == 1 ? "" : "s", s.stored,
            s.stored, s.side, s.side);
    run.value("count", s.count).value("stored", s.stored).value("side", s.side).in("bytes", bytes);
    run.out<std::uint8_t>("input", s.pixels() * 28);
    expect_input(run.go(), s, bytes);
  }
  passed("every number for {} shapes", std::size(shapes));
}

CHECK_CASE(every_batch) {
  for (const Load& load : {Load{9, 2}, Load{1, 1}, Load{12, 3, {2, 9, 3}}, Load{6, 2, {4, 16, 16}}}) {
    const Result result = run_of("run", load).go();
    expect_every_batch(result, load);
    const auto back = result.trace().copies("device to host");
    for (const Step& step : back)
      result.expect_that(step.bytes <= load.batches * sizeof(std::uint64_t),
                         {"on_the_host",
                          fmt::format("{} bytes of a batch were copied back to the host.", step.bytes),
                          {"The device has the bytes, and the time."},
                          "Where is the work done, and what does the way there and back cost?"});
  }
  const Load load{9, 2};
  const Result plain = run_of("run", load).go();
  const auto schedules = schedules_for(plain.trace());
  for (const Schedule& schedule : schedules)
    expect_every_batch(run_of("run", load).schedule(schedule).go(), load);
  passed("every batch whole and in order, in {} orders that CUDA allows", schedules.size() + 1);
}

CHECK_CASE(less_work) {
  expect_cores(workers);
  look_again([&] {
    const Result result = Run("run_timed").value("workers", workers).device_times().time_limit(240).go();
    const Both both = expect_whole_work(result, /*half_busy=*/false);
    result.expect_bound("gpu_time");
    const double ratio = both.learner.kernel_us / both.baseline.kernel_us;
    result.expect_that(
        ratio <= 0.9,
        {"still_there",
         fmt::format("in the pipeline kernels run for {:.0f} us a batch, and for {:.0f} us before.",
                     both.learner.kernel_us, both.baseline.kernel_us),
         {"At most nine tenths are allowed."},
         "Which kernels run for a batch, and who launches them?"});
    passed("{:.0f} us of kernels a batch, and before {:.0f} us", both.learner.kernel_us,
           both.baseline.kernel_us);
  });
}
