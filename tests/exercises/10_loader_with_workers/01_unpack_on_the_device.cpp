// 10.1: parts of packed pictures, some mirrored, become one batch without gaps.
#include <workbook/check.h>

#include <algorithm>

using namespace workbook;

EXERCISE("10.1", "Cut a part of each packed picture, flip some, and put them into one batch.")

namespace {

using Bytes = std::vector<std::uint8_t>;

struct Shape {
  int images, width, height, pad, crop_width, crop_height;
  int pitch() const { return 3 * width + pad; }
  std::size_t packed_bytes() const {
    if (images == 0) return 0;
    return static_cast<std::size_t>(images) * height * pitch() - pad;  // nothing behind the last pixel
  }
  std::size_t batch_bytes() const { return std::size_t{3} * images * crop_width * crop_height; }
  std::string words() const {
    return fmt::format("{} picture{} of {} x {}, {} byte{} between the rows, crops of {} x {}", images,
                       images == 1 ? "" : "s", width, height, pad, pad == 1 ? "" : "s", crop_width,
                       crop_height);
  }
};

struct Crop {
  int x, y, flip;
};

struct Case {
  Shape shape;
  Bytes packed;
  std::vector<Crop> crops;
  std::vector<std::int32_t> crop_numbers() const {
    std::vector<std::int32_t> out;
    for (const Crop& c : crops) out.insert(out.end(), {c.x, c.y, c.flip});
    return out;
  }
};

Case make_case(const Shape& s, std::uint64_t salt) {
  Inputs in(salt);
  Case c{s, in.bytes("packed", s.packed_bytes()), {}};
  const auto x = in.ints("x", s.images, 0, s.width - s.crop_width);
  const auto y = in.ints("y", s.images, 0, s.height - s.crop_height);
  const auto flip = in.ints("flip", s.images, 0, 1);
  for (int i = 0; i < s.images; ++i) c.crops.push_back({x[i], y[i], flip[i]});
  // The corners, and both ways.
  if (s.images > 0) c.crops[0] = {0, 0, 1};
  if (s.images > 1) c.crops.back() = {s.width - s.crop_width, s.height - s.crop_height, 0};
  return c;
}

// What goes where, said in one place: gives the byte of the packed pictures for one of the batch.
using Where = std::function<std::size_t(const Case&, int image, int row, int column, int colour)>;

std::size_t place(const Case& c, int image, int y, int x, int colour) {
  return (static_cast<std::size_t>(image) * c.shape.height + y) * c.shape.pitch() +
         3 * static_cast<std::size_t>(x) + colour;
}

std::size_t right_place(const Case& c, int image, int row, int column, int colour) {
  const Crop& crop = c.crops[image];
  return place(c, image, crop.y + row, crop.x + (crop.flip ? c.shape.crop_width - 1 - column : column),
               colour);
}

Bytes batch_of(const Case& c, const Where& where) {
  const Shape& s = c.shape;
  Bytes out;
  out.reserve(s.batch_bytes());
  for (int image = 0; image < s.images; ++image)
    for (int row = 0; row < s.crop_height; ++row)
      for (int column = 0; column < s.crop_width; ++column)
        for (int colour = 0; colour < 3; ++colour) {
          const std::size_t from = where(c, image, row, column, colour);
          out.push_back(from < c.packed.size() ? c.packed[from] : 0);
        }
  return out;
}

// Mistakes that have a name: where they would take the byte from.
struct Mistake {
  const char *code, *words, *question;
  Where where;
};

std::vector<Mistake> mistakes() {
  return {
      {"rows_mirrored", "It is what comes out when the flip turns the picture upside down.",
       "Which of the two numbers, row or column, does a mirror on the wall change?",
       [](const Case& c, int image, int row, int column, int colour) {
         const Crop& crop = c.crops[image];
         return place(c, image, crop.y + (crop.flip ? c.shape.crop_height - 1 - row : row), crop.x + column,
                      colour);
       }},
      {"colours_mirrored",
       "It is what comes out when the flip turns the bytes of a row round: blue comes before red.",
       "What is mirrored, the bytes of a row or its pixels?",
       [](const Case& c, int image, int row, int column, int colour) {
         const Crop& crop = c.crops[image];
         return right_place(c, image, row, column, crop.flip ? 2 - colour : colour);
       }},
      {"mirrored_in_the_picture",
       "It is what comes out when the whole picture is mirrored, and then the part is cut.",
       "Which is done first, cutting or flipping, and at which edge does column 0 lie then?",
       [](const Case& c, int image, int row, int column, int colour) {
         const Crop& crop = c.crops[image];
         const int x = crop.x + column;
         return place(c, image, crop.y + row, crop.flip ? c.shape.width - 1 - x : x, colour);
       }},
      {"not_flipped", "It is what comes out when nothing is flipped.",
       "What does the flip of this picture's crop say?",
       [](const Case& c, int image, int row, int column, int colour) {
         return place(c, image, c.crops[image].y + row, c.crops[image].x + column, colour);
       }},
      {"crop_axes", "It is what comes out when x and y of the crop change places.",
       "Which of x and y counts columns?",
       [](const Case& c, int image, int row, int column, int colour) {
         const Crop& crop = c.crops[image];
         const int w = c.shape.crop_width;
         return place(c, image, crop.x + row, crop.y + (crop.flip ? w - 1 - column : column), colour);
       }},
      {"crop_in_bytes", "It is what comes out when the crop begins x bytes from the left, not x pixels.",
       "How many bytes is a crop.x of 1?",
       [](const Case& c, int image, int row, int column, int colour) {
         return right_place(c, image, row, column, colour) - 2 * static_cast<std::size_t>(c.crops[image].x);
       }},
      {"pitch_ignored",
       "It is what comes out when the rows follow each other without the bytes between them.",
       "How many bytes lie between the begins of two rows?",
       [](const Case& c, int image, int row, int column, int colour) {
         const std::size_t from = right_place(c, image, row, column, colour), pitch = c.shape.pitch();
         return from / pitch * 3 * c.shape.width + from % pitch;
       }},
      {"first_picture_only", "It is what comes out when every part is cut from the first picture.",
       "Where do the rows of picture 1 begin?",
       [](const Case& c, int image, int row, int column, int colour) {
         return right_place(c, image, row, column, colour) -
                static_cast<std::size_t>(image) * c.shape.height * c.shape.pitch();
       }},
  };
}

IndexWords pixel(const Shape& s) {
  return [s](std::size_t i) {
    constexpr const char* colours[] = {"red", "green", "blue"};
    const std::size_t p = i / 3;
    return fmt::format("picture {}, row {}, column {}, {}", p / s.crop_width / s.crop_height,
                       p / s.crop_width % s.crop_height, p % s.crop_width, colours[i % 3]);
  };
}

void fill(Run& run, const Case& c) {
  const Shape& s = c.shape;
  run.say("{}", s.words()).value("images", s.images).value("width", s.width).value("height", s.height);
  run.value("pitch", s.pitch()).value("crop_width", s.crop_width).value("crop_height", s.crop_height);
  run.in("packed", c.packed).in("crops", c.crop_numbers()).out<std::uint8_t>("batch", s.batch_bytes());
}

void expect_batch(const Result& result, const Case& c) {
  const Bytes expected = batch_of(c, right_place), got = result.array<std::uint8_t>("batch");
  if (got == expected) return;
  for (const Mistake& m : mistakes()) {
    if (batch_of(c, m.where) != got) continue;
    std::size_t first = 0;
    while (got[first] == expected[first]) ++first;
    const Crop& crop = c.crops[first / 3 / c.shape.crop_width / c.shape.crop_height];
    result.fail({m.code,
                 fmt::format("{} is {}, expected {}.", pixel(c.shape)(first), got[first], expected[first]),
                 {fmt::format("Its crop: x = {}, y = {}, flip = {}.", crop.x, crop.y, crop.flip), m.words},
                 m.question});
  }
  result.expect("batch", expected, exact(), pixel(c.shape));
}

constexpr const char* leads_on =
    "Which byte does the last thread of the last row read, and which thread has no pixel?";

}  // namespace

