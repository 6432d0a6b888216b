#!/usr/bin/env python3
"""What running tasks in pairs could take off a step, from the pairs that task_pairs wrote.

    pair_gains.py NAME=PAIRS.tsv=STEP_US...

Each task is used once: pairs are taken from the largest gain down, in their better order, and those that
gain nothing are left. Prints a Markdown row for each network, and one for each two kinds of tasks with the
median, worst and best gain in % of the shorter task. Standard library only.
"""

import collections
import csv
import statistics
import sys


def kind(task):
    return "/".join(task.split("/")[-2:])


def load(path):
    """Gains in us of each pair, both orders, and the time of the shorter task."""
    gains = collections.defaultdict(list)
    shorter = {}
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            first, second, both = (float(row[key]) for key in ("first_us", "second_us", "both_us"))
            pair = tuple(sorted((row["first"], row["second"])))
            gains[pair].append(first + second - both)
            shorter[pair] = min(first, second)
    return gains, shorter


def taken(gains):
    """The pairs of a greedy choice."""
    used, chosen = set(), []
    for pair in sorted(gains, key=lambda pair: -max(gains[pair])):
        if max(gains[pair]) > 0 and not used & set(pair):
            used |= set(pair)
            chosen.append(pair)
    return chosen


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    print("| network, batch | pairs | tasks in them | gain of the pairs taken, us | of the step |")
    print("| --- | --- | --- | --- | --- |")
    tables = []
    for word in sys.argv[1:]:
        name, path, step_us = word.split("=")
        gains, shorter = load(path)
        total = sum(max(gains[pair]) for pair in taken(gains))
        tasks = {task for pair in gains for task in pair}
        print(f"| {name} | {len(gains)} | {len(tasks)} | {total:.0f} | {100 * total / float(step_us):.2f} % |")
        kinds = collections.defaultdict(list)
        for pair, both in gains.items():
            kinds[" + ".join(sorted(map(kind, pair)))] += [100 * gain / shorter[pair] for gain in both]
        tables.append((name, kinds))
    print("\n| network, batch | kinds | pairs | median gain, % of the shorter | worst | best |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, kinds in tables:
        for each, values in sorted(kinds.items()):
            if len(values) >= 6:
                print(f"| {name} | {each} | {len(values) // 2} | {statistics.median(values):.0f} | "
                      f"{min(values):.0f} | {max(values):.0f} |")


if __name__ == "__main__":
    main()
