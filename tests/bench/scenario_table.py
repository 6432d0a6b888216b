#!/usr/bin/env python3
"""Prints Markdown tables over scenarios x policies x step modes, for the READMEs.

  tests/bench/scenario_table.py verify build/bin/quintet SCENARIO...          what the proof says of each mapping
  tests/bench/scenario_table.py run build/bin/quintet --steps 200 SCENARIO... step time and memory, repeats interleaved

Standard library only. `run` leaves its recordings in a temporary folder that goes with it.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

POLICIES = ("serial", "renaissance-as-published", "renaissance", "renaissance-dataflow")
STEP_MODES = ("host_sync", "event_sync", "whole_step")
GRADIENTS = ("in_place", "separate")
REPEATS = 3


def quintet(program, *arguments, accept=(0,)):
    done = subprocess.run([program, *arguments, "--json"], capture_output=True, text=True)
    if done.returncode not in accept:
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def verify_table(program, scenarios):
    print("| scenario | policy | gradients | races, host_sync | event_sync | whole_step | waits | that order nothing |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for scenario in scenarios:
        for policy in POLICIES:
            for gradients in GRADIENTS:
                proofs = [
                    quintet(program, "verify", scenario, "--policy", policy, "--gradients", gradients, "--step", step,
                            accept=(0, 1))
                    for step in STEP_MODES
                ]
                races = " | ".join(str(len(proof["races"])) for proof in proofs)
                whole = proofs[-1]
                print(f"| {scenario} | {policy} | {gradients} | {races} | {whole['edges']} | {len(whole['surplus_edges'])} |")


def mebibytes(metrics, tag):
    return next((m["value"] / 2**20 for m in metrics if m["tag"] == tag and m["state"] == "known"), None)


def run_table(program, scenarios, steps):
    print("| scenario | policy | step mode | step, ms | repeats | device memory, MiB |")
    print("| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        out = str(pathlib.Path(folder) / "run.qtrace")
        for scenario in scenarios:
            times = {}
            memory = {}
            for _ in range(REPEATS):
                for policy in POLICIES:
                    for step in STEP_MODES:
                        run = quintet(program, "run", scenario, "--policy", policy, "--step", step, "--steps",
                                      str(steps), "--out", out)
                        times.setdefault((policy, step), []).append(run["step_time_ns"]["median"] / 1e6)
                        memory[policy, step] = mebibytes(run["metrics"], "memory/device")
            for (policy, step), values in times.items():
                spread = ", ".join(f"{value:.2f}" for value in sorted(values))
                print(f"| {scenario} | {policy} | {step} | {statistics.median(values):.2f} | {spread} | "
                      f"{memory[policy, step]:.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=("verify", "run"))
    parser.add_argument("program")
    parser.add_argument("scenarios", nargs="+")
    parser.add_argument("--steps", type=int, default=200)
    chosen = parser.parse_args()
    if chosen.table == "verify":
        verify_table(chosen.program, chosen.scenarios)
    else:
        run_table(chosen.program, chosen.scenarios, chosen.steps)


if __name__ == "__main__":
    main()
