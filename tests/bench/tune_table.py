#!/usr/bin/env python3
"""Tunes every shipped recording and prints how the result stands to the known policies.

    tests/bench/tune_table.py build/host/bin/quintet [--candidates N] [RECORDING...]

One row a recording, all predicted from it: step in ms of the best of each policy over gradient and
step modes, of what the search found, of the lower bound. Fails where a known policy is better.
"""
import argparse
import json
import pathlib
import subprocess
import sys

POLICIES = ["serial", "renaissance", "renaissance-dataflow", "nimble", "opara", "critical-path", "heft", "ooo-wgrad"]


def tuned(quintet, recording, candidates, seed):
    words = [quintet, "tune", recording, "--candidates", str(candidates), "--seed", str(seed), "--json"]
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def best_of(known, policy):
    times = [row["step_ns"] for row in known if row["policy"] == policy and row["race_free"]]
    return min(times) if times else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("quintet")
    parser.add_argument("recordings", nargs="*", help="names without .qtrace.gz; all without any")
    parser.add_argument("--candidates", type=int, default=40000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_intermixed_args()
    folder = pathlib.Path(__file__).parents[2] / "scenarios" / "recorded"
    names = options.recordings or sorted(file.name.split(".")[0] for file in folder.glob("*.qtrace.gz"))
    print("| recording | recorded | " + " | ".join(f"`{policy}`" for policy in POLICIES) + " | found | gain | bound | found / bound |")
    print("| --- | " + " | ".join(["---"] * (len(POLICIES) + 5)) + " |")
    worse = []
    for name in names:
        result = tuned(options.quintet, str(folder / (name + ".qtrace.gz")), options.candidates, options.seed)
        known = [best_of(result["known"], policy) for policy in POLICIES]
        found = result["best"]["step_ns"]
        best = min(time for time in known if time)
        if found > best:
            worse.append(name)
        bound = result["lower_bound"]["ns"]
        row = [name, f"{result['recorded_step_ns'] / 1e6:.3f}"]
        row += [f"{time / 1e6:.3f}" if time else "races" for time in known]
        row += [f"{found / 1e6:.3f}", f"{100 * (1 - found / best):.2f} %", f"{bound / 1e6:.3f}", f"{found / bound:.3f}"]
        print("| " + " | ".join(row) + " |", flush=True)
    for name in worse:
        print(f"worse than a known policy: {name}", file=sys.stderr)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