CHECK_CASE(every_shape) {
  const std::vector<Shape> shapes{{1, 1, 1, 0, 1, 1},         {6, 9, 9, 2, 4, 4},
                                  {1, 5, 3, 0, 5, 3},         {2, 7, 5, 0, 3, 2},
                                  {3, 13, 11, 5, 7, 9},       {4, 33, 20, 1, 32, 8},
                                  {5, 40, 31, 13, 17, 31},    {2, 1000, 37, 7, 1000, 36},
                                  {2, 37, 1000, 9, 36, 1000}, {17, 64, 48, 64, 61, 45}};
  std::uint64_t salt = 0;
  for (const Shape& s : shapes) {
    const Case c = make_case(s, ++salt);
    Run run("unpack");
    fill(run, c);
    const Result result = run.go();
    result.expect_clean(leads_on);
    result.expect_that(!result.trace().kernels().empty(),
                       {"no_launch", "no kernel was launched.", {}, "Who is to do the work?"});
    expect_batch(result, c);
  }
  passed("right for {} shapes", shapes.size());
}

CHECK_CASE(none_and_many) {
  for (const Shape& s : {Shape{0, 8, 8, 0, 4, 4}, Shape{70'000, 3, 2, 1, 2, 2}}) {
    const Case c = make_case(s, 99);
    Run run("unpack");
    fill(run, c);
    const Result result = run.go();
    result.expect_clean(s.images == 0 ? "When is there nothing to launch?"
                                      : "How far may a grid reach along each of its axes?");
    expect_batch(result, c);
  }
  passed("right for no picture and for 70,000");
}

CHECK_CASE(fast_enough) {
  const Case c = make_case({64, 256, 256, 0, 224, 224}, 7);
  Run run("unpack_timed");
  fill(run, c);
  const Result result = run.go();
  result.expect_clean(leads_on);
  expect_batch(result, c);
  result.expect_bound("copy");
}
