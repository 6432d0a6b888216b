// Which call launched what, where ids are used again; launches without their work, work out of order.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

#include "tests/profiler/import/import_fixture.h"

namespace quintet {
namespace {

using ::testing::ElementsAre;

std::string node_event(std::string_view name, std::string_view ts, int correlation, int node,
                       std::string_view tid = "7") {
  return event("kernel", name, ts, "10", "0", tid,
               fmt::format("\"args\": {{\"device\": 0, \"stream\": {}, \"correlation\": {}, "
                           "\"graph id\": 5, \"graph node id\": {}}}",
                           tid, correlation, node));
}

/// Names of the spans that have the correlation of the n-th call, in order.
std::vector<std::string> launched_by(const Trace& trace, std::size_t call) {
  std::vector<std::string> names;
  std::size_t seen = 0;
  std::uint32_t correlation = 0;
  for (std::size_t span = 0; span < trace.spans.size(); ++span) {
    const bool is_call =
        trace.activities[trace.spans.activity[span]].kind == ActivityKind::api_call;
    if (is_call && seen++ == call) correlation = trace.spans.correlation[span];
  }
  for (std::size_t span = 0; span < trace.spans.size(); ++span) {
    if (trace.activities[trace.spans.activity[span]].kind == ActivityKind::kernel &&
        trace.spans.correlation[span] == correlation)
      names.push_back(trace.tasks[trace.spans.task[span]].name);
  }
  return names;
}

class LaunchJoin : public ImportTest {};

TEST_F(LaunchJoin, GivesWorkToTheLatestLaunchBeforeItWithItsCorrelation) {
  const Trace trace = import(
      document({call_event("cudaGraphLaunch", "1000", "10", 10),
                call_event("cudaGraphLaunch", "5000", "10", 10), node_event("a", "1100", 10, 1),
                node_event("b", "5100", 10, 1), node_event("c", "5200", 10, 2)}));
  EXPECT_THAT(launched_by(trace, 0), ElementsAre("a"));
  EXPECT_THAT(launched_by(trace, 1), ElementsAre("b", "c"));
}

TEST_F(LaunchJoin, JoinsTheSameInAnyOrderOfTheFile) {
  const Trace trace = import(
      document({node_event("c", "5200", 10, 2), call_event("cudaLaunchKernel", "5000", "10", 10),
                node_event("a", "1100", 10, 1), node_event("b", "5100", 10, 1),
                call_event("cudaLaunchKernel", "9000", "10", 10), node_event("d", "9100", 10, 1),
                call_event("cudaLaunchKernel", "1000", "10", 10)}));
  EXPECT_THAT(launched_by(trace, 0), ElementsAre("a"));
  EXPECT_THAT(launched_by(trace, 1), ElementsAre("b", "c"));
  EXPECT_THAT(launched_by(trace, 2), ElementsAre("d"));
  const std::set<std::uint32_t> ids(trace.spans.correlation.begin(), trace.spans.correlation.end());
  EXPECT_EQ(ids.size(), 3U) << "ids are unique in the trace";
}

TEST_F(LaunchJoin, KeepsAnIdThatIsUsedAgainApartFromTheIdsBehindIt) {
  std::vector<std::string> events;
  for (int round = 0; round < 3; ++round) {
    for (int id = 1; id <= 4; ++id) {
      const int at = round * 1000 + id * 100;
      events.push_back(call_event("cudaLaunchKernel", std::to_string(at), "5", id));
      events.push_back(
          kernel_event(fmt::format("k{}_{}", round, id), std::to_string(at + 20), "10", id));
    }
  }
  const Trace trace = import(document(events));
  for (std::size_t call = 0; call < 12; ++call)
    EXPECT_THAT(launched_by(trace, call),
                ElementsAre(fmt::format("k{}_{}", call / 4, call % 4 + 1)));
}

TEST_F(LaunchJoin, TakesADriverCallInsideARuntimeCallAsOneLaunch) {
  const Trace trace = import(document({call_event("cudaLaunchKernel", "100", "20", 3),
                                       event("cuda_driver", "cuLaunchKernel", "105", "10", "474",
                                             "500", R"("args": {"correlation": 3})"),
                                       kernel_event("k", "130", "10", 3)}));
  EXPECT_THAT(trace.spans.correlation, ElementsAre(3, 3, 3));
}

TEST_F(LaunchJoin, GivesWorkBeforeAllItsLaunchesToTheFirstOne) {
  const Trace trace = import(document({call_event("cudaLaunchKernel", "100", "20", 3),
                                       call_event("cudaLaunchKernel", "500", "20", 3),
                                       kernel_event("k", "99.5", "10", 3)}));
  EXPECT_THAT(launched_by(trace, 0), ElementsAre("k"));
  EXPECT_EQ(counted(trace, "negative_launch_latency"), 1);
}

TEST_F(LaunchJoin, ReportsLaunchesOfAGraphWithFewerNodesThanAnother) {
  std::vector<std::string> events;
  for (int launch = 0; launch < 4; ++launch) {
    const int at = 1000 * (launch + 1);
    events.push_back(call_event("cudaGraphLaunch", std::to_string(at), "5", launch + 1));
    for (int node = 1; node <= (launch == 2 ? 2 : 3); ++node)
      events.push_back(node_event("k", std::to_string(at + 20 * node), launch + 1, node));
  }
  EXPECT_EQ(counted(import(document(events)), "fewer_graph_nodes"), 1);
  // A graph that grows has lost nothing.
  events.push_back(call_event("cudaGraphLaunch", "7000", "5", 7));
  for (int node = 1; node <= 5; ++node)
    events.push_back(node_event("k", std::to_string(7000 + 20 * node), 7, node));
  EXPECT_EQ(counted(import(document(events)), "fewer_graph_nodes"), 1);
  // Another graph has nodes of its own.
  events.push_back(call_event("cudaGraphLaunch", "9000", "5", 9));
  events.push_back(node_event("small", "9020", 9, 77));
  EXPECT_EQ(counted(import(document(events)), "fewer_graph_nodes"), 1);
}

TEST_F(LaunchJoin, CountsANodeThatALoopRepeatsOnce) {
  std::vector<std::string> events;
  for (int launch = 0; launch < 2; ++launch) {
    const int at = 1000 * (launch + 1);
    events.push_back(call_event("cudaGraphLaunch", std::to_string(at), "5", launch + 1));
    for (int turn = 0; turn < 3 + launch; ++turn)
      events.push_back(node_event("body", std::to_string(at + 20 * (turn + 1)), launch + 1, 4));
  }
  EXPECT_EQ(counted(import(document(events)), "fewer_graph_nodes"), 0);
}

TEST_F(LaunchJoin, ReportsWorkThatEndsBehindItsSuccessors) {
  const auto overruns = [this](std::vector<std::string> events) {
    return counted(import(document(events)), "overrunning_work");
  };
  const std::string two = kernel_event("b", "200", "10");
  const std::string three = kernel_event("c", "300", "10");
  EXPECT_EQ(overruns({kernel_event("a", "100", "50"), two, three}), 0);
  EXPECT_EQ(overruns({kernel_event("a", "100", "105"), two, three}), 0)
      << "a dependent launch may begin early";
  EXPECT_EQ(overruns({kernel_event("a", "100", "150"), two, three}), 1);
  EXPECT_EQ(overruns({kernel_event("a", "100", "9000"), two, three}), 1);
  const std::string elsewhere =
      event("kernel", "d", "200", "10", "0", "8", R"("args": {"stream": 8})");
  EXPECT_EQ(overruns({kernel_event("a", "100", "9000"), elsewhere}), 0);
}

TEST_F(LaunchJoin, ReportsLaunchesWhoseWorkIsMissing) {
  std::vector<std::string> events;
  for (int id = 1; id <= 6; ++id) {
    events.push_back(call_event("cudaLaunchKernel", std::to_string(id * 100), "5", id));
    if (id < 3 || id == 6)
      events.push_back(kernel_event("k", std::to_string(id * 100 + 20), "10", id));
  }
  const Trace trace = import(document(events));
  ASSERT_TRUE(finding(trace, "launched_work_missing"));
  EXPECT_EQ(counted(trace, "launched_work_missing"), 3);
  EXPECT_EQ(finding(trace, "launched_work_missing")->severity, Severity::data_loss);
}

TEST_F(LaunchJoin, ReportsCopiesThatAreMissingBesideOthers) {
  const auto missing = [this](const std::vector<int>& copied) {
    std::vector<std::string> events;
    for (int id = 1; id <= 5; ++id)
      events.push_back(call_event("cudaMemcpyAsync", std::to_string(id * 100), "5", id));
    for (const int id : copied) {
      events.push_back(event("gpu_memcpy", "Memcpy HtoD", std::to_string(id * 100 + 20), "10", "0",
                             "7",
                             fmt::format(R"("args": {{"stream": 7, "correlation": {}}})", id)));
    }
    events.push_back(kernel_event("k", "900", "10"));
    return counted(import(document(events)), "launched_work_missing");
  };
  EXPECT_EQ(missing({1, 2, 3, 4, 5}), 0);
  EXPECT_EQ(missing({1, 2, 5}), 2);
  EXPECT_EQ(missing({}), 0) << "copies between places of the host";
}

TEST_F(LaunchJoin, DoesNotMissWhatWasCapturedOrCalledBackOnTheHost) {
  const Trace trace = import(
      document({call_event("cudaStreamBeginCapture_v10000", "100", "5", 1),
                call_event("cudaLaunchKernel", "110", "5", 2),
                call_event("cudaStreamEndCapture", "120", "5", 3),
                call_event("cudaLaunchHostFunc", "130", "5", 4),
                call_event("cudaLaunchKernel", "140", "5", 5), kernel_event("k", "150", "10", 5)}));
  EXPECT_EQ(counted(trace, "launched_work_missing"), 0);
}

TEST_F(LaunchJoin, ReportsRangesOfAThreadThatCross) {
  const auto crossing = [this](const std::vector<std::string>& events) {
    return counted(import(document(events)), "crossing_ranges");
  };
  const auto op = [](std::string_view name, std::string_view ts, std::string_view dur,
                     std::string_view tid = "1") {
    return event("cpu_op", name, ts, dur, "5", tid);
  };
  EXPECT_EQ(crossing({op("a", "0.5", "10"), op("b", "5", "10")}), 1);
  EXPECT_EQ(crossing({op("a", "0.5", "10"), op("b", "5", "10"), op("c", "7", "20")}), 2);
  EXPECT_EQ(crossing({op("a", "0.5", "10"), op("b", "5", "10", "2")}), 0) << "another thread";
  EXPECT_EQ(crossing({op("a", "0.5", "10"), op("b", "5", "5.5")}), 0) << "they end together";
  EXPECT_EQ(crossing({op("a", "0.5", "10"), op("b", "10.5", "5")}), 0) << "one follows the other";
  EXPECT_EQ(crossing({op("a", "0.5", "10"), op("b", "0.5", "20")}), 0) << "one holds the other";
  EXPECT_EQ(crossing({op("a", "0.5", "10"), call_event("cudaLaunchKernel", "5", "10", 0)}), 0)
      << "clocks skew calls against ops";
  EXPECT_EQ(crossing({event("gpu_user_annotation", "a", "1", "10", "0", "7"),
                      event("gpu_user_annotation", "b", "5", "10", "0", "7")}),
            0)
      << "a stream";
}

TEST_F(LaunchJoin, TakesAnEndOfACaptureWithoutABeginAsCaptureFromTheStart) {
  const Trace trace = import(
      document({call_event("cudaLaunchKernel", "110", "5", 2),
                call_event("cudaStreamEndCapture", "120", "5", 3),
                call_event("cudaLaunchKernel", "140", "5", 5),
                call_event("cudaLaunchKernel", "160", "5", 6), kernel_event("k", "150", "10", 5)}));
  EXPECT_EQ(counted(trace, "launched_work_missing"), 1);
}

}  // namespace
}  // namespace quintet
