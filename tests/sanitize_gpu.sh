#!/usr/bin/env bash
# Runs GPU tests under compute-sanitizer, on guarded memory: every test and tool in a process of its own,
# several at a time, with a table of verdicts at the end. What a tool could not check is never told as
# passed. What is judged and what is left out, and why: tests/README.md. Reports name source lines where
# the build had -DCMAKE_CUDA_FLAGS=-lineinfo.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: tests/sanitize_gpu.sh [options] PROGRAM...

  --tools LIST      of memcheck,synccheck,racecheck,initcheck (default: all four)
  --filter FILTER   which tests of the programs, as --gtest_filter has it (default: all)
  --tests FILE      only tests that the file names, one a line ("Suite.Test"; # begins a comment)
  --jobs N          processes at a time (default: 6)
  --together N      tests a process (default: 1); unless all is well each runs again by itself
  --limit SECONDS   for each test under each tool (default: 300)
  --logs FOLDER     where the full reports go (default: out/sanitize)
  --sanitizer PATH  the compute-sanitizer to use (default: of PATH or CUDA_HOME)
  --no-probe        leave out the check that each tool sees the faults planted in quintet_planted_faults

exit status: 0 all is well; 1 faults, or tests that fail; 2 usage; 3 something could not be checked

example: tests/sanitize_gpu.sh --filter '*TrainsOnOneStream*' build/bin/tests/quintet_cuda_guarded_test
TEXT
}

die() {
  printf 'sanitize_gpu.sh: %s\n' "$*" >&2
  exit 2
}

find_sanitizer() {
  local candidate
  for candidate in "$1" compute-sanitizer "${CUDA_HOME:-/usr/local/cuda}/bin/compute-sanitizer"; do
    if [ -n "$candidate" ] && command -v "$candidate"; then return; fi
    [ -z "$1" ] || break
  done
  die "compute-sanitizer is not installed; it is part of the CUDA toolkit"
}

# What a tool instruments, the next where the one before leads to nothing: all kernels, or our own.
scopes_of() {
  case "$1" in
    memcheck | initcheck) echo all ;;
    synccheck) echo all own ;;
    racecheck) echo own ;;
    *) die "unknown tool '$1'; use memcheck, synccheck, racecheck or initcheck" ;;
  esac
}

# Whose reports count: everybody's, or our own kernels'.
judged_of() {
  if [ "$1" = memcheck ]; then echo all; else echo own; fi
}

# The options of a tool in a scope, a line each.
options_of() {
  # More reports than are printed may hide one of ours.
  printf '%s\n' --print-limit 10000
  case "$1" in
    memcheck)
      # Allocations may lie back to back: what strays by less than the padding hits no other one. Calls
      # that fail are the tests' own business, which make some fail on purpose.
      printf '%s\n' --leak-check no --padding 4096 --report-api-errors no
      ;;
    synccheck)
      # The barriers of a library are not ended early: its results must not change.
      printf '%s\n' --missing-barrier-init-is-fatal no
      ;;
    racecheck)
      # Each launch holds memory of the tool until it has ended; too many at once end in
      # "didn't track the launch".
      printf '%s\n' --force-blocking-launches
      ;;
    initcheck) ;; # memory that is never used is not tracked by default: shape variants of a short run are
  esac
  # Every kernel of ours has its namespace in its mangled name.
  if [ "$2" = own ]; then printf '%s\n' --kernel-name kns=quintet; fi
}

# The full names of a program's tests.
tests_of() {
  "$1" --gtest_list_tests --gtest_filter="$filter" | awk '
    /^[^ ]/ { suite = $1 }
    /^  / { print suite $1 }'
}

# Lines, N of them joined by colons.
groups_of() {
  awk -v size="$1" '
    { group = group (NR % size == 1 || size == 1 ? "" : ":") $0 }
    NR % size == 0 { print group; group = "" }
    END { if (group != "") print group }'
}

# "OWN FOREIGN UNTRACKED": reports in a log about our own kernels (or about none: calls of ours), about
# others, and launches of kernels whose reports count (`judged`: all or own) that the tool lost.
count_reports() {
  awk -v judged="$2" '
    function name_in(text) { sub(/\+0x.*/, "", text); return text }
    function finish() {
      if (open) { if (ours || !kernel) own++; else foreign++ }
      open = 0
    }
    function look(text) { kernel = 1; if (name_in(text) ~ /quintet/) ours = 1 }
    /^=========[ ]Internal Sanitizer Error/ {
      finish()
      if (judged == "all" || $0 ~ /quintet/ || $0 !~ /while launching/) untracked++
      next
    }
    /^=========[ ](COMPUTE-SANITIZER|[A-Z]+ SUMMARY:|Target application)/ { finish(); next }
    # What a tool says of itself; of the races alone it says Error and Warning too.
    /^=========[ ](Error|Warning|Info): / && !/[Rr]ace |hazard/ { finish(); next }
    /^=========[ ][^ ]/ {
      finish()
      open = 1; ours = 0; kernel = 0
      if ($0 ~ / access at /) { text = $0; sub(/.* access at /, "", text); look(text) }
      next
    }
    open && /^=========[ ]+(at|and|Device Frame)/ { look($0) }
    END { finish(); print own + 0, foreign + 0, untracked + 0 }' "$1"
}

