// What the figures of the book must agree with: accesses counted by the simulated device's own functions, and
// grids and layouts walked through in the order that CUDA and the layouts prescribe. Printed as JSON, a line
// a row; site/tests/golden/figures.jsonl is what it printed. A test compares the two, and `node --test
// site/tests` compares the figures with it.
#include <cstdint>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/model.h"
#include "sim/access.h"

namespace {

using nlohmann::json;
using workbook::sim::lanes;

constexpr std::uint32_t all = 0xffffffffu;

// The element that each lane wants, as the lessons write it.
std::uint64_t element(const std::string& pattern, std::uint64_t lane, std::uint64_t k) {
  if (pattern == "shifted") return lane + k;
  if (pattern == "stride") return lane * k;
  if (pattern == "reversed") return 31 - lane;
  if (pattern == "same") return 0;
  if (pattern == "scattered") return (lane * 37 + 11) * 53 % 256;
  return lane;
}

json access(const std::string& pattern, std::uint64_t k, std::uint32_t bytes) {
  std::uint64_t address[lanes];
  std::uint32_t offset[lanes];
  json addresses = json::array();
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    address[lane] = element(pattern, lane, k) * bytes;
    offset[lane] = static_cast<std::uint32_t>(address[lane]);
    addresses.push_back(address[lane]);
  }
  std::uint32_t sectors = 0;
  const std::uint32_t heads =
      workbook::sim::distinct_heads(address, workbook::sim::sector_heads(address, all));
  for (std::uint32_t lane = 0; lane < lanes; ++lane) sectors += heads >> lane & 1u;
  json row = {
      {"pattern", pattern}, {"k", k}, {"bytes", bytes}, {"addresses", addresses}, {"sectors", sectors}};
  if (bytes >= 4) row["wavefronts"] = workbook::sim::shared_wavefronts(offset, all, bytes);
  return row;
}

json accesses() {
  json rows = json::array();
  for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) {
    for (const char* pattern : {"linear", "reversed", "same", "scattered"})
      rows.push_back(access(pattern, 1, bytes));
    for (std::uint64_t k = 0; k <= 33; ++k) {
      rows.push_back(access("shifted", k, bytes));
      if (k > 0) rows.push_back(access("stride", k, bytes));
    }
  }
  return rows;
}

// Block after block, thread after thread, handing out the elements in turn.
json grids() {
  json rows = json::array();
  for (const int n : {0, 1, 7, 8, 9, 30, 64})
    for (const int block : {4, 8, 31, 32}) {
      int blocks = 0;
      while (blocks * block < n) ++blocks;
      json owners = json::array();
      int next = 0;
      for (int b = 0; b < blocks; ++b)
        for (int t = 0; t < block; ++t)
          if (next < n) {
            owners.push_back({b, t});
            ++next;
          }
      rows.push_back({{"n", n}, {"block", block}, {"blocks", blocks}, {"owners", owners}});
    }
  return rows;
}

// The numbers of a batch in the order in which they lie in memory.
json layouts() {
  json rows = json::array();
  const std::vector<std::vector<int>> shapes = {
      {1, 3, 3, 5}, {2, 3, 5, 7}, {1, 1, 4, 8}, {2, 4, 1, 1}, {3, 2, 2, 3}};
  for (const auto& s : shapes) {
    json planes = json::array(), pixels = json::array();
    for (int n = 0; n < s[0]; ++n) {
      for (int c = 0; c < s[1]; ++c)
        for (int h = 0; h < s[2]; ++h)
          for (int w = 0; w < s[3]; ++w) planes.push_back({n, c, h, w});
      for (int h = 0; h < s[2]; ++h)
        for (int w = 0; w < s[3]; ++w)
          for (int c = 0; c < s[1]; ++c) pixels.push_back({n, c, h, w});
    }
    rows.push_back({{"shape", s}, {"nchw", planes}, {"nhwc", pixels}});
  }
  return rows;
}

// What a process pays once, call by call: the costs of the time model, at the calls where the runtime
// (src/cudart) asks for them.
json first_uses() {
  using namespace workbook::model;
  constexpr std::uint64_t text = 126'000;
  const Profile& profile = find_profile("h200@1");
  const Costs& costs = costs_of(profile);
  json rows = json::array();
  for (const std::string loading : {"lazy", "eager"})
    for (const std::string code : {"machine", "text"})
      for (const std::string cache : {"cold", "warm", "off"}) {
        json pieces = json::array();
        const auto pay = [&](const char* call, const char* kind, std::int64_t ns) {
          pieces.push_back({call, kind, ns});
        };
        const auto load = [&](const char* call) {
          if (code == "text" && cache == "warm") pay(call, "fetch", jit_from_cache_ns(profile, text));
          if (code == "text" && cache != "warm") pay(call, "compile", jit_ns(profile, text));
          if (code == "text" && cache == "cold") pay(call, "store", jit_to_cache_ns(profile, text));
          pay(call, "module", costs.first_module_load);
        };
        pay("set_device", "driver", costs.driver_start);
        pay("set_device", "context", costs.context_creation);
        if (loading == "eager") load("set_device");
        pay("malloc", "allocation", costs.first_allocation);
        if (loading == "lazy") load("first");
        if (loading == "lazy") pay("first", "kernel", costs.function_load);
        pay("first", "launch_first", costs.first_launch);
        for (const char* call : {"first", "again", "other"}) {
          if (loading == "lazy" && std::string(call) == "other") pay(call, "kernel", costs.function_load);
          pay(call, "launch", costs.launch_call);
        }
        rows.push_back({{"loading", loading}, {"code", code}, {"cache", cache}, {"pieces", pieces}});
      }
  return rows;
}

}  // namespace

int main() {
  for (const auto& [name, rows] : {std::pair{"accesses", accesses()},
                                   {"grids", grids()},
                                   {"layouts", layouts()},
                                   {"first_uses", first_uses()}})
    for (const json& row : rows) std::cout << json{{"kind", name}, {"row", row}}.dump() << '\n';
}
