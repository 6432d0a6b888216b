#include "profiler/capture/quintet_recorder.h"

#include <exception>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>

#include "profiler/capture/recorder_handle.h"
#include "runtime/model/nanos.h"

namespace {

using namespace quintet;

quintet_status status_of(RefusalKind kind) {
  switch (kind) {
    case RefusalKind::argument:
      return QUINTET_INVALID_ARGUMENT;
    case RefusalKind::unknown_id:
      return QUINTET_UNKNOWN_ID;
    case RefusalKind::order:
      return QUINTET_WRONG_ORDER;
    case RefusalKind::file:
      return QUINTET_FILE_TROUBLE;
  }
  return QUINTET_INVALID_ARGUMENT;
}

/// Keeps the text; where not even that fits, the status still says what it was.
quintet_status note(quintet_recorder& handle, quintet_status status,
                    const std::string& text) noexcept {
  try {
    const std::lock_guard lock(handle.mutex);
    handle.errors[std::this_thread::get_id()] = text;
  } catch (const std::exception&) {
    return QUINTET_OUT_OF_MEMORY;
  }
  return status;
}

/// The door of every function: no exception leaves, and each failure has a text.
template <class Call>
quintet_status guarded(quintet_recorder* handle, Call call) noexcept {
  if (handle == nullptr) return QUINTET_INVALID_ARGUMENT;
  try {
    if (!handle->recorder)
      return note(*handle, QUINTET_WRONG_ORDER, "the recorder did not open; close it");
    const Accepted<void> done = call(*handle->recorder);
    if (done) return QUINTET_OK;
    return note(*handle, status_of(done.error().kind), to_string(done.error().error));
  } catch (const std::exception& failure) {
    return note(*handle, QUINTET_OUT_OF_MEMORY, failure.what());
  }
}

tl::unexpected<Refusal> bad_argument(std::string message, std::string cure) {
  return refuse(RefusalKind::argument, std::move(message), std::move(cure));
}

/// A pointer that must be there, and a struct of the size that this version knows.
template <class Struct>
Accepted<void> check_struct(const Struct* given, const char* name) {
  if (given == nullptr) return bad_argument(fmt::format("{} is null", name), "pass one");
  if (given->size == sizeof(Struct)) return {};
  return bad_argument(fmt::format("{} has size {}, version {} knows size {}", name, given->size,
                                  QUINTET_RECORDER_VERSION, sizeof(Struct)),
                      fmt::format("set {0}.size = sizeof({0})", name));
}

/// Structs hold enums as numbers, which may be any.
Accepted<void> check_enum(std::int32_t value, std::int32_t last, const char* name) {
  if (value >= 0 && value <= last) return {};
  return bad_argument(fmt::format("{} is {}", name, value), "use one of the enum's names");
}

std::string text_of(const char* text) {
  return text == nullptr ? std::string() : std::string(text);
}

/// Runs `declare` on the tables and hands its id to C.
template <class Declare>
Accepted<void> declare_id(EventRecorder& recorder, std::uint32_t* id, Declare declare) {
  if (id == nullptr) return bad_argument("the place for the id is null", "pass one");
  const Accepted<std::uint32_t> declared = recorder.declare(declare);
  if (!declared) return tl::unexpected(declared.error());
  *id = *declared;
  return {};
}

Accepted<EventRecorderOptions> options_of(const quintet_options& given) {
  if (auto size = check_struct(&given, "quintet_options"); !size)
    return tl::unexpected(size.error());
  if (auto known = check_enum(given.mode, QUINTET_SAMPLED, "the mode"); !known)
    return tl::unexpected(known.error());
  EventRecorderOptions options;
  options.mode = static_cast<DeviceRecording>(given.mode);
  const bool pairs = given.pairs == 0 || (given.keys != nullptr && given.values != nullptr);
  if (!pairs) return bad_argument("keys or values are null", "pass as many as pairs says");
  for (std::size_t i = 0; i < given.pairs; ++i) {
    if (given.keys[i] == nullptr || given.values[i] == nullptr)
      return bad_argument(fmt::format("key or value {} is null", i), "pass a text");
    options.provenance[given.keys[i]] = given.values[i];
  }
  const auto take = [&](std::int64_t value, std::int64_t& target) {
    if (value > 0) target = value;
    return value >= 0;
  };
  SamplingWindows& windows = options.windows;
  const bool sensible =
      take(given.first_step, windows.first_step) && take(given.window_steps, windows.steps) &&
      take(given.period_steps, windows.period_steps) && take(given.period_ns, windows.period_ns);
  if (!sensible) return bad_argument("a window is negative", "pass 0 for the default");
  return options;
}

Accepted<std::unique_ptr<EventRecorder>> open_event_recorder(std::uint32_t version,
                                                             const char* path,
                                                             const quintet_options* given,
                                                             const OpenDeviceSource& device,
                                                             const Provenance& known) {
  if (version != QUINTET_RECORDER_VERSION) {
    return bad_argument(fmt::format("the program was built with version {} of the interface, this "
                                    "is version {}",
                                    version, QUINTET_RECORDER_VERSION),
                        "build the program with this header");
  }
  if (path == nullptr || *path == '\0')
    return bad_argument("there is no path", "name the file to record into");
  EventRecorderOptions options;
  if (given != nullptr) {
    Accepted<EventRecorderOptions> read = options_of(*given);
    if (!read) return tl::unexpected(read.error());
    options = std::move(*read);
  }
  options.provenance.insert(known.begin(), known.end());
  return EventRecorder::open(path, std::move(options), device);
}

}  // namespace

