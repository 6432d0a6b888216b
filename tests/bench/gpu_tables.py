#!/usr/bin/env python3
"""Prints Markdown tables of step times on a GPU, for runtime/README.md.

  cuda_step_bench --benchmark_out=steps.json
  tests/bench/gpu_tables.py policies steps.json --step whole_step --lowering fused
      one row per network and batch, one column per policy and place of gradients; without --step or --lowering
      one table for each that was measured
  tests/bench/gpu_tables.py pytorch steps.json --baseline pytorch.jsonl --step whole_step --lowering fused
      the same against another framework: lines {"net", "bs", "mode", "ms", "mn", "mx", "img_s"}, one per
      network, batch and mode

Several outputs of the benchmark may be given; of a case that was measured more than once the median counts.
Standard library only.
"""

import argparse
import collections
import json
import pathlib
import statistics
import sys

POLICIES = ("serial", "renaissance-as-published", "renaissance", "renaissance-dataflow")
GRADIENTS = ("in_place", "separate")
STEP_MODES = ("host_sync", "event_sync", "whole_step")
LOWERINGS = ("article", "fused")
NETWORKS = ("mlp", "resnet18", "resnet50", "vgg16-bn")

Case = collections.namedtuple("Case", "network batch policy gradients step lowering")
Row = collections.namedtuple("Row", "network batch")
Mapping = collections.namedtuple("Mapping", "policy gradients")


class Measured:
    """What one case gave: times in ms, or the text of its error."""

    def __init__(self):
        self.ms = []
        self.low = []
        self.high = []
        self.mebibytes = None
        self.error = None

    def add(self, entry):
        if entry.get("error_occurred"):
            self.error = entry.get("error_message", "failed")
            return
        self.ms.append(entry["step_us"] / 1e3)
        self.low.append(entry["p05"] / 1e3)
        self.high.append(entry["p95"] / 1e3)
        self.mebibytes = entry["device_MiB"]

    @property
    def median(self):
        return statistics.median(self.ms) if self.ms else None


def case_of(name):
    """step/resnet50/32/renaissance-dataflow/separate/whole_step/fused, and what Google Benchmark adds to it."""
    parts = name.split("/")
    if len(parts) < 7 or parts[0] != "step":
        return None
    return Case(parts[1], int(parts[2]), *parts[3:7])


def read_output(path):
    """Of a run that was ended early the cases that it had finished."""
    text = pathlib.Path(path).read_text()
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        end = text.rfind("\n    }")
        if end < 0:
            raise SystemExit(f"{path}: not the output of a benchmark (--benchmark_out)") from None
        print(f"{path}: the run was ended early", file=sys.stderr)
        return json.loads(text[:end] + "}]}")


def read_cases(paths):
    cases = collections.defaultdict(Measured)
    contexts = []
    for path in paths:
        output = read_output(path)
        contexts.append(output["context"])
        for entry in output["benchmarks"]:
            case = case_of(entry["name"])
            if case and entry.get("run_type", "iteration") == "iteration":
                cases[case].add(entry)
    if not cases:
        raise SystemExit(f"{', '.join(paths)}: no step/... case; is this the output of cuda_step_bench?")
    return cases, contexts


def read_baseline(path):
    """Lines that are no results (versions, failures) are told on standard error."""
    results = []
    for line in pathlib.Path(path).read_text().splitlines():
        if line.lstrip().startswith("{"):
            result = json.loads(line)
            result["net"] = result["net"].replace("_", "-")
            results.append(result)
        elif line.strip():
            print(f"{path}: not a result: {line}", file=sys.stderr)
    if not results:
        raise SystemExit(f"{path}: no line is a result")
    return results


def place_in(order, value):
    return (order.index(value), "") if value in order else (len(order), value)


def row_key(row):
    return place_in(NETWORKS, row.network), row.batch


def mapping_key(mapping):
    return GRADIENTS.index(mapping.gradients), place_in(POLICIES, mapping.policy)


def print_line(cells):
    print("| " + " | ".join(cells) + " |")


def print_head(cells):
    print_line(cells)
    print_line(["---"] * len(cells))


def number(value):
    """About four digits: less than the scatter hides."""
    digits = 4 if value < 1 else 3 if value < 10 else 2 if value < 100 else 1
    return f"{value:.{digits}f}"


def describe(contexts):
    lines = []
    for context in contexts:
        gpu = context.get("gpu", "unknown GPU")
        versions = ", ".join(
            f"{name} {context[key]}"
            for name, key in (("driver for CUDA", "cuda_driver"), ("runtime", "cuda_runtime"), ("cuDNN", "cudnn"),
                              ("cuBLASLt", "cublaslt")) if key in context)
        lines.append(f"{gpu}{', ' if versions else ''}{versions}, {context.get('date', 'unknown date')[:10]}.")
    for line in dict.fromkeys(lines):
        print(line)
    print()


