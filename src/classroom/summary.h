// What a teacher reads after a grading: how each exercise went, what went wrong most, whom to look at.
#pragma once

#include <string>

#include "classroom/grades.h"

namespace workbook::classroom {

std::string summary_of(const Grades&, bool color);

// What one learner reads.
std::string feedback_of(const Grades&, const SubmissionGrade&);
// Of one exercise, without a headline of its own.
std::string feedback_of(const ExerciseGrade&);

}  // namespace workbook::classroom
