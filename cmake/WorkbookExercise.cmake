# workbook_exercise(NN_topic NN_name ID): the two programs of an exercise's check.
#
# check_NN_MM is the judge (tests/exercises/NN_topic/NN_name.cpp, plain C++). driver_NN_MM is the object of the
# driver (NN_name.driver.cpp), which the command line tool links with the learner's object into a runner.
#
# A stem names the starter, the solution, the check, the driver, and the folders of wrong and right answers. A
# missing one breaks the build when WORKBOOK_STRICT_STEMS is on.
option(WORKBOOK_STRICT_STEMS "An exercise with a missing file breaks the build" OFF)

function(workbook_stem_problem text)
  if(WORKBOOK_STRICT_STEMS)
    message(FATAL_ERROR "${text}")
  else()
    message(WARNING "${text}")
  endif()
endfunction()

# Appends each missing file of the exercise to the list `out`.
function(workbook_missing_files out chapter stem)
  set(tests "tests/exercises/${chapter}/${stem}")
  set(missing)
  foreach(file "chapters/${chapter}/${stem}.cu" "solutions/${chapter}/${stem}.cu" "${tests}.cpp" "${tests}.driver.cpp"
          "${tests}/wrong" "${tests}/right")
    if(NOT EXISTS "${PROJECT_SOURCE_DIR}/${file}")
      list(APPEND missing "${file}")
    endif()
  endforeach()
  foreach(folder wrong right)
    file(GLOB answers "${PROJECT_SOURCE_DIR}/${tests}/${folder}/*")
    if(EXISTS "${PROJECT_SOURCE_DIR}/${tests}/${folder}" AND NOT answers)
      list(APPEND missing "${tests}/${folder}/*")
    endif()
  endforeach()
  set(${out} "${missing}" PARENT_SCOPE)
endfunction()

# A check is a text to read: narrowing in its arithmetic is not worth a cast in each line, so the strictest warnings
# of workbook_flags are left out.
function(workbook_judge_options target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-missing-field-initializers)
  if(WORKBOOK_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${WORKBOOK_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${WORKBOOK_SANITIZE})
  endif()
  target_link_libraries(${target} PRIVATE workbook_light workbook.judge_main)
endfunction()

# The judges share one precompiled header: gtest and fmt are most of a check's compile time. Its owner is a program
# like theirs, or the compiler would refuse it.
function(workbook_judge_header)
  if(TARGET workbook_judge_header)
    return()
  endif()
  file(WRITE "${CMAKE_BINARY_DIR}/workbook_judge_header.cpp" "// Owns the precompiled header of all judges.\n")
  add_executable(workbook_judge_header "${CMAKE_BINARY_DIR}/workbook_judge_header.cpp")
  workbook_judge_options(workbook_judge_header)
  target_precompile_headers(workbook_judge_header PRIVATE "${PROJECT_SOURCE_DIR}/include/workbook/check.h" <cmath>
                            <algorithm>)
endfunction()

function(workbook_exercise chapter stem id)
  workbook_missing_files(missing "${chapter}" "${stem}")
  # A class's repository has no solutions and no answers (workbook handout).
  if(missing AND NOT EXISTS "${PROJECT_SOURCE_DIR}/handout.json")
    list(JOIN missing ", " names)
    workbook_stem_problem("exercise ${id} (${chapter}/${stem}) misses: ${names}")
  endif()
  set(base "${PROJECT_SOURCE_DIR}/tests/exercises/${chapter}/${stem}")
  if(NOT EXISTS "${base}.cpp" OR NOT EXISTS "${base}.driver.cpp")
    return()
  endif()
  string(SUBSTRING "${chapter}" 0 2 chapter_number)
  string(SUBSTRING "${stem}" 0 2 number)
  set(judge "check_${chapter_number}_${number}")
  set(driver "driver_${chapter_number}_${number}")

  workbook_judge_header()
  add_executable(${judge} "${base}.cpp")
  workbook_judge_options(${judge})
  target_precompile_headers(${judge} REUSE_FROM workbook_judge_header)

  add_library(${driver} OBJECT "${base}.driver.cpp")
  set_target_properties(${driver} PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON)
  target_include_directories(${driver} PRIVATE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${driver} PRIVATE workbook.cuda_headers)
  # No sanitizer here: the object ends in a program of the learner's.
  target_compile_options(${driver} PRIVATE -O2 -g1 -fno-omit-frame-pointer -Wall -Wextra)

  set_property(GLOBAL APPEND PROPERTY WORKBOOK_EXERCISES
    "{\"id\": \"${id}\", \"chapter\": \"${chapter}\", \"stem\": \"${stem}\", \"judge\": \"$<TARGET_FILE:${judge}>\", \"driver\": \"$<TARGET_OBJECTS:${driver}>\", \"extra_libraries\": []}")
  set_property(GLOBAL APPEND PROPERTY WORKBOOK_EXERCISE_TARGETS ${judge} ${driver})
endfunction()
