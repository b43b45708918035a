# find_package(cuda_workbook): the target cuda_workbook::kernels, a static library of kernels with their launchers.
#
# It needs CUDA's headers and its shared runtime; they are looked for beside nvcc, in CUDAToolkit_ROOT and in
# /usr/local/cuda. Kernels are machine code for sm_90 and PTX for every GPU from compute capability 7.5 on.
find_program(cuda_workbook_NVCC nvcc PATHS /usr/local/cuda/bin)
get_filename_component(cuda_workbook_bin "${cuda_workbook_NVCC}" REALPATH)
get_filename_component(cuda_workbook_toolkit "${cuda_workbook_bin}/../.." ABSOLUTE)
set(cuda_workbook_places ${CUDAToolkit_ROOT} "${cuda_workbook_toolkit}" /usr/local/cuda)
find_path(cuda_workbook_CUDA_INCLUDE cuda_runtime_api.h HINTS ${cuda_workbook_places}
          PATH_SUFFIXES include targets/x86_64-linux/include)
find_library(cuda_workbook_CUDART NAMES cudart libcudart.so.13 HINTS ${cuda_workbook_places}
             PATH_SUFFIXES lib64 lib targets/x86_64-linux/lib)
if(NOT cuda_workbook_CUDA_INCLUDE OR NOT cuda_workbook_CUDART)
  set(cuda_workbook_FOUND FALSE)
  set(cuda_workbook_NOT_FOUND_MESSAGE
      "CUDA's headers or its shared runtime were not found: set CUDAToolkit_ROOT to the toolkit's folder")
  return()
endif()
include("${CMAKE_CURRENT_LIST_DIR}/cuda_workbook-targets.cmake")
target_include_directories(cuda_workbook::kernels SYSTEM INTERFACE "${cuda_workbook_CUDA_INCLUDE}")
target_link_libraries(cuda_workbook::kernels INTERFACE "${cuda_workbook_CUDART}")
