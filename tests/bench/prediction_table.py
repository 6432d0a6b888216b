#!/usr/bin/env python3
"""Holds predicted step times against measured ones and prints the table of errors, misses included.

  prediction_table.py QUINTET RECORDINGS STEPS.json... [--policies FOLDER] [--worst N]

QUINTET is the built command. RECORDINGS is a folder with one recording on one stream in whole steps for
each network and batch, NETWORK-bBATCH-serial-whole_step.qtrace.gz. STEPS.json are outputs of
cuda_step_bench; of a case that was measured more than once the median counts. FOLDER is what that
benchmark took as QUINTET_POLICIES. Each measured case of a network with a recording is predicted from
that recording with `quintet whatif`. The recording's own case is measured beside the others: predictions
are multiplied by measured / recorded of it, so that a card that runs slower than on the day of the
recording does not count. Standard library only.
"""

import argparse
import collections
import json
import pathlib
import statistics
import subprocess
import sys

Case = collections.namedtuple("Case", "network batch policy gradients step")
MODES = ("whole_step", "event_sync", "host_sync")


def load(files):
    """Median step and spread (5 to 95 %) in us by case, fused lowering alone."""
    found = collections.defaultdict(list)
    for file in files:
        for row in json.loads(file.read_text())["benchmarks"]:
            parts = row["name"].split("/")
            if row.get("error_occurred") or "step_us" not in row or parts[6] != "fused":
                continue
            case = Case(parts[1], int(parts[2]), *parts[3:6])
            found[case].append((row["step_us"], row["p05"], row["p95"]))
    return {case: tuple(statistics.median(column) for column in zip(*rows))
            for case, rows in found.items()}


def recording_of(folder, case):
    for network in (case.network, case.network.replace("-", "")):
        file = folder / f"{network}-b{case.batch}-serial-whole_step.qtrace.gz"
        if file.exists():
            return file
    return None


def policy_file(policies, case):
    """The case's policy in the folder of policies; None = a built-in one."""
    if policies is None:
        return None
    own = policies / f"{case.network}-b{case.batch}" / f"{case.policy}.toml"
    return own if own.exists() else None


def predict(quintet, recording, case, policies):
    """Predicted and recorded step in us."""
    policy = policy_file(policies, case) or case.policy
    words = [str(quintet), "whatif", str(recording), "--policy", str(policy), "--gradients", case.gradients,
             "--step", case.step, "--allow-races", "--json"]
    told = subprocess.run(words, capture_output=True, text=True)
    if told.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: {told.stderr.strip()[-300:]}")
    answer = json.loads(told.stdout)
    return answer["step_ns"] / 1e3, answer["recorded_step_ns"] / 1e3


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    result = [0.0] * len(values)
    at = 0
    while at < len(order):
        end = at
        while end + 1 < len(order) and values[order[end + 1]] == values[order[at]]:
            end += 1
        for place in order[at:end + 1]:
            result[place] = (at + end) / 2
        at = end + 1
    return result


def spearman(first, second):
    a, b = ranks(first), ranks(second)
    mean_a, mean_b = statistics.fmean(a), statistics.fmean(b)
    top = sum((x - mean_a) * (y - mean_b) for x, y in zip(a, b))
    bottom = (sum((x - mean_a) ** 2 for x in a) * sum((y - mean_b) ** 2 for y in b)) ** 0.5
    return top / bottom if bottom else float("nan")


def told_apart(rows):
    """Of the pairs whose spreads do not overlap: how many are predicted in the right order."""
    right = pairs = 0
    for i, (_, predicted_a, (_, low_a, high_a)) in enumerate(rows):
        for _, predicted_b, (_, low_b, high_b) in rows[i + 1:]:
            if high_a < low_b or high_b < low_a:
                pairs += 1
                right += (predicted_a < predicted_b) == (high_a < low_b)
    return right, pairs


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def summary(name, rows):
    errors = [abs(predicted / measured[0] - 1) for _, predicted, measured in rows]
    right, pairs = told_apart(rows)
    return (f"| {name} | {len(rows)} | {100 * statistics.median(errors):.2f} | {100 * quantile(errors, 0.9):.2f} | "
            f"{100 * max(errors):.2f} | {spearman([r[1] for r in rows], [r[2][0] for r in rows]):.3f} | {right} of {pairs} |")


def case_row(case, predicted, measured):
    step, low, high = measured
    return (f"| {case.network} {case.batch}, `{case.policy}`, {case.gradients}, `{case.step}` | {predicted / 1e3:.4f} | "
            f"{step / 1e3:.4f} ({low / 1e3:.4f} to {high / 1e3:.4f}) | {100 * (predicted / step - 1):+.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("quintet", type=pathlib.Path)
    parser.add_argument("recordings", type=pathlib.Path)
    parser.add_argument("steps", type=pathlib.Path, nargs="+")
    parser.add_argument("--policies", type=pathlib.Path)
    parser.add_argument("--worst", type=int, default=12, metavar="N", help="misses that are listed")
    parser.add_argument("--all", action="store_true", help="list every case, not the worst ones")
    options = parser.parse_args()
    measured = load(options.steps)
    rows, missing = [], set()
    for case in sorted(measured):
        recording = recording_of(options.recordings, case)
        base = measured.get(case._replace(policy="serial", gradients="in_place", step="whole_step"),
                            measured.get(case._replace(policy="serial", gradients="separate", step="whole_step")))
        if recording is None or base is None:
            missing.add((case.network, case.batch))
            continue
        if case.policy == "serial" and case.step == "whole_step" and case.gradients == "in_place":
            continue  # what was recorded itself
        predicted, recorded = predict(options.quintet, recording, case, options.policies)
        rows.append((case, predicted * base[0] / recorded, measured[case]))
    head = "| %s | cases | median error, %% | 90 %% of them | worst | Spearman | pairs told apart rightly |"
    rule = "| --- " * 7 + "|"
    print(head % "network, batch", rule, sep="\n")
    for key in sorted({row[0][:2] for row in rows}):
        print(summary(f"{key[0]}, {key[1]}", [row for row in rows if row[0][:2] == key]))
    print("\n" + head % "step mode", rule, sep="\n")
    for mode in MODES:
        some = [row for row in rows if row[0].step == mode]
        if some:
            print(summary(f"`{mode}`", some))
    conv = [row for row in rows if row[0].network != "mlp"]
    made = [row for row in rows if policy_file(options.policies, row[0]) is not None]
    for name, some in (("convolutional networks", conv), ("mappings made for this", made), ("all", rows)):
        if some:
            print(summary(name, some))
    if not options.all:
        rows.sort(key=lambda row: -abs(row[1] / row[2][0] - 1))
        rows = rows[:options.worst]
    print(f"\n| {'case' if options.all else 'the worst'} | predicted, ms | measured, ms (5 to 95 %) | error, % |",
          "| --- " * 4 + "|", sep="\n")
    for row in rows:
        print(case_row(*row))
    for network, batch in sorted(missing):
        print(f"not predicted: {network}, {batch}: no recording or no serial step beside it", file=sys.stderr)
    return 0 if rows else 1


if __name__ == "__main__":
    sys.exit(main())
