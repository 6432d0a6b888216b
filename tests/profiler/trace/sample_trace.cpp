#include "tests/profiler/trace/sample_trace.h"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <stdexcept>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace quintet {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kStepNs = 3'000'000;
constexpr std::int64_t kStartNs = 5'000'000'000;

TraceTask task(const std::string& name, std::optional<LaneId> lane) {
  TraceTask task;
  task.name = name;
  task.layer = "conv1";
  task.op_kind = "CONV_FP32_BWD";
  task.part = "dW";
  task.graph = "DEEP_FWD_BWD";
  task.shape = "train";
  task.representative = name.ends_with("dX");
  task.policy_lane = lane;
  task.placement_reason = "renaissance.toml:31: part dW -> COMP_1";
  task.covers = {name, name + "+RELU"};
  task.accesses = {{.region = RegionId(0), .offset = 64, .bytes = 128, .stride = 256, .count = 3},
                   {.region = RegionId(1),
                    .space = MemorySpace::host,
                    .device = 1,
                    .offset = 0,
                    .bytes = 1ULL << 40,
                    .mode = AccessMode::update,
                    .bound = AccessBound::upper,
                    .origin = AccessOrigin::audited}};
  task.workspace_bytes = 4096;
  task.flops = 1.5e9;
  task.bytes = 2.25e6;
  return task;
}

}  // namespace

Trace sample_plan() {
  Trace trace;
  trace.state = RecordingState::complete;
  trace.provenance = {{"scenario", "fashion-lenet"}, {"policy", "renaissance"}, {"cpu", "Zürich"}};
  trace.lanes = {{LaneId(0), "COMP_1", LaneKind::stream, 0, 0, -1},
                 {LaneId(1), "COMP_2", LaneKind::stream, 1, 2, 0},
                 {LaneId(2), "HOST_MAIN", LaneKind::host, 0, 0, 0}};
  trace.regions = {{RegionId(0), RegionKind::FEATURES, std::nullopt, 1ULL << 41, 0},
                   {RegionId(1), RegionKind::HOST_BATCH_A, std::nullopt, 1ULL << 41, 1},
                   {RegionId(2), RegionKind::WORKSPACE, StreamKind::COMP_2, 4096, 0}};
  trace.tensors = {{"conv1/W", "5x5x1x6", "f32", "any", RegionId(0), 128, 600},
                   {"images", "64x28x28x1", "f32", "train", RegionId(1), 0, 200704}};
  trace.tasks = {task("conv1/CONV_FP32_BWD/dW", LaneId(0)),
                 task("conv1/CONV_FP32_BWD/dX", LaneId(1)), task("batch/HOST_FILL_BATCH/host", {})};
  trace.tasks[2].covers.clear();
  trace.tasks[2].accesses.clear();
  trace.graphs = {
      {"DEEP_FWD_BWD@train", LaneId(0), {1, 0}, {{1, 0, "conflict", "dX reads W"}}, false},
      {"DEEP_COMM", LaneId(1), {}, {}, true}};
  trace.commands = {
      {"train A train", 0, "launch", "HOST_MAIN", "COMP_1", "DEEP_FWD_BWD@train", "", 0, ""},
      {"train A train", 1, "host_wait", "HOST_MAIN", "", "", "batch_readable", -1, "next batch"}};
  trace.activities = {{ActivityKind::memset, "memset", 7, std::nullopt, std::nullopt, 4096},
                      {ActivityKind::kernel, "sgemm", 0xFFFF'0000'0000'0001, 0x1'0000'0001,
                       LaunchShape{{132, 2, 1}, {256, 1, 1}, 168, 1024, 65536, 0.125}},
                      {ActivityKind::kernel, "relu", std::nullopt, std::nullopt,
                       LaunchShape{{1, 1, 4}, {32, 2, 1}, 16, 0, 0, std::nullopt}}};
  trace.findings = {{Severity::notice, "empty_sub_graph", "DEEP_COMM has no work", 1}};
  return trace;
}

