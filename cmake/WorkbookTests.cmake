# workbook_unit_test(NAME SOURCES ... LIBRARIES ...): a GoogleTest program, registered with CTest as NAME.
include(GoogleTest)
function(workbook_unit_test name)
  cmake_parse_arguments(T "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${T_SOURCES})
  target_link_libraries(${name} PRIVATE workbook_flags workbook_light ${T_LIBRARIES} GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name})
endfunction()
