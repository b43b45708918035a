# cmake -D BUILD=... -D CONSUMER=... -D WORK=... -D TOOLKIT=... -D SIMULATED=... -P package_test.cmake
# Installs the kernels to a fresh folder, builds a program against them and runs it on the simulated device.
function(step what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what} failed (${code}):\n${text}")
  endif()
  message(STATUS "${what}: good")
endfunction()

file(REMOVE_RECURSE "${WORK}")
step("install" "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix" --component kernels)
step("configure" "${CMAKE_COMMAND}" -S "${CONSUMER}" -B "${WORK}/build" -G "${GENERATOR}"
     "-DCMAKE_PREFIX_PATH=${WORK}/prefix" "-DCUDAToolkit_ROOT=${TOOLKIT}" -DCMAKE_BUILD_TYPE=Release)
step("build" "${CMAKE_COMMAND}" --build "${WORK}/build")
step("run" "${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=${SIMULATED}" "${WORK}/build/consumer")
