// From a verdict to points.
//
// A passed exercise gets all of its points; what is wrong, does not compile or does not end gets none. What
// is right and misses a time bound gets part of them: `right_share` of the exercise's points for being right
// (a half, if chapter.toml does not say otherwise), and of the rest a share that falls with the logarithm of
// the time, from all of it at the bound to nothing at the bound's `naive` ratio (four times the bound, if
// chapter.toml does not say). On a logarithmic scale one noisy percent costs the same little everywhere. With
// several missed bounds the worst one counts.
#pragma once

#include "classroom/grades.h"
#include "grader/manifest.h"

namespace workbook::classroom {

// The share of a time bound's points, 0 to 1. `times_the_bound` is learner's time / bound, `naive` likewise.
double credit_for_time(double times_the_bound, double naive);

// Fills points, max_points.
void give_points(const grader::Exercise&, ExerciseGrade&);

// What a person should look at when this code stands in a report: "forged record". Empty: nothing out of the
// usual.
std::string attention_of(const std::string& code);

// Out of a verdict; points are not given yet.
ExerciseGrade grade_of(const grader::Exercise&, const grader::Verdict&);

}  // namespace workbook::classroom
