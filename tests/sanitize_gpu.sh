#!/usr/bin/env bash
# Runs GPU test programs under compute-sanitizer, on guarded memory: one line per tool and program, and
# failure where any tool reports an error. Reports name source lines where the build had
# -DCMAKE_CUDA_FLAGS=-lineinfo.
#
# initcheck of CUDA 13.0 does not see all that library kernels store (what goes through TMA, for one): a
# read of such an output, or of a library's own scratch, is then reported though it was written. What it
# cannot tell, GivesTheSameBitsWhateverUnwrittenMemoryHolds of the guarded tests does: with NaN in every
# byte that a step is to write before it reads it, the bits are the same. --filter can leave tests out.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: tests/sanitize_gpu.sh [--tools LIST] [--filter FILTER] [--logs FOLDER] PROGRAM...

  --tools LIST     of memcheck,racecheck,initcheck,synccheck (default: all four)
  --filter FILTER  which tests of the programs, as --gtest_filter has it (default: all)
  --logs FOLDER    where the full reports go (default: out/sanitize)

example: tests/sanitize_gpu.sh build/bin/tests/quintet_cuda_guarded_test build/bin/tests/quintet_ops_cuda_tests
TEXT
}

die() {
  printf 'sanitize_gpu.sh: %s\n' "$*" >&2
  exit 2
}

find_sanitizer() {
  local candidate
  for candidate in compute-sanitizer "${CUDA_HOME:-/usr/local/cuda}/bin/compute-sanitizer"; do
    if command -v "$candidate"; then return; fi
  done
  die "compute-sanitizer is not installed; it is part of the CUDA toolkit"
}

# The options of one tool, a line each.
options_of() {
  case "$1" in
    memcheck)
      # Allocations may lie back to back: what strays by less than the padding hits no other one. Calls
      # that fail are the tests' own business, which make some fail on purpose.
      printf '%s\n' --leak-check no --padding 4096 --report-api-errors no
      ;;
    racecheck | synccheck)
      # Our kernels only. Those of cuDNN and cuBLASLt are not ours to mend, and what they synchronise
      # by mbarriers and warpgroups gives false reports in CUDA 13.0. Every kernel of ours has its
      # namespace in its mangled name.
      printf '%s\n' --kernel-name kns=quintet
      ;;
    initcheck)
      # All kernels: what an unchecked one writes would count as unwritten. Memory that is never used
      # is not tracked (--track-unused-memory is off by default): shape variants of a short run are.
      ;;
    *) die "unknown tool '$1'; use memcheck, racecheck, initcheck or synccheck" ;;
  esac
}

# The tool's verdict in a log, its own words.
summary_of() {
  grep -oE '(ERROR|RACECHECK) SUMMARY: .*' "$1" | tail -n 1
}

# What is wrong with a run that ended with that status; nothing = all is well.
fault_of() {
  local status=$1 log=$2
  if [ -z "$(summary_of "$log")" ]; then
    echo "the tool gave no summary"
  elif grep -q 'Internal Sanitizer Error' "$log"; then
    echo "the tool lost track of a launch"
  elif [ "$status" -ne 0 ]; then
    echo "status $status, $(summary_of "$log")"
  elif ! grep -qE '\[  PASSED  \] [1-9][0-9]* test' "$log"; then
    echo "no test ran"
  fi
}

# run_tool TOOL PROGRAM: prints its line; fails where the tool reports an error or a test fails.
run_tool() {
  local tool=$1 program=$2 name log options status=0 begin=$SECONDS fault
  name=$(basename "$program")
  log=$logs/$tool-$name.txt
  mapfile -t options < <(options_of "$tool")
  "$sanitizer" --tool "$tool" --error-exitcode 1 "${options[@]}" \
    "$program" --gtest_brief=1 --gtest_filter="$filter" >"$log" 2>&1 </dev/null || status=$?
  fault=$(fault_of "$status" "$log")
  printf '%-10s %-32s %5d s  ' "$tool" "$name" "$((SECONDS - begin))"
  if [ -n "$fault" ]; then
    printf 'FAILED: %s; see %s\n' "$fault" "$log"
    return 1
  fi
  printf 'ok: %s\n' "$(summary_of "$log")"
}

tools=memcheck,racecheck,initcheck,synccheck
filter='*'
logs=out/sanitize
programs=()
while [ $# -gt 0 ]; do
  case "$1" in
    --tools | --filter | --logs)
      [ $# -ge 2 ] || die "$1 wants a value"
      printf -v "${1#--}" '%s' "$2"
      shift 2
      ;;
    -h | --help)
      usage
      exit 0
      ;;
    -*) die "unknown option '$1'" ;;
    *)
      [ -x "$1" ] || die "$1 is no program"
      programs+=("$1")
      shift
      ;;
  esac
done
if [ "${#programs[@]}" -eq 0 ]; then
  usage >&2
  die "no test program named"
fi
IFS=, read -ra wanted <<<"$tools"
for tool in "${wanted[@]}"; do options_of "$tool" >/dev/null; done
sanitizer=$(find_sanitizer)
mkdir -p "$logs"
# A test that skips checks nothing.
export QUINTET_GUARDED_MEMORY=1 QUINTET_REQUIRE_GPU=1

failed=no
for program in "${programs[@]}"; do
  for tool in "${wanted[@]}"; do
    run_tool "$tool" "$program" || failed=yes
  done
done
[ "$failed" = no ]
