// 2.2: an image becomes grey, for every shape, and neighbouring threads work on neighbouring pixels.
#include <workbook/check.h>

#include <algorithm>

using namespace workbook;

EXERCISE("2.2", "grey = (77*red + 150*green + 29*blue + 128) / 256 for a width x height image.")

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes grey_on_host(const Bytes& rgb) {
  Bytes grey(rgb.size() / 3);
  for (std::size_t i = 0; i < grey.size(); ++i)
    grey[i] =
        static_cast<std::uint8_t>((77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2] + 128) / 256);
  return grey;
}

// "3 x 1 blocks of 32 x 8: 96 threads along x, 8 along y."
std::string launch_words(const Result& result) {
  const auto kernels = result.trace().kernels();
  if (kernels.empty()) return {};
  const auto& grid = kernels.back().grid;
  const auto& block = kernels.back().block;
  const std::uint64_t along_x = std::uint64_t{grid[0]} * block[0],
                      along_y = std::uint64_t{grid[1]} * block[1];
  return fmt::format("{} x {} blocks of {} x {}: {} thread{} along x, {} along y.", grid[0], grid[1],
                     block[0], block[1], along_x, along_x == 1 ? "" : "s", along_y);
}

// What was launched, and a question about it.
std::string leads_on(const Result& result, Size2D shape) {
  const auto kernels = result.trace().kernels();
  if (kernels.empty()) return {};
  const auto& grid = kernels.back().grid;
  const auto& block = kernels.back().block;
  const std::uint64_t along_x = std::uint64_t{grid[0]} * block[0],
                      along_y = std::uint64_t{grid[1]} * block[1];
  const auto pixels = static_cast<std::uint64_t>(shape.width) * static_cast<std::uint64_t>(shape.height);
  const char* question =
      pixels == 0 ? "When is there nothing to launch?"
      : along_x * along_y < pixels
          ? "Which pixels get no thread?"
          : "Which index does your code reach for the last pixel of the last row, and for the "
            "thread to its right?";
  // A block that no device takes explains itself.
  if (std::uint64_t{block[0]} * block[1] * block[2] > 1024)
    return fmt::format("{} x {} threads: how many is that, and how many may a block have?", block[0],
                       block[1]);
  return fmt::format("{} {}", launch_words(result), question);
}

std::string shape_words(Size2D shape) {
  return fmt::format("{} column{}, {} row{}", shape.width, shape.width == 1 ? "" : "s", shape.height,
                     shape.height == 1 ? "" : "s");
}

Result grey_of(Size2D shape, const Bytes& rgb) {
  Run run("grey");
  run.say("{}", shape_words(shape));
  run.value("width", shape.width).value("height", shape.height);
  run.in("rgb", rgb).out<std::uint8_t>("grey", rgb.size() / 3);
  return run.go();
}

void expect_on_the_device(const Result& result) {
  result.expect_that(!result.trace().kernels().empty(),
                     {"no_launch",
                      "no kernel was launched.",
                      {"There are pixels, and no thread to work on them."},
                      "Which line of `rgb_to_grey` starts threads on the device?"});
  result.expect_that(result.trace().bytes_copied("device to host") == 0,
                     {"work_on_the_host",
                      "rgb_to_grey copied the image to the host.",
                      {"Both images are on the device, and the result belongs there too."},
                      "Where should the pixels be computed?"});
}

// Two threads with one pixel store the same grey twice: nothing but the count of stored bytes shows it.
void expect_each_pixel_once(const Result& result, Size2D shape) {
  if (!result.trace().counters_known()) return;
  const std::uint64_t pixels = std::uint64_t(shape.width) * std::uint64_t(shape.height);
  std::uint64_t stored = 0;
  for (std::size_t k = 0; k < result.trace().kernels().size(); ++k)
    stored += result.trace().counter(k, "global_store_bytes").value_or(0);
  result.expect_that(
      stored <= pixels,
      {"written_twice",
       fmt::format("grey is right, and {} bytes were stored for its {} pixels.", stored, pixels),
       {"Some pixels were done by two threads. Here both stored the same; with no order between them, that "
        "is luck."},
       fmt::format("{} Which pixel does the thread to the right of the last column work on?",
                   launch_words(result))});
}

}  // namespace

CHECK_CASE(every_shape) {
  auto shapes = awkward_sizes_2d(32, 8);
  shapes.push_back({3, 300});
  for (const Size2D shape : shapes) {
    const std::size_t pixels = std::size_t(shape.width) * shape.height;
    Inputs in(std::uint64_t(shape.width) << 32 | std::uint64_t(shape.height));
    const Bytes rgb = in.bytes("rgb", 3 * pixels);
    const Result result = grey_of(shape, rgb);
    result.expect_clean(leads_on(result, shape));
    expect_on_the_device(result);
    result.expect("grey", grey_on_host(rgb), exact(), at(shape.width));
    expect_each_pixel_once(result, shape);
  }
  passed("right for {} shapes", shapes.size());
}

CHECK_CASE(bright_and_dark) {
  const Size2D shape{19, 5};
  Bytes rgb(3 * 19 * 5, 255);
  for (std::size_t i = 0; i < 3 * 19; ++i) rgb[i] = static_cast<std::uint8_t>(i % 3 == 0 ? 255 : 1);
  const Result result = grey_of(shape, rgb);
  result.expect_clean();
  result.expect("grey", grey_on_host(rgb), exact(), at(shape.width));
  passed("white stays white");
}

CHECK_CASE(no_pixels) {
  for (const Size2D shape : {Size2D{0, 0}, Size2D{0, 7}, Size2D{7, 0}}) {
    const Result result = grey_of(shape, {});
    result.expect_clean(leads_on(result, shape));
    result.expect_that(
        result.trace().kernels().empty(),
        {"launch_for_nothing", "a kernel was launched, and there is no pixel.", {}, leads_on(result, shape)});
  }
  passed("no launch without pixels");
}

CHECK_CASE(tallest_and_widest) {
  for (const Size2D shape : {Size2D{1, 65535}, Size2D{65535, 1}}) {
    Inputs in(std::uint64_t(shape.width));
    const Bytes rgb = in.bytes("rgb", 3 * 65535);
    const Result result = grey_of(shape, rgb);
    result.expect_clean("How many blocks may a grid have along each axis?");
    result.expect("grey", grey_on_host(rgb), exact(), at(shape.width));
  }
  passed("up to 65535 rows or columns");
}

CHECK_CASE(fast_enough) {
  const Size2D shape = on_simulated_device() ? Size2D{2048, 1024} : Size2D{8192, 8192};
  const std::size_t pixels = std::size_t(shape.width) * shape.height;
  Inputs in(7);
  const Bytes rgb = in.bytes("rgb", 3 * pixels);
  Run run("grey_timed");
  run.say("{}", shape_words(shape));
  run.value("width", shape.width).value("height", shape.height);
  run.in("rgb", rgb).out<std::uint8_t>("grey", pixels);
  const Result result = run.go();
  result.expect_clean();
  result.expect("grey", grey_on_host(rgb));
  result.expect_bound("byte_copy");
}