# The tool's own last word in a log.
summary_of() {
  grep -oE '(ERROR|RACECHECK) SUMMARY: .*' "$1" | tail -n 1 || true
}

# "VERDICT<tab>DETAIL" of a run of so many tests that ended with that status. Verdicts: ok, FAULTS,
# FAILED (a test), and undecided: untracked, timeout, broken.
verdict_of() {
  local status=$1 log=$2 judged=$3 count=$4 own foreign untracked
  read -r own foreign untracked < <(count_reports "$log" "$judged")
  local faults=$own
  if [ "$judged" = all ]; then faults=$((own + foreign)); fi
  if [ "$faults" -gt 0 ]; then
    printf 'FAULTS\t%s reports' "$faults"
  elif [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
    printf 'timeout\tafter %s s' "$((limit * count))"
  elif [ "$untracked" -gt 0 ]; then
    printf 'untracked\tinternal error of the tool, %s launches' "$untracked"
  elif [ -z "$(summary_of "$log")" ]; then
    printf 'broken\tno summary, status %s' "$status"
  elif grep -q 'were not printed' "$log"; then
    printf 'broken\tmore reports than were printed'
  elif ! grep -qE "^\[  PASSED  \] $count tests?\." "$log" || grep -q 'SKIPPED' "$log"; then
    printf 'FAILED\tthe test did not pass, status %s' "$status"
  elif [ "$status" -ne 0 ] && { [ "$status" -ne "$reported" ] || [ "$foreign" -eq 0 ]; }; then
    printf 'broken\tstatus %s, %s' "$status" "$(summary_of "$log")"
  elif [ "$foreign" -gt 0 ]; then
    printf 'ok\t%s reports of library kernels left out' "$foreign"
  else
    printf 'ok\t%s' "$(summary_of "$log")"
  fi
}

# attempt SLOT TOOL SCOPE PROGRAM TEST[:TEST...] LOG: runs them and prints their verdict.
attempt() {
  local slot=$1 tool=$2 scope=$3 program=$4 tests=$5 log=$6 options status=0 names
  IFS=: read -ra names <<<"$tests"
  mapfile -t options < <(options_of "$tool" "$scope")
  # A range of ports of its own: processes at one time must not take each other's.
  timeout --kill-after=10 "$((limit * ${#names[@]}))" "$sanitizer" --tool "$tool" --error-exitcode "$reported" \
    --port "$((49152 + 32 * slot))" "${options[@]}" \
    "$program" --gtest_brief=1 --gtest_filter="$tests" >"$log" 2>&1 </dev/null || status=$?
  verdict_of "$status" "$log" "$(judged_of "$tool")" "${#names[@]}"
}

# check SLOT TOOL PROGRAM TEST[:TEST...]: tries the tool's scopes in turn and writes a line of results
# a test. Tests that do not all pass together are checked one by one.
check() {
  local slot=$1 tool=$2 program=$3 tests=$4 begin=$SECONDS scope verdict detail log names test
  IFS=: read -ra names <<<"$tests"
  for scope in $(scopes_of "$tool"); do
    log=$logs/$tool-$scope-$(basename "$program")-${names[0]//\//_}
    if [ "${#names[@]}" -gt 1 ]; then log+=-and-$((${#names[@]} - 1))-more; fi
    log+=.txt
    IFS=$'\t' read -r verdict detail < <(attempt "$slot" "$tool" "$scope" "$program" "$tests" "$log") || true
    case "$verdict" in ok | FAULTS) break ;; esac
  done
  if [ "${#names[@]}" -gt 1 ] && [ "$verdict" != ok ]; then
    for test in "${names[@]}"; do check "$slot" "$tool" "$program" "$test"; done
    return
  fi
  for test in "${names[@]}"; do
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$verdict" "$tool" "$scope" "$((SECONDS - begin))" "$test" \
      "$detail" "$log"
  done >"$results/$BASHPID"
  cat "$results/$BASHPID" >>"$results/all"
  for test in "${names[@]}"; do
    printf '%-9s  %-9s  %-3s  %4d s  %s: %s\n' "$verdict" "$tool" "$scope" "$((SECONDS - begin))" "$test" "$detail"
  done
}

# run_all LIST: a line each of "TOOL<tab>PROGRAM<tab>TEST[:TEST...]", `jobs` at a time; a slot has its
# own ports.
run_all() {
  local tool program tests slot
  declare -A slot_of=()
  local free=()
  for ((slot = 0; slot < jobs; ++slot)); do free+=("$slot"); done
  while IFS=$'\t' read -r tool program tests; do
    if [ "${#free[@]}" -eq 0 ]; then free_a_slot; fi
    slot=${free[-1]}
    unset 'free[-1]'
    check "$slot" "$tool" "$program" "$tests" &
    slot_of[$!]=$slot
  done <"$1"
  wait
}

# Waits until one of the running checks has ended, and gives back the slots of all that have.
free_a_slot() {
  local pid
  while [ "${#free[@]}" -eq 0 ]; do
    wait -n || true
    for pid in "${!slot_of[@]}"; do
      if kill -0 "$pid" 2>/dev/null; then continue; fi
      free+=("${slot_of[$pid]}")
      unset "slot_of[$pid]"
    done
    if [ "${#free[@]}" -eq 0 ]; then sleep 0.2; fi
  done
}

# The probe: in each tool our planted fault must be a fault; of the same in a kernel that is not ours
# only memcheck may tell.
probe() {
  local program=$1 tool test
  for tool in "${wanted[@]}"; do
    for test in PlantedFault ForeignFault; do
      printf '%s\t%s\t%s\n' "$tool" "$program" "$test.${fault_of[$tool]}"
    done
  done >"$results/probe"
  run_all "$results/probe" >"$results/probe.log"
  local verdict rest blind=0
  while IFS=$'\t' read -r verdict tool rest; do
    case "$rest" in
      *PlantedFault.*) [ "$verdict" != FAULTS ] || continue ;;
      *) if [ "$verdict" != FAULTS ] || [ "$tool" = memcheck ]; then continue; fi ;;
    esac
    printf 'probe: %s gives "%s" on %s\n' "$tool" "$verdict" "$(cut -f 3 <<<"$rest")"
    blind=$((blind + 1))
  done <"$results/all"
  : >"$results/all"
  return "$((blind > 0))"
}

# How many results have these two first fields.
count_of() {
  awk -F '\t' -v verdict="$1" -v tool="$2" '$1 == verdict && $2 == tool { ++n } END { print n + 0 }' "$results/all"
}

print_table() {
  local tool verdict row
  printf '\n%-10s' tool
  printf '%10s' "${verdicts[@]}"
  printf '\n'
  for tool in "${wanted[@]}"; do
    printf '%-10s' "$tool"
    for verdict in "${verdicts[@]}"; do printf '%10s' "$(count_of "$verdict" "$tool")"; done
    printf '\n'
  done
  if grep -qv '^ok' "$results/all"; then
    printf '\nnot ok:\n'
    while IFS=$'\t' read -r -a row; do
      printf '  %s %s %s: %s; see %s\n' "${row[0]}" "${row[1]}" "${row[4]}" "${row[5]}" "${row[6]}"
    done < <(grep -v '^ok' "$results/all" | sort)
  fi
}

tools=memcheck,synccheck,racecheck,initcheck
filter='*'
tests=''
jobs=6
together=1
limit=300
logs=out/sanitize
sanitizer=''
probing=yes
programs=()
while [ $# -gt 0 ]; do
  case "$1" in
    --tools | --filter | --tests | --jobs | --together | --limit | --logs | --sanitizer)
      [ $# -ge 2 ] || die "$1 wants a value"
      printf -v "${1#--}" '%s' "$2"
      shift 2
      ;;
    --no-probe)
      probing=no
      shift
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
for number in "$jobs" "$together" "$limit"; do
  case "$number" in
    *[!0-9]* | '') die "--jobs, --together and --limit want whole numbers" ;;
    *[1-9]*) ;;
    *) die "--jobs, --together and --limit want numbers above 0" ;;
  esac