namespace quintet {

quintet_status open_recorder(std::uint32_t version, const char* path,
                             const quintet_options* options, const OpenDeviceSource& device,
                             const Provenance& known, quintet_recorder** recorder) noexcept {
  if (recorder == nullptr) return QUINTET_INVALID_ARGUMENT;
  *recorder = nullptr;
  try {
    *recorder = new quintet_recorder;
    auto opened = open_event_recorder(version, path, options, device, known);
    if (!opened) {
      return note(**recorder, status_of(opened.error().kind), to_string(opened.error().error));
    }
    (*recorder)->recorder = std::move(*opened);
    return QUINTET_OK;
  } catch (const std::exception& failure) {
    return *recorder == nullptr ? QUINTET_OUT_OF_MEMORY
                                : note(**recorder, QUINTET_OUT_OF_MEMORY, failure.what());
  }
}

}  // namespace quintet

const char* quintet_recorder_error(const quintet_recorder* recorder) {
  if (recorder == nullptr) return "the recorder is null; pass one that was opened";
  const std::lock_guard lock(recorder->mutex);
  const auto found = recorder->errors.find(std::this_thread::get_id());
  return found == recorder->errors.end() ? "no call of this thread has failed"
                                         : found->second.c_str();
}

quintet_status quintet_add_lane(quintet_recorder* recorder, const quintet_lane* lane,
                                uint32_t* id) {
  return guarded(recorder, [&](EventRecorder& events) -> Accepted<void> {
    if (auto size = check_struct(lane, "quintet_lane"); !size) return size;
    if (auto known = check_enum(lane->kind, QUINTET_LANE_HOST, "the kind of lane"); !known)
      return known;
    const LaneKind kind = lane->kind == QUINTET_LANE_STREAM ? LaneKind::stream : LaneKind::host;
    return declare_id(events, id, [&](TraceDeclarations& tables) {
      return tables.add_lane(
          {LaneId(), text_of(lane->name), kind, lane->device, lane->rank, lane->priority});
    });
  });
}

quintet_status quintet_add_region(quintet_recorder* recorder, const quintet_region* region,
                                  uint32_t* id) {
  return guarded(recorder, [&](EventRecorder& events) -> Accepted<void> {
    if (auto size = check_struct(region, "quintet_region"); !size) return size;
    if (auto known = check_enum(region->space, QUINTET_DEVICE, "the space"); !known) return known;
    return declare_id(events, id, [&](TraceDeclarations& tables) {
      return tables.add_region(text_of(region->name), static_cast<MemorySpace>(region->space),
                               region->device, region->bytes);
    });
  });
}

quintet_status quintet_add_task(quintet_recorder* recorder, const quintet_task* task,
                                uint32_t* id) {
  return guarded(recorder, [&](EventRecorder& events) -> Accepted<void> {
    if (auto size = check_struct(task, "quintet_task"); !size) return size;
    TraceTask row;
    row.name = text_of(task->name);
    row.layer = text_of(task->layer);
    row.op_kind = text_of(task->op_kind);
    row.part = text_of(task->part);
    row.graph = text_of(task->graph);
    if (task->lane != QUINTET_NO_ID) row.policy_lane = LaneId(task->lane);
    row.flops = task->flops;
    row.bytes = task->bytes;
    return declare_id(events, id,
                      [&](TraceDeclarations& tables) { return tables.add_task(std::move(row)); });
  });
}

quintet_status quintet_add_access(quintet_recorder* recorder, uint32_t task,
                                  const quintet_access* access) {
  return guarded(recorder, [&](EventRecorder& events) -> Accepted<void> {
    if (auto size = check_struct(access, "quintet_access"); !size) return size;
    if (auto known = check_enum(access->mode, QUINTET_SCRATCH, "the access mode"); !known)
      return known;
    Access row;
    row.region = RegionId(access->region);
    row.offset = access->offset;
    row.bytes = access->bytes;
    row.stride = access->stride;
    row.count = access->count;
    row.mode = static_cast<AccessMode>(access->mode);
    row.bound = access->upper_bound != 0 ? AccessBound::upper : AccessBound::exact;
    return events.declare([&](TraceDeclarations& tables) { return tables.add_access(task, row); });
  });
}

