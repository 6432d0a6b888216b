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