done
IFS=, read -ra wanted <<<"$tools"
for tool in "${wanted[@]}"; do scopes_of "$tool" >/dev/null; done
sanitizer=$(find_sanitizer "$sanitizer")
mkdir -p "$logs"
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
: >"$results/all"

reported=86 # the exit status that a tool gives where it reported something
verdicts=(ok FAULTS FAILED untracked timeout broken)
declare -A fault_of=([memcheck]=IsAWriteBehindAnAllocation [synccheck]=IsABarrierThatThreadsOfAWarpMiss
  [racecheck]=IsARaceInSharedMemory [initcheck]=IsAReadOfUnwrittenMemory)

# Which tests under which tool; the shortest tools first.
for tool in "${wanted[@]}"; do
  for program in "${programs[@]}"; do
    while read -r test; do
      if [ -n "$tests" ] && ! sed 's/#.*//; s/[[:space:]]*$//' "$tests" | grep -qxF "$test"; then continue; fi
      printf '%s\n' "$test"
    done < <(tests_of "$program") | groups_of "$together" | sed "s|^|$tool\t$program\t|"
  done
done >"$results/list"
[ -s "$results/list" ] || die "no test is called that"

# A test that skips checks nothing.
export QUINTET_GUARDED_MEMORY=1 QUINTET_REQUIRE_GPU=1
sighted=yes
if [ "$probing" = yes ]; then
  planted=$(dirname "${programs[0]}")/quintet_planted_faults
  [ -x "$planted" ] || die "$planted is not built; build it, or leave the probe out with --no-probe"
  probe "$planted" || sighted=no
fi
run_all "$results/list"
print_table
if grep -qE '^(FAULTS|FAILED)' "$results/all"; then exit 1; fi
if [ "$sighted" = no ] || grep -qv '^ok' "$results/all"; then exit 3; fi