class Table:
    """The cases of one step mode and one lowering."""

    def __init__(self, cases, step, lowering, policies):
        self.cases = {
            (Row(case.network, case.batch), Mapping(case.policy, case.gradients)): measured
            for case, measured in cases.items()
            if case.step == step and case.lowering == lowering and (not policies or case.policy in policies)
        }
        self.rows = sorted({row for row, _ in self.cases}, key=row_key)
        self.mappings = sorted({mapping for _, mapping in self.cases}, key=mapping_key)
        self.serial = {
            (Row(case.network, case.batch), case.gradients): measured
            for case, measured in cases.items()
            if case.policy == "serial" and case.step == step and case.lowering == lowering
        }

    def get(self, row, mapping):
        return self.cases.get((row, mapping))

    def print_errors(self):
        errors = collections.defaultdict(list)
        for (row, mapping), measured in self.cases.items():
            if measured.error:
                errors[measured.error].append(f"{row.network} {row.batch} {mapping.policy} {mapping.gradients}")
        for error, places in sorted(errors.items()):
            print(f"\n`failed`, {', '.join(sorted(places))}: {error}")


def policy_cell(table, row, mapping):
    measured = table.get(row, mapping)
    if measured is None:
        return "-"
    if measured.median is None:
        return "failed"
    serial = table.serial.get((row, mapping.gradients))
    ratio = f"{measured.median / serial.median:.3f}" if serial and serial.median else "-"
    return f"{number(measured.median)} ({ratio}), {measured.mebibytes:.0f}"


def print_policies(table, step, lowering):
    print(f"`{step}`, lowering `{lowering}`: median step in ms (ratio to `serial` with the same gradients), device "
          "memory in MiB.\n")
    print_head(["network", "batch"] + [f"`{mapping.policy}`, {mapping.gradients}" for mapping in table.mappings])
    for row in table.rows:
        print_line([row.network, str(row.batch)] + [policy_cell(table, row, mapping) for mapping in table.mappings])
    table.print_errors()
    print()


def pytorch_cell(table, row, mapping, theirs):
    measured = table.get(row, mapping)
    if measured is None:
        return "-"
    if measured.median is None:
        return "failed"
    return (f"{number(measured.median)} ({number(min(measured.low))} to {number(max(measured.high))}), "
            f"{measured.median / theirs:.3f}")


def print_pytorch(table, step, lowering, baseline):
    print(f"`{step}`, lowering `{lowering}`. PyTorch: median of averages in ms (least to most); ours: median step "
          "in ms (5 to 95 %), ratio ours / PyTorch.\n")
    print_head(["network", "batch", "PyTorch mode", "PyTorch"] +
               [f"`{mapping.policy}`, {mapping.gradients}" for mapping in table.mappings])
    for result in sorted(baseline, key=lambda result: row_key(Row(result["net"], result["bs"]))):
        row = Row(result["net"], result["bs"])
        if row not in table.rows:
            print(f"{row.network} {row.batch} {result['mode']}: no case of ours", file=sys.stderr)
            continue
        theirs = f"{number(result['ms'])} ({number(result['mn'])} to {number(result['mx'])})"
        print_line([row.network, str(row.batch), result["mode"], theirs] +
                   [pytorch_cell(table, row, mapping, result["ms"]) for mapping in table.mappings])
    table.print_errors()
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=("policies", "pytorch"))
    parser.add_argument("outputs", nargs="+", metavar="output", help="what cuda_step_bench wrote")
    parser.add_argument("--baseline", help="JSON lines of the other framework")
    parser.add_argument("--step", choices=STEP_MODES)
    parser.add_argument("--lowering", choices=LOWERINGS)
    parser.add_argument("--policy", action="append", choices=POLICIES, help="only this one; may be repeated")
    chosen = parser.parse_args()
    if (chosen.table == "pytorch") != (chosen.baseline is not None):
        parser.error("--baseline goes with the table pytorch")
    cases, contexts = read_cases(chosen.outputs)
    baseline = read_baseline(chosen.baseline) if chosen.baseline else None
    describe(contexts)
    for lowering in [chosen.lowering] if chosen.lowering else LOWERINGS:
        for step in [chosen.step] if chosen.step else STEP_MODES:
            table = Table(cases, step, lowering, chosen.policy)
            if not table.cases:
                continue
            if baseline:
                print_pytorch(table, step, lowering, baseline)
            else:
                print_policies(table, step, lowering)


if __name__ == "__main__":
    main()