TraceBatch sample_step(std::int64_t step) {
  const std::int64_t begin = kStartNs + step * kStepNs;
  const auto s = static_cast<std::int32_t>(step);
  TraceBatch batch;
  for (std::int64_t i = 0; i < 3; ++i) {
    const std::int64_t at = begin + i * 900'000;
    append_span(batch.spans, {at + 10, at + 700'000, 650'000, 1, s, 1, 1});
    append_span(batch.spans, {at, at + 800'000, -1, 0, i == 2 ? s + 1 : s, 0, 2, 1, 0xFFFFFFFF, 9});
  }
  TraceStep row{step, "train", "train",           step % 2 == 0 ? "A" : "B",
                64,   begin,   begin + 2'900'000, 0.1 + static_cast<double>(step),
                3,    0.05};
  if (step % 3 == 2) {
    row.recording = step % 2 == 0 ? StepRecording::none : StepRecording::disturbed;
    row.loss.reset();
    row.correct.reset();
  }
  batch.steps = {row};
  batch.host_waits = {{LaneId(2), s, "host_sync", "COMP_1", begin + 5, begin + 7}};
  batch.launches = {{0, LaneId(0), s, begin + 1, begin + 2, 0xFFFFFFFF}};
  batch.untimed = {{1, s, 1, 2, 0, 77, 0, -5}};
  batch.clock_pairs = {{1, 1'700'000'000'000'000'000 + begin, begin + 3, 40 + s}};
  // Found out while it ran: a lane, and in the first step an activity and a task.
  if (step == 0) {
    batch.lanes = {{LaneId(3), "GPU 0 stream 13", LaneKind::executor, 0, 0, 0}};
    batch.activities = {
        {ActivityKind::memcpy, "Memcpy HtoD", std::nullopt, std::nullopt, std::nullopt, 12}};
    batch.tasks = {task("unattributed/kernel", LaneId(1))};
    batch.clocks = {{"host"}, {"device"}};
    batch.lane_clocks = {{0, 1}, {3, 1}};
  }
  return batch;
}

Trace sample_trace(std::int64_t steps) {
  Trace trace = sample_plan();
  for (std::int64_t step = 0; step < steps; ++step)
    append(trace, sample_step(step));
  return trace;
}

std::string describe(const Trace& trace) {
  std::string text = fmt::format("state {}\n", name_of(trace.state));
  for (const auto& [key, value] : trace.provenance)
    text += fmt::format("{} = {}\n", key, value);
  for (const Lane& l : trace.lanes) {
    text += fmt::format("lane {} {} {} {} {} {}\n", l.id.value(), l.name, static_cast<int>(l.kind),
                        l.device, l.rank, l.priority);
  }
  for (const TraceLaneOrigin& o : trace.lane_origins) {
    text += fmt::format("  origin {} {} {} {} {}\n", o.lane, name_of(o.role), o.process, o.context,
                        o.number);
  }
  for (const Region& r : trace.regions)
    text += fmt::format("region {} {} {} {}\n", r.id.value(), r.name(), r.bytes, r.device);
  for (const TraceTensor& t : trace.tensors) {
    text += fmt::format("tensor {} {} {} {} {} {} {}\n", t.name, t.shape, t.dtype, t.variant,
                        t.region.value(), t.offset, t.bytes);
  }
  for (const TraceTask& t : trace.tasks) {
    text += fmt::format("task {} {} {} {} {} {} {} lane {} {} [{}] {} {} {}\n", t.name, t.layer,
                        t.op_kind, t.part, t.graph, t.shape, t.representative,
                        t.policy_lane ? std::to_string(t.policy_lane->value()) : "none",
                        t.placement_reason, fmt::join(t.covers, ", "), t.workspace_bytes, t.flops,
                        t.bytes);
    for (const Access& a : t.accesses) {
      text += fmt::format("  access {} {} {} {} {} {} {} {} {} {}\n", a.region.value(),
                          static_cast<int>(a.space), a.device, a.offset, a.bytes, a.stride, a.count,
                          name_of(a.mode), static_cast<int>(a.bound), static_cast<int>(a.origin));
    }
  }
  for (const TraceGraph& g : trace.graphs) {
    text += fmt::format("graph {} {} [{}] {}\n", g.name, g.primary.value(),
                        fmt::join(g.tasks, ", "), g.empty);
    for (const TraceEdge& e : g.edges)
      text += fmt::format("  edge {} {} {} {}\n", e.from, e.to, e.rule, e.reason);
  }
  for (const TraceCommand& c : trace.commands) {
    text += fmt::format("command {} {} {} {} {} {} {} {} {}\n", c.variant, c.position, c.kind,
                        c.actor, c.stream, c.graph, c.event, c.steps, c.why);
  }
  for (const TraceStep& s : trace.steps) {
    text += fmt::format(
        "step {} {} {} {} {} [{}, {}) {} {} {} {}\n", s.step, s.phase, s.shape, s.slot, s.batch,
        s.begin_ns, s.end_ns, s.loss ? std::to_string(*s.loss) : "none",
        s.correct ? std::to_string(*s.correct) : "none", s.learning_rate, name_of(s.recording));
  }
  for (std::size_t i = 0; i < trace.spans.size(); ++i) {
    const SpanColumns& s = trace.spans;
    text += fmt::format("span [{}, {}) {} {} {} {} {} {} {} {}\n", s.begin_ns[i], s.end_ns[i],
                        s.cpu_ns[i], s.task[i], s.step[i], s.lane[i], s.executor_lane[i],
                        s.activity[i], s.correlation[i], s.channel[i]);
  }
  for (const TraceHostWait& w : trace.host_waits) {
    text += fmt::format("wait {} {} {} {} [{}, {})\n", w.lane.value(), w.step, w.kind, w.target,
                        w.begin_ns, w.end_ns);
  }
  for (const TraceLaunch& l : trace.launches) {
    text += fmt::format("launch {} {} {} [{}, {}) {}\n", l.graph, l.lane.value(), l.step,
                        l.begin_ns, l.end_ns, l.correlation);
  }
  for (const TraceActivity& a : trace.activities) {
    text += fmt::format("activity {} {} {} {} {}", name_of(a.kind), a.name,
                        a.graph_node.value_or(0), a.captured_node.value_or(0), a.bytes.value_or(0));
    if (a.launch) {
      const LaunchShape& shape = *a.launch;
      text += fmt::format(" {} {} {} {} {} {}", fmt::join(shape.grid, "x"),
                          fmt::join(shape.block, "x"), shape.registers, shape.static_shared_bytes,
                          shape.dynamic_shared_bytes, shape.occupancy.value_or(-1));
    }
    text += '\n';
  }
  for (const TraceUntimed& u : trace.untimed) {
    text += fmt::format("untimed {} {} {} {} {} {} {} {}\n", u.task, u.step, u.lane,
                        u.executor_lane, u.activity, u.correlation, u.raw_begin_ns, u.raw_end_ns);
  }
  for (const TraceClock& c : trace.clocks)
    text += fmt::format("clock {}\n", c.name);
  std::vector<TraceLaneClock> lane_clocks = trace.lane_clocks;  // in whatever order lanes came up
  std::sort(lane_clocks.begin(), lane_clocks.end(),
            [](const TraceLaneClock& a, const TraceLaneClock& b) { return a.lane < b.lane; });
  for (const TraceLaneClock& l : lane_clocks)
    text += fmt::format("lane {} by clock {}\n", l.lane, l.clock);
  for (const TraceClockPair& p : trace.clock_pairs)
    text += fmt::format("clock {} {} {} {}\n", p.clock, p.clock_ns, p.trace_ns, p.width_ns);
  for (const Finding& f : trace.findings)
    text += fmt::format("finding {} {} {} {}\n", name_of(f.severity), f.name, f.message, f.count);
  return text;
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "quintet-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code none;
  fs::permissions(path_, fs::perms::owner_all, none);
  fs::remove_all(path_, none);
}

std::string TemporaryFolder::listing() const {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return fmt::format("{}", fmt::join(names, " "));
}

FileSizeLimit::FileSizeLimit(std::uint64_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  old_ = limit.rlim_cur;
  limit.rlim_cur = bytes;
  setrlimit(RLIMIT_FSIZE, &limit);
}

FileSizeLimit::~FileSizeLimit() {
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = old_;
  setrlimit(RLIMIT_FSIZE, &limit);
}

}  // namespace quintet
