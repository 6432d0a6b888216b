#!/usr/bin/env bash
# Tests tests/sanitize_gpu.sh without a GPU: a stand-in for compute-sanitizer writes the reports, and a
# stand-in for a test program lists the tests.
set -euo pipefail

script=$(cd "$(dirname "$0")" && pwd)/sanitize_gpu.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"

cat >"$folder/bin/quintet_some_test" <<'TEXT'
#!/usr/bin/env bash
case "$*" in
  *--gtest_list_tests*)
    echo "Running main() from gtest_main.cc"
    echo "Twins/Whole."
    for name in Clean Ours Theirs Lost LostTheirs Slow Fails Crashes Odd Many AlsoClean; do echo "  Runs/$name  # GetParam() = 1"; done
    ;;
esac
TEXT
cat >"$folder/bin/quintet_planted_faults" <<'TEXT'
#!/usr/bin/env bash
TEXT
cat >"$folder/bin/compute-sanitizer" <<'TEXT'
#!/usr/bin/env bash
all=" $* "
tool=${all#* --tool } tool=${tool%% *}
test=${all#*--gtest_filter=} test=${test% }
own=${all##* --kernel-name kns=quintet *}
line() { printf '========= %s\n' "$1"; }
passed() { echo "[  PASSED  ] 1 test."; }
summary() { if [ "$tool" = racecheck ]; then line "RACECHECK SUMMARY: $1 hazards displayed ($1 errors, 0 warnings)"; else line "ERROR SUMMARY: $1 errors"; fi; }
report() {
  if [ "$tool" = racecheck ]; then
    line "Error: Race reported between Write access at $1+0x90 in a.cu:41"
    line "    and Read access at $1+0x100 in a.cu:51 [508 hazards]"
  else
    line "Uninitialized __global__ memory read of size 4 bytes"
    line "    at $1+0x70 in a.cu:5"
    line "    by thread (65,0,0) in block (0,0,0)"
    line "    Saved host backtrace up to driver entry point at kernel launch time"
    line "        Host Frame: quintet::CudaExecutor::launch() [0x1] in quintet_some_test"
  fi
}
line COMPUTE-SANITIZER
ours='void quintet::(anonymous namespace)::relu<float>(float *)'
theirs='void cudnn::ops::scale<float>(float *)'
case "$test" in
  PlantedFault.*) if [ -z "${BLIND-}" ]; then report "$ours"; summary 1; exit 86; else passed; summary 0; fi ;;
  ForeignFault.*) if [ "$tool" = racecheck ]; then passed; summary 0; else report "$theirs"; passed; summary 1; exit 86; fi ;;
  *:*Ours) report "$ours"; echo "[  PASSED  ] 2 tests."; summary 1; exit 86 ;;
  *:*:*) echo "[  PASSED  ] 2 tests."; summary 0 ;; # one of three was not run
  *:*) echo "[  PASSED  ] 2 tests."; summary 0 ;;
  */Clean | */AlsoClean) passed; summary 0 ;;
  */Ours) report "$ours"; passed; summary 1; exit 86 ;;
  */Theirs)
    # Its barriers make the test fail where they are instrumented.
    if [ -n "$own" ] && [ "$tool" != racecheck ]; then
      report "$theirs"; if [ "$tool" = synccheck ]; then echo "[  FAILED  ] 1 test"; else passed; fi; summary 1; exit 86
    fi
    passed; summary 0
    ;;
  */Lost)
    line "Internal Sanitizer Error: The Sanitizer encountered an error while launching _ZN7quintet4reluEv and didn't track the launch. Errors might go undetected."
    passed; summary 0
    ;;
  */LostTheirs)
    line "Internal Sanitizer Error: The Sanitizer encountered an error while launching cudnn_scale and didn't track the launch. Errors might go undetected."
    passed; summary 0
    ;;
  */Slow) sleep 20 ;;
  */Fails) echo "[  FAILED  ] 1 test"; summary 0; exit 1 ;;
  */Crashes)
    line "Error: Target application terminated before first instrumented API call"
    line "Error: couldn't find exit code."
    exit 139
    ;;
  */Odd) passed; summary 0; exit 5 ;;
  */Many) report "$theirs"; passed; line "ERROR SUMMARY: 10000 errors were not printed."; summary 20000; exit 86 ;;
