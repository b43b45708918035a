# The compile options of all our own code, in one private target.
add_library(workbook_flags INTERFACE)
add_library(workbook.flags ALIAS workbook_flags)
target_compile_features(workbook_flags INTERFACE cxx_std_20)
target_compile_options(workbook_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)

# Code that waits for others most of its time: a learner's first minutes are better spent than on optimising it.
add_library(workbook_light INTERFACE)
target_compile_options(workbook_light INTERFACE $<$<CONFIG:Release>:-O1>)

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug or RelWithDebInfo" FORCE)
endif()

set(WORKBOOK_SANITIZE "" CACHE STRING "Sanitizers for our own code, e.g. address,undefined")
if(WORKBOOK_SANITIZE)
  target_compile_options(workbook_flags INTERFACE -fsanitize=${WORKBOOK_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(workbook_flags INTERFACE -fsanitize=${WORKBOOK_SANITIZE})
endif()

# workbook_library(NAME sources...): a static library with the dotted alias workbook.NAME and `src/` as include root.
function(workbook_library name)
  add_library(workbook_${name} STATIC ${ARGN})
  add_library(workbook.${name} ALIAS workbook_${name})
  target_link_libraries(workbook_${name} PRIVATE workbook_flags)
  target_include_directories(workbook_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
endfunction()
