# nvcc, and the one way an exercise is compiled and linked.
#
# Sets WORKBOOK_NVCC (empty when there is none), WORKBOOK_NVCC_FLAGS, WORKBOOK_CUDA_INCLUDE, WORKBOOK_CUDART (the
# file libcudart.so.13 of the toolkit) and WORKBOOK_WRAP_OPTIONS. `workbook_write_toolchain` writes all of it, and
# the list of exercises, to workbook_toolchain.json: the command line tool builds the learner's file from there.

# The only place where these flags stand. Both sides of every ratio are compiled with them.
set(WORKBOOK_NVCC_FLAGS -std=c++17 -O2 -lineinfo --no-compress -cudart shared
    # A host function called in device code is a warning by itself, and wrong values later.
    -diag-error 20011,20013,20014,20015
    -gencode "arch=compute_75,code=[compute_75,sm_90]" -Xcompiler -g1,-fno-omit-frame-pointer,-Wall)

# A learner's .cpp, and what is given with it: the host compiler alone, with the same options for the host.
set(WORKBOOK_CXX_FLAGS -std=c++17 -O2 -g1 -fno-omit-frame-pointer -Wall)

set(workbook_wheels "${PROJECT_SOURCE_DIR}/.toolchain/nvidia/cu13")
file(GLOB workbook_wheels_venv "${PROJECT_SOURCE_DIR}/.toolchain/*/lib/python3*/site-packages/nvidia/cu13")
find_program(WORKBOOK_NVCC nvcc DOC "The CUDA compiler"
             HINTS ${CUDAToolkit_ROOT}/bin ENV CUDA_HOME PATH_SUFFIXES bin
             PATHS /usr/local/cuda/bin "${workbook_wheels}/bin" ${workbook_wheels_venv})
if(NOT WORKBOOK_NVCC)
  set(WORKBOOK_NVCC "")
  message(STATUS "nvcc: not found; exercises and kernels are not built")
endif()

if(WORKBOOK_NVCC)
  # The toolkit is what lies beside the real nvcc, also when PATH names a link to it.
  get_filename_component(workbook_nvcc_real "${WORKBOOK_NVCC}" REALPATH)
  get_filename_component(workbook_toolkit "${workbook_nvcc_real}/../.." ABSOLUTE)
  find_path(WORKBOOK_CUDA_INCLUDE cuda_runtime_api.h DOC "CUDA's headers"
            HINTS "${workbook_toolkit}/include" "${workbook_toolkit}/targets/x86_64-linux/include"
                  /usr/local/cuda/include)
  find_file(WORKBOOK_CUDART libcudart.so.13 DOC "NVIDIA's CUDA runtime"
            HINTS "${workbook_toolkit}/lib64" "${workbook_toolkit}/lib" "${workbook_toolkit}/targets/x86_64-linux/lib"
                  /usr/local/cuda/lib64)
  if(NOT WORKBOOK_CUDA_INCLUDE)
    message(FATAL_ERROR "${WORKBOOK_NVCC} has no cuda_runtime_api.h beside it: install the CUDA 13 runtime headers, "
                        "or set WORKBOOK_CUDA_INCLUDE")
  endif()
  add_library(workbook_cuda_headers INTERFACE)
  add_library(workbook.cuda_headers ALIAS workbook_cuda_headers)
  target_include_directories(workbook_cuda_headers SYSTEM INTERFACE "${WORKBOOK_CUDA_INCLUDE}")
  message(STATUS "nvcc: ${WORKBOOK_NVCC}")
endif()

# The CUDA calls that the runner sees pass by; one name a line.
file(STRINGS "${PROJECT_SOURCE_DIR}/src/harness/wrapped_functions.txt" WORKBOOK_WRAPPED REGEX "^[_a-z]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/harness/wrapped_functions.txt")
# A runner lets the NVTX library find its recorder by name.
set(WORKBOOK_WRAP_OPTIONS "-Wl,--export-dynamic-symbol=wbRunnerRange")
foreach(name ${WORKBOOK_WRAPPED})
  list(APPEND WORKBOOK_WRAP_OPTIONS "-Wl,--wrap=${name}")
endforeach()

