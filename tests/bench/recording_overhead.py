#!/usr/bin/env python3
"""What recording costs: the step time of scenarios, and the host's memory, under each mode of `quintet run --record`.

Usage: recording_overhead.py QUINTET [--plans FILE] [--rounds N] [--modes LIST] [--out FOLDER] SCENARIO:STEPS...

One process a mode and round, the modes taken in turn within a round, so that what drifts drifts for all. Two figures a process: the mean step over
everything after the tenth (windows of `sampled` and their switching included) and the median step. Prints a Markdown table of medians over
the rounds with their lowest and highest, of ratios to `off` of the same round, and of the memory of the recording process itself (resident, MiB): its highest
while it trains, what that grew from a quarter to three quarters of the steps' time, which a long run must not, and its highest at all (the recording is
read back for the summary). Needs nothing but Python, and Linux.
"""

import argparse
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

MODES = {"cuda": ("off", "sampled", "graph", "node"), "host": ("off", "node")}
SAMPLE_S = 0.1
FIRST_STEP = 10  # that is measured


def resident_bytes(pid):
    """Of this process alone, not of a shell or a child; None once it is gone."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (FileNotFoundError, ProcessLookupError, IndexError):
        return None


def watched(command):
    """Runs a command: status, output, errors, and (time, resident bytes), sampled every SAMPLE_S; in ns of the clock that recordings have."""
    samples = []
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        # No shell in between: the process is the command's own.
        process = subprocess.Popen(command, stdout=output, stderr=errors)
        while process.poll() is None:
            samples.append((time.monotonic_ns(), resident_bytes(process.pid)))
            time.sleep(SAMPLE_S)
        output.seek(0)
        errors.seek(0)
        return process.returncode, output.read(), errors.read(), [(at, size) for at, size in samples if size]


class Resident:
    """Resident bytes of a process whose steps began and ended then."""

    def __init__(self, samples, begin_ns, end_ns):
        self.all = [size for _, size in samples]
        self.training = [size for at, size in samples if begin_ns <= at <= end_ns]

    def growth(self):
        """None of too few samples."""
        count = len(self.training)
        return self.training[count * 3 // 4] - self.training[count // 4] if count >= 8 else None


def memory_cells(rows):
    mib = 2**20
    resident = [r[4] for r in rows]
    figures = (
        ([max(r.training) / mib for r in resident if r.training], 0),
        ([r.growth() / mib for r in resident if r.growth() is not None], 1),
        ([max(r.all) / mib for r in resident if r.all], 0),
    )
    return [spread(values, digits) if values else "unknown" for values, digits in figures]


def run(options, scenario, steps, mode, path):
    command = [options.quintet, "run", scenario, "--executor", options.executor, "--policy", options.policy, "--step", options.step, "--precision", "amp",
               "--lowering", "fused", "--resident-input", "--steps", str(steps), "--epochs", str(steps), "--record", mode, "--out", path, "--json"]
    if options.plans:
        command += ["--plans", options.plans]
    status, output, errors, samples = watched(command)
    if status != 0:
        sys.exit(f"{' '.join(command)}: status {status}\n{errors}")
    findings = [f"{f['name']}: {f['message']}" for f in json.loads(output)["findings"]]
    with sqlite3.connect(path) as database:
        ends = [row[0] for row in database.execute("SELECT end_ns FROM steps WHERE step >= ? ORDER BY step", (FIRST_STEP,))]
        spans = database.execute("SELECT total(spans) FROM span_batches").fetchone()[0]
    os.remove(path)
    if len(ends) != steps - FIRST_STEP:
        sys.exit(f"{' '.join(command)}: recorded {len(ends)} steps after the tenth instead of {steps - FIRST_STEP}")
    lengths = [b - a for a, b in zip(ends, ends[1:])]
    return (ends[-1] - ends[0]) / len(lengths), statistics.median(lengths), int(spans), findings, Resident(samples, ends[0], ends[-1])


def scenario_and_steps(text):
    """Of "generated-mlp-512:50000"; of fewer steps nothing can be told."""
    name, _, steps = text.rpartition(":")
    if not name or not steps.isdigit() or int(steps) < FIRST_STEP + 2:
        raise argparse.ArgumentTypeError(f"{text!r} is no SCENARIO:STEPS with at least {FIRST_STEP + 2} steps")
    return name, int(steps)


def spread(values, digits):
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("quintet")
    parser.add_argument("scenarios", nargs="+", type=scenario_and_steps, metavar="SCENARIO:STEPS")
    parser.add_argument("--plans", default="")
    parser.add_argument("--policy", default="renaissance-dataflow")
    parser.add_argument("--step", default="whole_step")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--modes", default="", metavar="LIST", help="of the recorder, with commas between (default: all); without off no ratio is known")
    parser.add_argument("--out", default="/tmp")
    parser.add_argument("--executor", default="cuda", choices=MODES, help="host: to try this script out; its modes are off and node")
    options = parser.parse_args()
    if not os.access(options.quintet, os.X_OK) or not os.path.isfile(options.quintet):
        parser.error(f"{options.quintet} is no program; name the quintet that was built")
    unknown = [mode for mode in options.modes.split(",") if mode and mode not in MODES[options.executor]]
    if unknown:
        parser.error(f"unknown mode {unknown[0]!r}; the {options.executor} executor has {', '.join(MODES[options.executor])}")
    print("| scenario | record | mean step, us | ratio to off | median step, us | ratio to off | resident, MiB | grown, MiB | highest, MiB | spans |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for scenario, steps in options.scenarios:
        modes = options.modes.split(",") if options.modes else MODES[options.executor]
        measured = {mode: [] for mode in modes}
        for index in range(options.rounds):
            for mode in modes:
                path = os.path.join(options.out, f"{scenario}-{mode}-{index}.qtrace")
                measured[mode].append(run(options, scenario, steps, mode, path))
        for mode in modes:
            row = measured[mode]
            off = measured.get("off")
            cells = []
            for figure in (0, 1):
                cells.append(spread([r[figure] / 1e3 for r in row], 2))
                cells.append(spread([r[figure] / o[figure] for r, o in zip(row, off)], 4) if off else "unknown")
            cells += memory_cells(row)
            print(f"| {scenario} | {mode} | {' | '.join(cells)} | {row[0][2]:,} |", flush=True)
            found = sorted({finding for r in row for finding in r[3]})
            if found:
                print(f"<!-- findings: {found} -->", flush=True)


if __name__ == "__main__":
    main()
