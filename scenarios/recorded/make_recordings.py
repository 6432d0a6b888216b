#!/usr/bin/env python3
"""Makes the recorded scenarios of this folder on a machine with a GPU. Standard library only.

    make_recordings.py QUINTET FOLDER PLANS [--only REGEX] [--tar FILE]

QUINTET is the built command, FOLDER takes the recordings, PLANS is a file of library plans (it is
copied, and its copy, with the plans that were added, goes into FOLDER). Each scenario trains on
resident input, untraced and then traced; a few typical steps are kept and compressed. The
recordings, and some of the smallest network under policies that fork a lot, then calibrate the
device, and all take the constants. Prints one line for each. A recording whose findings are errors or lost data (work of no task among them) is
removed and named; then, or when all together are too large, the exit status is 1.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

NETWORKS = (
    # name, scenario, batch where it is not the scenario's own
    ("mlp-b128", "generated-mlp-512", None),
    ("resnet50-b32", "generated-resnet50", None),
    ("resnet50-b8", "generated-resnet50", 8),
    ("resnet18-b256", "generated-resnet18", None),
    ("vgg16bn-b128", "generated-vgg16bn", None),
    ("resnet50-b256", "generated-resnet50", 256),
)
POLICIES = ("serial", "renaissance", "renaissance-dataflow")
STEP_MODES = ("whole_step", "event_sync")

# The command times steps without recording in runs of at least so many.
RUN_STEPS = 96
# `compare` needs 6 steps of a recording to say whether a difference is chance. At 24 its interval holds the
# truth as often as it says, and all recordings together stay below MOST_BYTES.
KEPT_STEPS = 24
MOST_BYTES = 8 << 20
# Of the first network also recorded for the constants alone: launches, waits and forks are most of its step.
CALIBRATION_RUNS = (
    ("serial", "host_sync"), ("renaissance-dataflow", "host_sync"),
    ("nimble", "whole_step"), ("nimble", "event_sync"), ("nimble", "host_sync"),
    ("critical-path", "whole_step"), ("critical-path", "event_sync"),
    ("two-streams", "whole_step"), ("two-streams", "event_sync"), ("two-streams", "host_sync"),
)


class Failure(Exception):
    """Why a recording is not kept."""


def command(arguments):
    """Runs a command; its standard output as JSON."""
    result = subprocess.run([str(word) for word in arguments], capture_output=True, text=True)
    if result.returncode != 0:
        raise Failure(f"exit status {result.returncode}: {result.stderr.strip()[-400:]}")
    return json.loads(result.stdout)


def run_words(options, scenario, batch, plans):
    """What each run of a network has in common."""
    words = [scenario, "--precision", "amp", "--lowering", "fused", "--resident-input", "--steps",
             RUN_STEPS, "--executor", options.executor, "--json"]
    if batch is not None:
        words += ["--batch", batch]
    if plans is not None:
        words += ["--plans", plans]
    return words


def record(options, words, policy, step, work):
    """Trains and records; the path of the whole recording."""
    recording = work / "whole.qtrace"
    own = pathlib.Path(__file__).parent / f"{policy}.toml"
    policy = own if own.exists() else policy
    verdict = command([options.quintet, "run", *words, "--policy", policy, "--step", step,
                       "--record", "node", "--out", recording])["verdict"]
    if verdict != "race-free":
        raise Failure(f"the proof says {verdict}")
    return recording


def trim(quintet, recording, kept):
    """Keeps a few steps; what the command says of them."""
    told = command([quintet, "trim", recording, "--steps", KEPT_STEPS, "--out", kept, "--json"])
    severe = [f for f in told["findings"] if f["severity"] in ("error", "data_loss")]
    if severe:
        raise Failure("; ".join(f"{f['severity']} {f['name']}: {f['message']}" for f in severe))
    if told["untraced_step_ns"] is None or told["traced_step_ns"] is None:
        raise Failure("its step time is not known untraced and traced")
    return told


def record_for_calibration(options, words, work):
    """More recordings of a network, which are not kept."""
    made = []
    for policy, step in CALIBRATION_RUNS:
        made.append(work / f"calibration-{policy}-{step}.qtrace")
        trim(options.quintet, record(options, words, policy, step, work), made[-1])
    return made


def calibrate(options, kept, more):
    """Gives the recordings the constants that explain their steps; a line about them."""
    told = command([options.quintet, "calibrate", "--json",
                    *(word for file in (*kept, *more) for word in ("--recordings", file)),
                    *(word for file in kept for word in ("--into", file))])
    errors = sorted(abs(run["error"]) for run in told["runs"])
    return (f"calibrated with {len(errors)} runs: median error "
            f"{100 * errors[len(errors) // 2]:.2f} %, worst {100 * errors[-1]:.2f} %")


def row(name, told, seconds):
    untraced, traced = told["untraced_step_ns"], told["traced_step_ns"]
    return (f"{name:<46} {untraced / 1e6:12.4f} {traced / 1e6:10.4f} {traced / untraced:6.3f} "
            f"{told['spans']:6} {told['bytes']:8} {seconds:5.1f}")


def make_all(options, folder, plans, work):
    """Every recording that is asked for: bytes by name, and what went wrong."""
    kept_files, more, failures = [], [], []
    print(f"{'recording':<46} {'untraced, ms':>12} {'traced, ms':>10} {'ratio':>6} "
          f"{'spans':>6} {'bytes':>8} {'s':>5}", flush=True)
    for network, scenario, batch in NETWORKS:
        words = run_words(options, scenario, batch, plans)
        for policy in POLICIES:
            for step in STEP_MODES:
                name = f"{network}-{policy}-{step}"
                if not re.search(options.only, name):
                    continue
                kept = folder / f"{name}.qtrace.gz"
                begin = time.monotonic()
                try:
                    whole = record(options, words, policy, step, work)
                    told = trim(options.quintet, whole, kept)
                    kept_files.append(kept)
                    print(row(name, told, time.monotonic() - begin), flush=True)
                except Failure as failure:
                    kept.unlink(missing_ok=True)
                    failures.append(f"{name}: {failure}")
                    print(failures[-1], file=sys.stderr, flush=True)
    try:
        if any(file.name.startswith(NETWORKS[0][0]) for file in kept_files):
            more = record_for_calibration(options, run_words(options, *NETWORKS[0][1:], plans), work)
        if kept_files:
            print(calibrate(options, kept_files, more), flush=True)
    except Failure as failure:
        failures.append(f"calibration: {failure}")
        print(failures[-1], file=sys.stderr, flush=True)
    sizes = {file.name: file.stat().st_size for file in kept_files}
    return sizes, failures


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("quintet", type=pathlib.Path, help="the built command")
    parser.add_argument("folder", type=pathlib.Path, help="where the recordings go")
    parser.add_argument("plans", type=pathlib.Path, nargs="?", help="library plans to begin with")
    parser.add_argument("--only", default="", metavar="REGEX", help="names that match, not all")
    parser.add_argument("--tar", type=pathlib.Path, metavar="FILE",
                        help="all of it in one file as well")
    parser.add_argument("--executor", default="cuda", help="host: to try this script out")
    return parser.parse_args()


def main():
    options = parse()
    for file in (options.quintet, options.plans):
        if file is not None and not file.is_file():
            print(f"{file}: no such file", file=sys.stderr)
            return 2
    options.quintet = options.quintet.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    plans = None
    if options.plans is not None:
        plans = options.folder / "plans.tsv"
        if options.plans.resolve() != plans.resolve():
            shutil.copyfile(options.plans, plans)
    with tempfile.TemporaryDirectory() as work:
        sizes, failures = make_all(options, options.folder, plans, pathlib.Path(work))
    total = sum(sizes.values())
    print(f"{len(sizes)} recordings, {total} bytes, {len(failures)} failed")
    if options.tar is not None:
        with tarfile.open(options.tar, "w") as tar:
            for file in sorted(options.folder.iterdir()):
                tar.add(file, arcname=file.name)
    if total > MOST_BYTES:
        failures.append(f"{total} bytes are more than {MOST_BYTES}")
        print(failures[-1], file=sys.stderr)
    return 1 if failures or not sizes else 0


if __name__ == "__main__":
    sys.exit(main())
