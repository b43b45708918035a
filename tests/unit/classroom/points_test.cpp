#include "classroom/points.h"

#include <gtest/gtest.h>

#include <cmath>

namespace workbook::classroom {
namespace {

grader::Exercise exercise_with_bound(double at_most, double naive) {
  grader::Exercise e;
  e.id = "2.1";
  e.points = 10;
  grader::BoundRule rule;
  rule.name = "roof";
  rule.at_most = at_most;
  rule.naive = naive;
  e.bounds["roof"] = rule;
  return e;
}

ExerciseGrade slow(double times_the_bound, bool all_else_right = true) {
  ExerciseGrade grade;
  grade.status = "too slow";
  grade.all_else_right = all_else_right;
  trace::Bound bound;
  bound.name = "roof";
  bound.limit_us = 100;
  bound.now_us = 100 * times_the_bound;
  bound.modelled = true;
  grade.bounds.push_back(bound);
  return grade;
}

double points_of(const grader::Exercise& e, ExerciseGrade grade) {
  give_points(e, grade);
  EXPECT_EQ(grade.max_points, 10);
  return grade.points;
}

TEST(Points, PassedGetsAllAndWrongGetsNone) {
  ExerciseGrade grade;
  for (const auto& [status, points] : {std::pair{"passed", 10.0},
                                       {"wrong", 0.0},
                                       {"crashed", 0.0},
                                       {"not handed in", 0.0},
                                       {"did not compile", 0.0},
                                       {"timed out", 0.0},
                                       {"not started", 0.0}}) {
    grade.status = status;
    EXPECT_EQ(points_of(exercise_with_bound(2, 8), grade), points) << status;
  }
}

TEST(Points, TimeEarnsOnALogarithmicScale) {
  EXPECT_DOUBLE_EQ(credit_for_time(1, 4), 1);
  EXPECT_DOUBLE_EQ(credit_for_time(2, 4), 0.5);
  EXPECT_DOUBLE_EQ(credit_for_time(4, 4), 0);
  EXPECT_DOUBLE_EQ(credit_for_time(400, 4), 0);
  // One percent costs the same anywhere.
  EXPECT_NEAR(credit_for_time(1.01, 4) - credit_for_time(1, 4),
              credit_for_time(2.02, 4) - credit_for_time(2, 4), 1e-12);
  EXPECT_FALSE(std::isnan(credit_for_time(0, 4)));
}

TEST(Points, RightAndSlowGetsThePartThatTheManifestSays) {
  EXPECT_EQ(points_of(exercise_with_bound(2, 8), slow(2)), 7.5) << "half for right, half of the rest";
  EXPECT_EQ(points_of(exercise_with_bound(2, 8), slow(100)), 5);
  EXPECT_EQ(points_of(exercise_with_bound(2, 0), slow(2)), 7.5) << "without naive: four times the bound";
  auto strict = exercise_with_bound(2, 8);
  strict.right_share = 0;
  EXPECT_EQ(points_of(strict, slow(4)), 0);
  EXPECT_EQ(points_of(exercise_with_bound(2, 8), slow(2, false)), 0) << "slow and wrong";
}

TEST(Points, TheWorstOfTwoMissedBoundsCounts) {
  auto grade = slow(2);
  grade.bounds.push_back(slow(4).bounds.front());
  EXPECT_EQ(points_of(exercise_with_bound(2, 8), grade), 5);
}

TEST(Points, WhoIsFarSlowerThanAFirstAttemptIsLookedAt) {
  auto grade = slow(150);
  give_points(exercise_with_bound(2, 8), grade);
  EXPECT_NE(grade.attention.find("38 times as long"), std::string::npos) << grade.attention;
  grade = slow(90);
  give_points(exercise_with_bound(2, 8), grade);
  EXPECT_EQ(grade.attention, "");
}

TEST(Points, WhatAPersonShouldSeeHasAName) {
  EXPECT_FALSE(attention_of("trace.forged").empty());
  EXPECT_TRUE(attention_of("pattern.tail").empty());
}

}  // namespace
}  // namespace workbook::classroom