quintet_status quintet_add_graph(quintet_recorder* recorder, const char* name, uint32_t lane,
                                 uint32_t* id) {
  return guarded(recorder, [&](EventRecorder& events) {
    return declare_id(events, id, [&](TraceDeclarations& tables) {
      return tables.add_graph(text_of(name), lane);
    });
  });
}

quintet_status quintet_add_edge(quintet_recorder* recorder, uint32_t graph, uint32_t from,
                                uint32_t to, const char* reason) {
  return guarded(recorder, [&](EventRecorder& events) {
    return events.declare([&](TraceDeclarations& tables) {
      return tables.add_edge(graph, from, to, text_of(reason));
    });
  });
}

quintet_status quintet_task_begin(quintet_recorder* recorder, uint32_t task, uint32_t lane) {
  return guarded(recorder, [&](EventRecorder& events) {
    return events.begin_task(task, lane == QUINTET_NO_ID ? std::nullopt : std::optional(lane));
  });
}

quintet_status quintet_task_end(quintet_recorder* recorder) {
  return guarded(recorder, [](EventRecorder& events) { return events.end_task(); });
}

quintet_status quintet_graph_begin(quintet_recorder* recorder, uint32_t graph) {
  return guarded(recorder, [&](EventRecorder& events) { return events.begin_graph(graph); });
}

quintet_status quintet_graph_end(quintet_recorder* recorder) {
  return guarded(recorder, [](EventRecorder& events) { return events.end_graph(); });
}

quintet_status quintet_recorder_start(quintet_recorder* recorder) {
  return guarded(recorder, [](EventRecorder& events) { return events.start(); });
}

quintet_status quintet_step_begin(quintet_recorder* recorder, int64_t step) {
  return guarded(recorder, [&](EventRecorder& events) { return events.begin_step(step); });
}

quintet_status quintet_step_end(quintet_recorder* recorder, int64_t step,
                                const quintet_step_result* result) {
  return guarded(recorder, [&](EventRecorder& events) -> Accepted<void> {
    StepResult row;
    if (result != nullptr) {
      if (auto size = check_struct(result, "quintet_step_result"); !size) return size;
      row.end_ns = result->end_ns;
      row.batch = result->batch;
      if (result->has_loss != 0) row.loss = result->loss;
      row.learning_rate = result->learning_rate;
    }
    return events.end_step(step, row);
  });
}

quintet_status quintet_launch_begin(quintet_recorder* recorder, uint32_t graph, uint32_t lane,
                                    int64_t step) {
  return guarded(recorder,
                 [&](EventRecorder& events) { return events.begin_launch(graph, lane, step); });
}

quintet_status quintet_launch_end(quintet_recorder* recorder) {
  return guarded(recorder, [](EventRecorder& events) { return events.end_launch(); });
}

quintet_status quintet_host_span(quintet_recorder* recorder, uint32_t task, uint32_t lane,
                                 int64_t step, int64_t begin_ns, int64_t end_ns) {
  return guarded(recorder, [&](EventRecorder& events) {
    return events.host_span(task, lane, step, begin_ns, end_ns);
  });
}

int64_t quintet_recorder_now_ns(void) {
  return monotonic_ns();
}

quintet_status quintet_recorder_finish(quintet_recorder* recorder) {
  return guarded(recorder, [](EventRecorder& events) { return events.finish(); });
}

quintet_status quintet_recorder_counts(quintet_recorder* recorder, quintet_counts* counts) {
  return guarded(recorder, [&](EventRecorder& events) -> Accepted<void> {
    if (auto size = check_struct(counts, "quintet_counts"); !size) return size;
    if (auto done = events.check_finished("count"); !done) return done;
    const EventCounts all = events.counts();
    *counts = {sizeof(quintet_counts), all.steps,
               all.device_records,     all.unattributed,
               all.dropped_spans,      static_cast<std::int64_t>(events.findings().size())};
    return {};
  });
}

quintet_status quintet_recorder_finding(quintet_recorder* recorder, int64_t index,
                                        quintet_finding* finding) {
  return guarded(recorder, [&](EventRecorder& events) -> Accepted<void> {
    if (auto size = check_struct(finding, "quintet_finding"); !size) return size;
    if (auto done = events.check_finished("tell findings"); !done) return done;
    const std::vector<Finding>& all = events.findings();
    if (index < 0 || index >= static_cast<std::int64_t>(all.size())) {
      return refuse(RefusalKind::unknown_id,
                    fmt::format("there is no finding {}: there are {}", index, all.size()),
                    "ask quintet_recorder_counts how many there are");
    }
    const Finding& one = all[static_cast<std::size_t>(index)];
    // Names of severities are literals, so they end in a zero.
    *finding = {sizeof(quintet_finding), name_of(one.severity).data(), one.name.c_str(),
                one.message.c_str(), one.count};
    return {};
  });
}

void quintet_recorder_close(quintet_recorder* recorder) {
  delete recorder;
}
