# What PROGRAM prints is what the file GOLDEN says.
execute_process(COMMAND "${PROGRAM}" OUTPUT_VARIABLE printed RESULT_VARIABLE code)
file(READ "${GOLDEN}" golden)
if(NOT code EQUAL 0 OR NOT printed STREQUAL golden)
  message(FATAL_ERROR "${GOLDEN} is not what the program prints now: ${PROGRAM} > ${GOLDEN}, then node --test site/tests")
endif()
