// Two traces that PyTorch wrote on an H200 must give exactly the numbers that exact decimals give.

#include <algorithm>
#include <array>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "profiler/import/import.h"

namespace quintet {
namespace {

using Intervals = std::vector<std::pair<std::int64_t, std::int64_t>>;

Imported import_file(const std::string& name) {
  Result<Imported> imported =
      import_trace(std::string(QUINTET_SOURCE_DIR) + "/tests/profiler/import/data/" + name);
  EXPECT_TRUE(imported) << to_string(imported.error());
  return imported ? std::move(*imported) : Imported();
}

ActivityKind kind_of(const Trace& trace, std::size_t span) {
  return trace.activities[trace.spans.activity[span]].kind;
}

Intervals intervals_of(const Trace& trace, const std::set<ActivityKind>& kinds) {
  Intervals intervals;
  for (std::size_t span = 0; span < trace.spans.size(); ++span) {
    if (kinds.contains(kind_of(trace, span)))
      intervals.emplace_back(trace.spans.begin_ns[span], trace.spans.end_ns[span]);
  }
  return intervals;
}

Intervals work_of(const Trace& trace) {
  return intervals_of(trace, {ActivityKind::kernel, ActivityKind::memcpy, ActivityKind::memset});
}

/// Length of the union; the intervals come in order of begin.
std::int64_t busy_ns(const Intervals& intervals) {
  std::int64_t busy = 0;
  std::int64_t until = INT64_MIN;
  for (const auto& [begin, end] : intervals) {
    busy += std::max<std::int64_t>(0, end - std::max(begin, until));
    until = std::max(until, end);
  }
  return busy;
}

Intervals joined(Intervals a, const Intervals& b) {
  a.insert(a.end(), b.begin(), b.end());
  std::sort(a.begin(), a.end());
  return a;
}

struct DeviceNumbers {
  std::array<std::size_t, 3> counts;  ///< kernels, copies, fills
  std::set<std::string> streams;
  std::int64_t first = 0;
  std::int64_t span = 0;
  std::int64_t busy = 0;
  std::int64_t sum = 0;
  int most_at_once = 0;
};

DeviceNumbers numbers_of(const Trace& trace) {
  DeviceNumbers numbers;
  numbers.counts = {intervals_of(trace, {ActivityKind::kernel}).size(),
                    intervals_of(trace, {ActivityKind::memcpy}).size(),
                    intervals_of(trace, {ActivityKind::memset}).size()};
  for (std::size_t span = 0; span < trace.spans.size(); ++span) {
    const Lane& lane = trace.lanes[trace.spans.lane[span]];
    if (runs_on_device(kind_of(trace, span))) {
      EXPECT_EQ(lane.kind, LaneKind::stream);
      numbers.streams.insert(lane.name);
    } else {
      EXPECT_EQ(lane.kind, LaneKind::host) << lane.name << " would count as device time";
    }
  }
  const Intervals work = work_of(trace);
  std::vector<std::pair<std::int64_t, int>> changes;
  std::int64_t last = 0;
  for (const auto& [begin, end] : work) {
    numbers.sum += end - begin;
    last = std::max(last, end);
    changes.emplace_back(begin, 1);
    changes.emplace_back(end, -1);
  }
  numbers.first = work.front().first;
  numbers.span = last - numbers.first;
  numbers.busy = busy_ns(work);
  std::sort(changes.begin(), changes.end());  // ends before begins: intervals are half-open
  int now = 0;
  for (const auto& [time, change] : changes)
    numbers.most_at_once = std::max(numbers.most_at_once, now += change);
  return numbers;
}

TEST(KinetoFiles, GiveTheNumbersOfAGraphCapturedOnThreeStreams) {
  const Imported imported = import_file("kineto_branches_graph.json.gz");
  const DeviceNumbers numbers = numbers_of(imported.trace);
  EXPECT_EQ(numbers.counts, (std::array<std::size_t, 3>{600, 0, 0}));
  EXPECT_EQ(numbers.streams,
            (std::set<std::string>{"GPU 0 stream 7", "GPU 0 stream 175", "GPU 0 stream 176"}));
  EXPECT_EQ(numbers.first, 1795980994730855993);
  EXPECT_EQ(numbers.span, 1189530);
  EXPECT_EQ(numbers.busy, 900320);
  EXPECT_EQ(numbers.sum, 1541352);
  EXPECT_EQ(numbers.most_at_once, 3);
}

TEST(KinetoFiles, GiveTheNumbersOfTwoTrainingStepsWithUploadsBeside) {
  const Imported imported = import_file("kineto_resnet18_eager_h2d.json.gz");
  const DeviceNumbers numbers = numbers_of(imported.trace);
  EXPECT_EQ(numbers.counts, (std::array<std::size_t, 3>{516, 4, 138}));
  EXPECT_EQ(numbers.streams, (std::set<std::string>{"GPU 0 stream 7", "GPU 0 stream 53"}));
  EXPECT_EQ(numbers.first, 1795980990720624514);
  EXPECT_EQ(numbers.span, 40179902);
  EXPECT_EQ(numbers.busy, 10035843);
  EXPECT_EQ(numbers.sum, 10146114);
  EXPECT_EQ(numbers.most_at_once, 2);
  const Intervals copies = intervals_of(imported.trace, {ActivityKind::memcpy});
  const Intervals kernels = intervals_of(imported.trace, {ActivityKind::kernel});
  EXPECT_EQ(busy_ns(copies), 1450494);
  EXPECT_EQ(busy_ns(copies) + busy_ns(kernels) - busy_ns(joined(copies, kernels)), 44062);
}

TEST(KinetoFiles, AreReadWithoutLossAndSayWhereTheyCameFrom) {
  const Imported imported = import_file("kineto_resnet18_eager_h2d.json.gz");
  ASSERT_EQ(imported.report.files.size(), 1U);
  const ImportedFile& file = imported.report.files[0];
  EXPECT_EQ(file.skipped_events, 0);
  EXPECT_EQ(file.text_bytes, 1774090U);
  EXPECT_EQ(file.bytes, 124604U);
  EXPECT_FALSE(file.truncated_at);
  std::map<std::string, std::int64_t> read;
  for (const ImportedCategory& category : file.categories)
    read[category.name] = category.read;
  EXPECT_EQ(read, (std::map<std::string, std::int64_t>{{"Trace", 1},
                                                       {"cpu_op", 2544},
                                                       {"cuda_driver", 6},
                                                       {"cuda_runtime", 1648},
                                                       {"flow", 2700},
                                                       {"gpu_memcpy", 4},
                                                       {"gpu_memset", 138},
                                                       {"gpu_user_annotation", 6},
                                                       {"instant", 2},
                                                       {"kernel", 516},
                                                       {"metadata", 62},
                                                       {"overhead", 2},
                                                       {"user_annotation", 6}}));
  EXPECT_EQ(file.drawn(), 4871);
  EXPECT_EQ(imported.report.spans, 4871);
  const Provenance& provenance = imported.trace.provenance;
  EXPECT_EQ(provenance.at("executor"), "imported");
  EXPECT_EQ(provenance.at("source_format"), "chrome_json");
  EXPECT_EQ(provenance.at("gpu"), "NVIDIA H200");
  EXPECT_EQ(provenance.at("multiprocessors"), "132");
  EXPECT_EQ(provenance.at("graph_node_ids"), "unknown");
  EXPECT_EQ(provenance.at("clock_realtime_offset_ns"), "0");
}

TEST(KinetoFiles, JoinEveryKernelOfAGraphWithItsLaunch) {
  const Trace trace = import_file("kineto_branches_graph.json.gz").trace;
  std::map<std::uint32_t, int> kernels;
  std::map<std::uint32_t, std::string> calls;
  for (std::size_t span = 0; span < trace.spans.size(); ++span) {
    const std::uint32_t correlation = trace.spans.correlation[span];
    if (kind_of(trace, span) == ActivityKind::kernel) ++kernels[correlation];
    if (kind_of(trace, span) == ActivityKind::api_call)
      calls[correlation] = trace.tasks[trace.spans.task[span]].name;
  }
  ASSERT_EQ(kernels.size(), 5U);
  for (const auto& [correlation, count] : kernels) {
    EXPECT_EQ(count, 120);
    EXPECT_EQ(calls[correlation], "cudaGraphLaunch");
  }
}

}  // namespace
}  // namespace quintet
