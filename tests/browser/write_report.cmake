# Run by the test: cmake -DQUINTET=... -DRECORDING=... -DREPORT=... -P this
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN} failed (${status}):\n${output}")
  endif()
endfunction()

file(REMOVE "${RECORDING}" "${REPORT}")
run("${QUINTET}" run generated-lenet --steps 4 --out "${RECORDING}")
run("${QUINTET}" report "${RECORDING}" --html "${REPORT}")
