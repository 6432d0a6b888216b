# Run by the test: cmake -DQUINTET=... -DRECORDING=... -DREPORT=... [-DWRITER=...] -P this
# The recording is a run's, or what the program WRITER writes.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN} failed (${status}):\n${output}")
  endif()
endfunction()

file(REMOVE "${RECORDING}" "${REPORT}")
if(WRITER)
  run("${WRITER}" "${RECORDING}")
else()
  run("${QUINTET}" run generated-lenet --steps 4 --out "${RECORDING}")
endif()
run("${QUINTET}" report "${RECORDING}" --html "${REPORT}")
