#include "bench/kernels/ladders.h"

#include <cuda_fp16.h>

#include <cstdint>
#include <sstream>

#include "kernels/convolution/convolution.h"
#include "kernels/copy/copy.h"
#include "kernels/elementwise/vector_add.h"
#include "kernels/histogram/histogram.h"
#include "kernels/layout/layout.h"
#include "kernels/matmul/matmul.h"
#include "kernels/preprocess/preprocess.h"
#include "kernels/reduction/reduction.h"
#include "kernels/scan/scan.h"
#include "kernels/stencil/stencil.h"
#include "kernels/transpose/transpose.h"

namespace workbook::bench {
namespace {

using namespace kernels;
using Cases = std::vector<Case>;

template <class T>
struct Named {
  const char* name;
  T launch;
};

template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

Cases copy_cases(Scale scale) {
  const std::size_t bytes = scale == Scale::large ? std::size_t{1} << 30 : std::size_t{1} << 26;
  const auto* from = reinterpret_cast<char*>(floats(bytes / 4 + 16));
  auto* to = reinterpret_cast<char*>(floats(bytes / 4));
  Cases cases;
  const auto add = [&](const std::string& rung, std::function<cudaError_t()> run) {
    cases.push_back({"copy", rung, text(bytes >> 20, " MiB"), 2.0 * double(bytes), 0, std::move(run)});
  };
  for (const int element : {1, 2, 4, 8, 16}) {
    add(text("elements of ", element),
        [=] { return rungs::copy_elements(from, to, bytes / element, element); });
  }
  add("shifted by 1", [=] { return copy(from + 1, to, bytes); });
  add("vector", [=] { return copy(from, to, bytes); });
  return cases;
}

Cases elementwise_cases(Scale scale) {
  const int n = 1 << (scale == Scale::large ? 28 : 24);
  const float *a = floats(n), *b = floats(n);
  float* c = floats(n);
  Cases cases;
  for (const Named<VectorAdd>& rung : {Named<VectorAdd>{"scalar", rungs::vector_add_scalar},
                                       {"stride", rungs::vector_add_stride},
                                       {"vector", rungs::vector_add_vector}}) {
    cases.push_back({"element-wise", rung.name, text(n, " floats"), 12.0 * n, 0,
                     [=] { return rung.launch(a, b, c, n, nullptr); }});
  }
  return cases;
}

Cases transpose_cases(Scale scale) {
  const int rows = scale == Scale::large ? 16384 : 4096, columns = rows;
  const std::size_t count = std::size_t(rows) * columns;
  const float* in = floats(count);
  float* out = floats(count);
  Cases cases;
  for (const Named<Transpose>& rung : {Named<Transpose>{"naive", rungs::transpose_naive},
                                       {"tile", rungs::transpose_tile},
                                       {"padded", rungs::transpose_padded},
                                       {"swizzled", rungs::transpose_swizzled},
                                       {"vector", rungs::transpose_vector},
                                       {"staged", rungs::transpose_staged}}) {
    cases.push_back({"transpose", rung.name, text(rows, " x ", columns), 8.0 * double(count), 0,
                     [=] { return rung.launch(in, out, rows, columns, nullptr); }});
  }
  return cases;
}

struct Images {
  int n, c, h, w;
};

template <class T>
void layout_cases(Cases& cases, const Images& s, bool to_nhwc, const T* in, T* out) {
  const std::vector<Named<Layout<T>>> to_rows = {{"naive", rungs::nchw_to_nhwc_naive<T>},
                                                 {"tile", rungs::nchw_to_nhwc_tile<T>},
                                                 {"wide", rungs::nchw_to_nhwc_wide<T>}};
  const std::vector<Named<Layout<T>>> to_planes = {{"naive", rungs::nhwc_to_nchw_naive<T>},
                                                   {"tile", rungs::nhwc_to_nchw_tile<T>},
                                                   {"wide", rungs::nhwc_to_nchw_wide<T>}};
  const double bytes = 2.0 * sizeof(T) * s.n * s.c * s.h * s.w;
  const std::string ladder =
      text(to_nhwc ? "NCHW to NHWC" : "NHWC to NCHW", sizeof(T) == 4 ? " float" : " half", " C=", s.c);
  for (const auto& rung : to_nhwc ? to_rows : to_planes) {
    cases.push_back({ladder, rung.name, text(s.n, " x ", s.c, " x ", s.h, " x ", s.w), bytes, 0,
                     [=] { return rung.launch(in, out, s.n, s.c, s.h, s.w, nullptr); }});
  }
}

Cases layout_cases(Scale scale) {
  const bool large = scale == Scale::large;
  const int more = large ? 16 : 2;
  const std::vector<Images> shapes = {{32 * more, 3, 224, 224},
                                      {16 * more, 32, 112, 112},
                                      {8 * more, 64, 112, 112},
                                      {2 * more, 256, 112, 112}};
  const std::size_t most = std::size_t(256) * 2 * more * 112 * 112;
  auto *in = floats(most), *out = floats(most);
  Cases cases;
  for (Images s : shapes) {
    for (const bool to_nhwc : {true, false}) layout_cases<float>(cases, s, to_nhwc, in, out);
    s.n *= 2;
    for (const bool to_nhwc : {true, false}) {
      if (!large && !to_nhwc) continue;  // as in float
      layout_cases<__half>(cases, s, to_nhwc, reinterpret_cast<__half*>(in), reinterpret_cast<__half*>(out));
    }
  }
  return cases;
}

Cases preprocess_cases(Scale scale) {
  const int n = scale == Scale::large ? 1024 : 64, h = 224, w = 224;
  const std::size_t pixels = std::size_t(n) * h * w;
  const auto* in = reinterpret_cast<unsigned char*>(floats(3 * pixels / 4));
  auto* out = static_cast<__half*>(halves(8 * pixels));
  float* work_floats = floats(3 * pixels);
  auto* work_halves = static_cast<__half*>(halves(3 * pixels));
  const Normalisation how{{0.0171f, 0.0175f, 0.0174f}, {-2.1179f, -2.0357f, -1.8044f}};
  Cases cases;
  const auto add = [&](const char* rung, std::function<cudaError_t()> run) {
    cases.push_back(
        {"preprocess", rung, text(n, " x ", h, " x ", w, " x 3"), 19.0 * double(pixels), 0, std::move(run)});
  };
  add("eager", [=] { return rungs::preprocess_eager(in, out, n, h, w, how, work_floats, work_halves); });
  add("fused", [=] { return rungs::preprocess_fused(in, out, n, h, w, how); });
  add("staged", [=] { return rungs::preprocess_staged(in, out, n, h, w, how); });
  return cases;
}

Cases stencil_cases(Scale scale) {
  const int side = scale == Scale::large ? 16384 : 4096, n = side * side;
  const float* in = floats(n);
  float* out = floats(n);
  Cases cases;
  for (const Named<Stencil1d>& rung :
       {Named<Stencil1d>{"global", rungs::stencil_1d_global}, {"shared", rungs::stencil_1d_shared}}) {
    cases.push_back({"stencil 1-D", rung.name, text(n, " floats, radius 3"), 8.0 * n, 0,
                     [=] { return rung.launch(in, out, n, 3, nullptr); }});
  }
  for (const Named<Stencil2d>& rung :
       {Named<Stencil2d>{"global", rungs::stencil_2d_global}, {"shared", rungs::stencil_2d_shared}}) {
    cases.push_back({"stencil 2-D", rung.name, text(side, " x ", side), 8.0 * n, 0,
                     [=] { return rung.launch(in, out, side, side, 0.2f, nullptr); }});
  }
  return cases;
}

Cases reduction_cases(Scale scale) {
  const std::size_t count = std::size_t{1} << (scale == Scale::large ? 28 : 24);
  const float* in = floats(count);
  float* out = floats(1);
  Cases cases;
  for (const Named<Sum>& rung : {Named<Sum>{"atomic", rungs::sum_atomic},
                                 {"tree", rungs::sum_tree},
                                 {"shuffle", rungs::sum_shuffle},
                                 {"vector", rungs::sum_vector}}) {
    cases.push_back({"reduction", rung.name, text(count, " floats"), 4.0 * double(count), 0,
                     [=] { return rung.launch(in, out, count, nullptr); }});
  }
  return cases;
}

Cases histogram_cases(Scale scale) {
  const int n = 1 << (scale == Scale::large ? 27 : 24), bins = 256;
  auto* counts = numbers(bins, 1);
  Cases cases;
  for (const bool skewed : {false, true}) {
    const unsigned* in = numbers(n, skewed ? 2 : bins);
    for (const Named<CountBins>& rung :
         {Named<CountBins>{"global", rungs::count_global}, {"shared", rungs::count_shared}}) {
      cases.push_back({skewed ? "histogram, 2 of 256 bins" : "histogram, 256 bins", rung.name,
                       text(n, " numbers"), 4.0 * n, 0,
                       [=] { return rung.launch(in, counts, n, bins, 256, nullptr); }});
    }
  }
  return cases;
}

Cases scan_cases(Scale scale) {
  const std::size_t count = std::size_t{1} << (scale == Scale::large ? 28 : 22);
  const unsigned* in = numbers(count, 100);
  auto* out = numbers(count, 100);
  void* workspace = numbers(scan_workspace(count) / 4, 100);
  Cases cases;
  for (const Named<Scan>& rung : {Named<Scan>{"passes", rungs::scan_passes},
                                  {"blocks", rungs::scan_blocks},
                                  {"reduce first", rungs::scan_reduce_first},
                                  {"look-back", rungs::scan_look_back}}) {
    cases.push_back({"scan", rung.name, text(count, " numbers"), 8.0 * double(count), 0,
                     [=] { return rung.launch(in, out, count, workspace, nullptr); }});
  }
  return cases;
}

Cases matmul_cases(Scale scale) {
  const int n = scale == Scale::large ? 4096 : 1024;
  const std::size_t count = std::size_t(n) * n;
  const float *a = floats(count), *b = floats(count);
  float* c = floats(count);
  const auto *half_a = static_cast<__half*>(halves(count)), *half_b = static_cast<__half*>(halves(count));
  const double operations = 2.0 * n * double(count);
  const std::string size = text(n, " x ", n, " x ", n);
  Cases cases;
  for (const Named<MatMul>& rung : {Named<MatMul>{"naive", rungs::matmul_naive},
                                    {"tiled", rungs::matmul_tiled},
                                    {"registers", rungs::matmul_registers}}) {
    cases.push_back({"matrix multiply", rung.name, size, 0, operations,
                     [=] { return rung.launch(a, b, c, n, n, n, nullptr); }});
  }
  for (const Named<MatMulHalf>& rung :
       {Named<MatMulHalf>{"wmma", rungs::matmul_wmma}, {"tensor", rungs::matmul_tensor}}) {
    cases.push_back({"matrix multiply", rung.name, size, 0, operations,
                     [=] { return rung.launch(half_a, half_b, c, n, n, n, nullptr); }});
  }
  return cases;
}

Cases convolution_cases(Scale scale) {
  const int n = scale == Scale::large ? 256 : 8, h = 56, w = 56, c = 256, k = 256;
  const std::size_t pixels = std::size_t(n) * h * w;
  const auto *in = static_cast<__half*>(halves(pixels * c)), *weights = static_cast<__half*>(halves(c * k));
  auto* out = static_cast<__half*>(halves(pixels * k));
  Cases cases;
  for (const Named<Convolution1x1>& rung : {Named<Convolution1x1>{"naive", rungs::conv_1x1_naive},
                                            {"tiled", rungs::conv_1x1_tiled},
                                            {"tensor", rungs::conv_1x1_tensor}}) {
    cases.push_back({"convolution 1x1", rung.name, text(n, " x ", h, " x ", w, " x ", c, ", ", k, " filters"),
                     0, 2.0 * double(pixels) * c * k,
                     [=] { return rung.launch(in, weights, out, n, h, w, c, k, nullptr); }});
  }
  return cases;
}

}  // namespace

const std::vector<Ladder>& ladders() {
  static const std::vector<Ladder> all = {
      {"copy", copy_cases},           {"elementwise", elementwise_cases}, {"transpose", transpose_cases},
      {"layout", layout_cases},       {"preprocess", preprocess_cases},   {"stencil", stencil_cases},
      {"reduction", reduction_cases}, {"histogram", histogram_cases},     {"scan", scan_cases},
      {"matmul", matmul_cases},       {"convolution", convolution_cases}};
  return all;
}

}  // namespace workbook::bench
