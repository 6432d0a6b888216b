# Run by the test: cmake -DBUILD=... -DWORK=... -DCONSUMER=... -DGENERATOR=... -DCOMPILER=... -P this
function(run what)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${what} failed (${status}):\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE "${WORK}/prefix" "${WORK}/consumer")
run("installing" "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${WORK}/prefix")
run("configuring the consumer" "${CMAKE_COMMAND}" -S "${CONSUMER}" -B "${WORK}/consumer" -G "${GENERATOR}"
  "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_PREFIX_PATH=${WORK}/prefix"
  -DCMAKE_FIND_PACKAGE_NO_PACKAGE_REGISTRY=ON)
run("building the consumer" "${CMAKE_COMMAND}" --build "${WORK}/consumer")
run("running the consumer" "${WORK}/consumer/consumer")

# The program finds the recordings that were installed with it.
if(EXISTS "${WORK}/prefix/bin/quintet")
  execute_process(COMMAND "${WORK}/prefix/bin/quintet" scenarios --json RESULT_VARIABLE status OUTPUT_VARIABLE listed)
  if(NOT status EQUAL 0 OR NOT listed MATCHES "recorded/resnet50-b32-serial-whole_step")
    message(FATAL_ERROR "the installed program (${status}) does not list its recorded scenarios:\n${listed}")
  endif()
endif()
