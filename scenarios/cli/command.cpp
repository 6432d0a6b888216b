#include "scenarios/cli/command.h"

#include <array>

namespace quintet {

std::span<const CommandEntry> command_catalog() {
  static constexpr auto kCommands = std::to_array<CommandEntry>({
      {"devices", &add_devices, "List what this machine can run on",
       "  quintet devices\n"
       "  quintet devices --json"},
      {"scenarios", &add_scenarios, "List scenarios, policies and recorded scenarios",
       "  quintet scenarios\n"
       "  quintet scenarios --show fashion-lenet > mine.toml   # a file to start your own from\n"
       "  quintet scenarios --show renaissance > mine-policy.toml"},
      {"run", &add_run, "Train a scenario, record every task, report",
       "  quintet run fashion-lenet\n"
       "  quintet run fashion-lenet --policy serial --steps 100\n"
       "  quintet run fashion-lenet --policy mine-policy.toml --out mine.qtrace\n"
       "  quintet run fashion-mlp --json > run.json\n"
       "  quintet run recorded/resnet50-b32-serial-whole_step   # what a GPU did; nothing is run"},
      {"report", &add_report, "Show a recording: metrics, waits, timeline",
       "  quintet report run.qtrace\n"
       "  quintet report run.qtrace --html run.html\n"
       "  quintet report run.qtrace --serial serial.qtrace   # with the true gain over one stream\n"
       "  quintet report run.qtrace --json > run.json\n"
       "  quintet report run.qtrace --csv --table kernels > kernels.csv"},
      {"import", &add_import, "Turn a trace of another profiler into a recording",
       "  quintet import trace.pt.trace.json.gz && quintet report trace.qtrace\n"
       "  quintet import rank0.json rank1.json --out both.qtrace   # one file of each rank\n"
       "  quintet import profile.nsys-rep   # where Nsight Systems' nsys is installed\n"
       "  quintet import trace.json --json > import.json"},
      {"export", &add_export, "Write a recording for other programs",
       "  quintet export run.qtrace --format perfetto             # run.pftrace, for "
       "ui.perfetto.dev\n"
       "  quintet export run.qtrace --out run.trace.json          # as PyTorch's profiler writes "
       "it\n"
       "  quintet export run.qtrace --out run.svg --graph DEEP_FWD_BWD@train\n"
       "  quintet export run.qtrace --format chrome --steps 10..12 --out -\n"
       "  quintet export run.qtrace --format csv --out tables/    # a file for each table\n"
       "  quintet export run.qtrace --format sql                  # run.sqlite, one row a span"},
      {"compare", &add_compare, "Show what differs between two runs, and whether it is chance",
       "  quintet compare serial.qtrace run.qtrace\n"
       "  quintet compare before/ after/   # folders: each recording is a process\n"
       "  quintet compare serial.qtrace run.qtrace --html comparison.html\n"
       "  quintet compare before/ after/ --json > comparison.json"},
      {"check", &add_check, "Fail on a significant regression against a baseline",
       "  quintet check after/ --baseline before/\n"
       "  quintet check after/ --baseline before/ --max-regression 2%   # exit status 1 beyond\n"
       "  quintet check after/ --baseline before/ --markdown check.md --junit check.xml\n"
       "  quintet check new.qtrace --baseline before/ --accept other_machine --json"},
      {"history", &add_history, "Keep what runs measured, and show how it went",
       "  quintet history add run.qtrace   # with the commit of this folder\n"
       "  quintet history add out/ --commit 1a2b3c4 --db team.sqlite\n"
       "  quintet history list --scenario fashion-lenet\n"
       "  quintet history trend --scenario fashion-lenet --policy renaissance\n"
       "  quintet history trend --metric step/throughput --html trend.html"},
      {"verify", &add_verify, "Prove a stream mapping race-free, or name the races",
       "  quintet verify fashion-lenet\n"
       "  quintet verify fashion-lenet --policy mine-policy.toml   # exit status 1 on a race\n"
       "  quintet verify fashion-lenet --policy renaissance --step whole_step --json\n"
       "  quintet verify fashion-lenet --executor cuda   # proves what the GPU captured, too"},
      {"whatif", &add_whatif, "Predict a recorded run under another policy",
       "  quintet whatif recorded/resnet50-b32-serial-whole_step --policy renaissance-dataflow\n"
       "  quintet whatif run.qtrace --policy mine-policy.toml --out predicted.qtrace\n"
       "  quintet whatif run.qtrace --gradients separate --step whole_step --json"},
      {"tune", &add_tune, "Search for a faster policy, and tell how far it is from the bound",
       "  quintet tune recorded/resnet50-b8-serial-whole_step --seconds 10 --out tuned.toml\n"
       "  quintet tune run.qtrace --memory-limit 2048 --seed 7 --candidates 100000 --json\n"
       "  quintet tune fashion-lenet --steps 96 --measure 3 --out tuned.toml   # runs it here"},
      {"advise", &add_advise, "Rank single changes of a recorded run's policy by their gain",
       "  quintet advise recorded/resnet50-b8-renaissance-event_sync\n"
       "  quintet advise run.qtrace --most 3 --out better.toml\n"
       "  quintet advise run.qtrace --json > advice.json"},
      {"calibrate", &add_calibrate, "Fit the constants of predictions to short runs here",
       "  quintet calibrate generated-resnet50 --executor cuda --out calibrated.qtrace\n"
       "  quintet calibrate fashion-lenet --steps 96 --out lenet.qtrace && quintet whatif "
       "lenet.qtrace --policy renaissance"},
      {"trim", &add_trim, "Cut a few typical steps out of a recording",
       "  quintet trim run.qtrace --out small.qtrace.gz   # five timed steps, compressed\n"
       "  quintet trim run.qtrace --steps 20 --out short.qtrace --json"},
      {"view", &add_view, "Look at recordings in a window, and change their mapping",
       "  quintet view run.qtrace\n"
       "  quintet view recorded/resnet50-b32-serial-whole_step "
       "recorded/resnet50-b32-renaissance-dataflow-whole_step\n"
       "  quintet view run.qtrace --screenshot run.png   # a picture, without a display"},
      {"worker", &add_worker, "Serve a viewer: run what it asks for, tell it what happens",
       "  quintet view                      # starts a worker by itself, and speaks to it\n"
       "  ssh gpu-machine quintet worker    # what a viewer does to run on another machine\n"
       "A worker reads requests from standard input and writes frames of CBOR to standard\n"
       "output; profiler/wire/README.md says how. It ends when its input does."},
  });
  return kCommands;
}

}  // namespace quintet