esac
TEXT
chmod +x "$folder"/bin/*

failures=0
expect() {
  if grep -qE "$2" "$folder/out"; then return; fi
  printf 'sanitize_gpu_test.sh: %s: no line matches: %s\n' "$1" "$2"
  failures=$((failures + 1))
}
# run EXPECTED_STATUS ARGUMENTS...
run() {
  local wanted=$1 status=0
  shift
  PATH=$folder/bin:$PATH "$script" --logs "$folder/logs" --limit 2 "$@" "$folder/bin/quintet_some_test" \
    >"$folder/out" 2>&1 || status=$?
  if [ "$status" -eq "$wanted" ]; then return; fi
  printf 'sanitize_gpu_test.sh: status %s instead of %s of: %s\n' "$status" "$wanted" "$*"
  cat "$folder/out"
  failures=$((failures + 1))
}

run 1
for tool in memcheck synccheck racecheck initcheck; do
  expect "a clean test" "^ok +$tool .*Runs/Clean: (ERROR|RACECHECK) SUMMARY"
  expect "a fault of ours" "^FAULTS +$tool .*Runs/Ours: 1 reports"
  expect "a lost launch of ours" "^untracked +$tool .*Runs/Lost: internal error of the tool, 1 launches"
  expect "a test that takes too long" "^timeout +$tool .*Runs/Slow: after 2 s"
  expect "a test that fails" "^FAILED +$tool .*Runs/Fails: the test did not pass"
  expect "a process that dies" "^broken +$tool .*Runs/Crashes: no summary, status 139"
  expect "an unknown status" "^broken +$tool .*Runs/Odd: status 5"
done
expect "memcheck judges libraries" '^FAULTS +memcheck +all .*Runs/Theirs: 1 reports'
expect "memcheck misses no launch" '^untracked +memcheck +all .*Runs/LostTheirs'
expect "initcheck leaves libraries out" '^ok +initcheck +all .*Runs/Theirs: 1 reports of library kernels left out'
expect "synccheck falls back to our own" '^ok +synccheck +own .*Runs/Theirs: ERROR SUMMARY: 0'
expect "racecheck sees our own alone" '^ok +racecheck +own .*Runs/LostTheirs'
expect "reports that were not printed" '^broken +initcheck .*Runs/Many: more reports than were printed'
expect "the table" '^tool +ok +FAULTS +FAILED +untracked +timeout +broken$'
expect "a row of it" '^racecheck +3 +2 +1 +1 +1 +[0-9]+$|^racecheck +[0-9 ]+$'
expect "what is not ok" '^  FAULTS racecheck Twins/Whole.Runs/Ours: 1 reports; see '

printf 'Twins/Whole.Runs/Clean # the only one\n' >"$folder/list"
run 0 --tests "$folder/list" --tools racecheck,initcheck --jobs 1
expect "one test alone" '^racecheck +1 +0 +0 +0 +0 +0$'
BLIND=1 run 3 --tests "$folder/list" --tools racecheck
expect "a blind tool" '^probe: racecheck gives "ok" on PlantedFault.IsARaceInSharedMemory'
printf 'Twins/Whole.Runs/Clean\nTwins/Whole.Runs/Lost\n' >"$folder/list"
run 3 --tests "$folder/list" --tools memcheck --no-probe
printf 'Twins/Whole.Runs/Clean\nTwins/Whole.Runs/AlsoClean\n' >"$folder/list"
run 0 --tests "$folder/list" --tools racecheck --together 2
expect "two tests together" '^racecheck +2 +0 +0 +0 +0 +0$'
expect "a log of both" "Runs/AlsoClean: RACECHECK SUMMARY: 0"
printf 'Twins/Whole.Runs/Clean\nTwins/Whole.Runs/Ours\n' >"$folder/list"
run 1 --tests "$folder/list" --tools racecheck --together 2
expect "the good one of two" '^ok +racecheck .*Runs/Clean'
expect "the bad one of two" '^FAULTS +racecheck .*Runs/Ours: 1 reports'
printf 'Twins/Whole.Runs/Clean\nTwins/Whole.Runs/AlsoClean\nTwins/Whole.Runs/Theirs\n' >"$folder/list"
run 0 --tests "$folder/list" --tools racecheck --together 3
expect "a test left out of three" '^racecheck +3 +0 +0 +0 +0 +0$'
test -f "$folder/logs/racecheck-own-quintet_some_test-Twins_Whole.Runs_AlsoClean.txt" || { echo "three were not run one by one"; failures=$((failures + 1)); }
printf 'No.Such\n' >"$folder/list"
run 2 --tests "$folder/list"
run 2 --tools valgrind
expect "an unknown tool" "unknown tool 'valgrind'"
run 2 --jobs none
run 2 --sanitizer "$folder/none"

if [ "$failures" -gt 0 ]; then exit 1; fi
echo "all as expected"