# JSON text of a list of strings. No string here holds a quote or a backslash.
function(workbook_json_list out)
  list(TRANSFORM ARGN REPLACE "(.+)" "\"\\0\"" OUTPUT_VARIABLE quoted)
  list(JOIN quoted ", " joined)
  set(${out} "[${joined}]" PARENT_SCOPE)
endfunction()

# The archives and libraries at the end of a runner's link line, in this order.
function(workbook_runner_libraries out)
  set(libraries)
  foreach(target workbook_runner workbook_trace workbook_kernels)
    if(TARGET ${target})
      list(APPEND libraries "$<TARGET_FILE:${target}>")
    endif()
  endforeach()
  list(APPEND libraries "$<TARGET_FILE:fmt::fmt>")
  set(${out} "${libraries}" PARENT_SCOPE)
endfunction()

# A learner waits for the linker after every save. gold, where the machine has it, needs a third of GNU ld's time:
# 0.08 s for 0.23 s of a runner (measured 2026-11-30, g++ 12.2, binutils 2.40).
include(CheckLinkerFlag)
check_linker_flag(CXX "-fuse-ld=gold" WORKBOOK_GOLD_LINKS)
set(WORKBOOK_FAST_LINK "")
if(WORKBOOK_GOLD_LINKS AND NOT WORKBOOK_SANITIZE)
  set(WORKBOOK_FAST_LINK "-fuse-ld=gold")
endif()

function(workbook_write_toolchain)
  set(cudart "${WORKBOOK_CUDART}")
  set(simulated_dir "${CMAKE_BINARY_DIR}/lib/simulated")
  if(TARGET cudart_simulated)
    set(simulated_dir "$<TARGET_FILE_DIR:cudart_simulated>")
    if(NOT cudart)
      set(cudart "$<TARGET_FILE:cudart_simulated>")
    endif()
  endif()
  set(nvtx_library "")
  if(TARGET workbook_nvtx)
    set(nvtx_library "$<TARGET_FILE:workbook_nvtx>")
  endif()
  set(cupti_library "")
  if(TARGET workbook_cupti)
    set(cupti_library "$<TARGET_FILE:workbook_cupti>")
  endif()
  get_filename_component(real_dir "${WORKBOOK_CUDART}" DIRECTORY)
  workbook_runner_libraries(libraries)
  workbook_json_list(flags ${WORKBOOK_NVCC_FLAGS})
  workbook_json_list(cxx_flags ${WORKBOOK_CXX_FLAGS})
  workbook_json_list(wrapped ${WORKBOOK_WRAPPED})
  workbook_json_list(link_options ${WORKBOOK_FAST_LINK} ${WORKBOOK_WRAP_OPTIONS})
  workbook_json_list(archives ${libraries})
  get_property(exercises GLOBAL PROPERTY WORKBOOK_EXERCISES)
  list(JOIN exercises ",\n    " exercises)
  file(GENERATE OUTPUT "${CMAKE_BINARY_DIR}/workbook_toolchain.json" CONTENT
"{
  \"schema\": \"workbook-toolchain/1\",
  \"source_dir\": \"${PROJECT_SOURCE_DIR}\",
  \"nvcc\": \"${WORKBOOK_NVCC}\",
  \"nvcc_flags\": ${flags},
  \"cxx_flags\": ${cxx_flags},
  \"cxx\": \"${CMAKE_CXX_COMPILER}\",
  \"include_dirs\": [\"${PROJECT_SOURCE_DIR}/include\", \"${PROJECT_SOURCE_DIR}\"],
  \"cuda_include\": \"${WORKBOOK_CUDA_INCLUDE}\",
  \"wrapped_functions\": ${wrapped},
  \"link_options\": ${link_options},
  \"link_libraries\": ${archives},
  \"cudart_to_link\": \"${cudart}\",
  \"real_cudart_dir\": \"${real_dir}\",
  \"simulated_cudart_dir\": \"${simulated_dir}\",
  \"nvtx_library\": \"${nvtx_library}\",
  \"cupti_library\": \"${cupti_library}\",
  \"system_libraries\": [\"-lpthread\", \"-ldl\", \"-lrt\"],
  \"exercises\": [
    ${exercises}
  ]
}
")
endfunction()
cmake_language(DEFER DIRECTORY "${PROJECT_SOURCE_DIR}" CALL workbook_write_toolchain)
