/// A shipped recording open in a workbench with all the parts that tuning needs.
#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <utility>

#include "profiler/trace/trace_reader.h"
#include "tests/viewer/model/part_bench.h"
#include "viewer/model/mapping/mapping_keeper.h"
#include "viewer/model/tuning/tune_keeper.h"

namespace quintet::viewer::test {

inline Trace recorded(const std::string& name) {
  auto trace = read_trace(QUINTET_SOURCE_DIR "/scenarios/recorded/" + name + ".qtrace.gz");
  if (trace) return std::move(*trace);
  ADD_FAILURE() << to_string(trace.error());
  return {};
}

/// One thread. The recording is a compressed one, so no draft of it is kept.
class TunedWorld {
 public:
  TunedWorld() {
    auto mapping = std::make_unique<MappingKeeper>("");
    mapping_ = mapping.get();
    bench_.parts().add(std::move(mapping));
    bench_.workbench().tuning.candidates = 2'000;
  }

  void open(const std::string& name = "mlp-b128-serial-whole_step") {
    bench_.open(recorded(name), Side::a, name + ".qtrace.gz");
    settle();
  }
  /// Runs what commands emitted, and waits for jobs.
  void settle() {
    for (int frame = 0; frame < 8; ++frame) {
      bench_.frame();
      for (Command& command : bench_.commands().take())
        bench_.send(command.id, std::move(command.argument));
    }
  }
  void tune() {
    bench_.send(command_id::kTune);
    settle();
  }

  PartBench<TuneKeeper>& bench() { return bench_; }
  [[nodiscard]] const TuneKeeper& keeper() { return bench_.part(); }
  [[nodiscard]] const MappingKeeper& mapping() const { return *mapping_; }
  [[nodiscard]] const Tuning& tuning() { return *bench_.part().tuning(); }

 private:
  PartBench<TuneKeeper> bench_;
  MappingKeeper* mapping_ = nullptr;
};

}  // namespace quintet::viewer::test
