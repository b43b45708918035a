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

# The judges share one precompiled header: gtest and fmt are most of a check's compile time.
function(workbook_judge_header)
  if(TARGET workbook_judge_header)
    return()
  endif()
  file(WRITE "${CMAKE_BINARY_DIR}/workbook_judge_header.cpp" "// Holds the precompiled header of all judges.\n")
  add_library(workbook_judge_header OBJECT "${CMAKE_BINARY_DIR}/workbook_judge_header.cpp")
  target_link_libraries(workbook_judge_header PRIVATE workbook_flags workbook.judge)
  target_precompile_headers(workbook_judge_header PRIVATE "${PROJECT_SOURCE_DIR}/include/workbook/check.h" <cmath>
                            <algorithm>)
endfunction()

function(workbook_exercise chapter stem id)
  workbook_missing_files(missing "${chapter}" "${stem}")
  if(missing)
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
  target_link_libraries(${judge} PRIVATE workbook_flags workbook.judge)
  target_precompile_headers(${judge} REUSE_FROM workbook_judge_header)
  # A check is a text to read: narrowing in its arithmetic is not worth a cast in each line.
  target_compile_options(${judge} PRIVATE -Wno-conversion -Wno-missing-field-initializers)

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
