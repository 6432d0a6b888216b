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


def refuse(message):
    print(f"pair_gains: {message}", file=sys.stderr)
    sys.exit(2)


def load(path):
    """Gains in us of each pair, both orders, and the time of the shorter task."""
    gains = collections.defaultdict(list)
    shorter = {}
    try:
        with open(path, encoding="utf-8") as file:
            for line, row in enumerate(csv.DictReader(file, delimiter="\t"), start=2):
                try:
                    first, second, both = (float(row[key]) for key in ("first_us", "second_us", "both_us"))
                    pair = tuple(sorted((row["first"], row["second"])))
                except (KeyError, TypeError, ValueError):
                    refuse(f"{path}:{line}: is no pair; name a file that task_pairs wrote, whole")
                gains[pair].append(first + second - both)
                shorter[pair] = min(first, second)
    except OSError as error:
        refuse(f"{path}: {error.strerror}; name a file that task_pairs wrote")
    if not gains:
        refuse(f"{path}: holds no pair; name a file that task_pairs wrote")
    return gains, shorter


def parts_of(word):
    """NAME, path and step time of NAME=PAIRS.tsv=STEP_US."""
    try:
        name, path, step_us = word.rsplit("=", 2)
        if float(step_us) > 0:
            return name, path, float(step_us)
    except ValueError:
        pass
    return refuse(f"'{word}' is not NAME=PAIRS.tsv=STEP_US")


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
    networks = [(name, step_us, *load(path)) for name, path, step_us in map(parts_of, sys.argv[1:])]
    print("| network, batch | pairs | tasks in them | gain of the pairs taken, us | of the step |")
    print("| --- | --- | --- | --- | --- |")
    tables = []
    for name, step_us, gains, shorter in networks:
        total = sum(max(gains[pair]) for pair in taken(gains))
        tasks = {task for pair in gains for task in pair}
        print(f"| {name} | {len(gains)} | {len(tasks)} | {total:.0f} | {100 * total / step_us:.2f} % |")
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
