#!/usr/bin/env python3
"""What recording costs: the step time of scenarios under each mode of `quintet run --record`.

Usage: recording_overhead.py QUINTET [--plans FILE] [--rounds N] [--out FOLDER] SCENARIO:STEPS...

One process a mode and round, the modes taken in turn within a round, so that what drifts drifts for all. Two figures a process: the mean step over
everything after the tenth (windows of `sampled` and their switching included) and the median step. Prints a Markdown table of medians over
the rounds with their lowest and highest, and of ratios to `off` of the same round. Needs nothing but Python.
"""

import argparse
import json
import os
import sqlite3
import statistics
import subprocess
import sys

MODES = ("off", "sampled", "graph", "node")


def run(options, scenario, steps, mode, path):
    command = [options.quintet, "run", scenario, "--executor", "cuda", "--policy", options.policy, "--step", options.step, "--precision", "amp",
               "--lowering", "fused", "--resident-input", "--steps", str(steps), "--record", mode, "--out", path, "--json"]
    if options.plans:
        command += ["--plans", options.plans]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    findings = [f["name"] for f in json.loads(done.stdout)["findings"]]
    with sqlite3.connect(path) as database:
        ends = [row[0] for row in database.execute("SELECT end_ns FROM steps WHERE step >= 10 ORDER BY step")]
        spans = database.execute("SELECT total(spans) FROM span_batches").fetchone()[0]
    os.remove(path)
    lengths = [b - a for a, b in zip(ends, ends[1:])]
    return (ends[-1] - ends[0]) / len(lengths), statistics.median(lengths), int(spans), findings


def spread(values, digits):
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("quintet")
    parser.add_argument("scenarios", nargs="+", metavar="SCENARIO:STEPS")
    parser.add_argument("--plans", default="")
    parser.add_argument("--policy", default="renaissance-dataflow")
    parser.add_argument("--step", default="whole_step")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", default="/tmp")
    options = parser.parse_args()
    print("| scenario | record | mean step, us | ratio to off | median step, us | ratio to off | spans |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for item in options.scenarios:
        scenario, steps = item.split(":")
        measured = {mode: [] for mode in MODES}
        for index in range(options.rounds):
            for mode in MODES:
                path = os.path.join(options.out, f"{scenario}-{mode}-{index}.qtrace")
                measured[mode].append(run(options, scenario, int(steps), mode, path))
        for mode in MODES:
            row = measured[mode]
            off = measured["off"]
            cells = []
            for figure in (0, 1):
                cells.append(spread([r[figure] / 1e3 for r in row], 2))
                cells.append(spread([r[figure] / o[figure] for r, o in zip(row, off)], 4))
            print(f"| {scenario} | {mode} | {' | '.join(cells)} | {row[0][2]:,} |", flush=True)
            names = sorted({name for r in row for name in r[3]})
            if names:
                print(f"<!-- findings: {names} -->", flush=True)


if __name__ == "__main__":
    main()
