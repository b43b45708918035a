// Answers that are much alike: a hint to a person, never a verdict, and it takes no points.
//
// A source becomes a row of tokens in which names, numbers and texts are only told to be such, and comments
// and the layout are gone; so a renamed copy is still a copy. Each run of twelve tokens is a fingerprint.
// Those of the starter count for nobody, nor do those that a third of the class has: short exercises have few
// ways to be right, and so an answer with less than 80 fingerprints of its own (some 90 tokens that are not
// the starter's) is not compared. Two answers are told when they share four fifths of the shorter one's
// fingerprints.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace workbook::classroom {

struct Written {
  std::string who, text;
};
struct Alike {
  std::size_t first = 0, second = 0;  // in the given row
  double share = 0;
  std::size_t tokens = 0;  // of the shorter one
};

// The tokens as one character class each: "I" a name, "N" a number, "S" a text, else the token itself.
std::vector<std::string> normalised_tokens(std::string_view source);

// The most alike first.
std::vector<Alike> alike_answers(const std::string& starter, const std::vector<Written>& answers,
                                 double at_least = 0.8);

}  // namespace workbook::classroom
