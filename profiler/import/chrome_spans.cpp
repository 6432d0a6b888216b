#include "profiler/import/chrome_spans.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "profiler/import/json_text.h"
#include "profiler/import/step_name.h"

namespace quintet {

namespace {

/// Kineto puts waits for a stream on a thread of this many more than the stream.
constexpr std::int64_t kSyncThreads = 1'000'000;
/// Ids that are no numbers get numbers below this, which no system gives out.
constexpr std::int64_t kFirstTextId = -(std::int64_t{1} << 40);

std::int64_t saturating_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b < 0 ? std::numeric_limits<std::int64_t>::min()
               : std::numeric_limits<std::int64_t>::max();
}

std::uint32_t narrow(std::optional<std::uint64_t> number) {
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(number.value_or(0), std::numeric_limits<std::uint32_t>::max()));
}

std::optional<LaunchShape> launch_of(const ChromeEventArgs& args) {
  if (!args.grid || !args.block) return std::nullopt;
  LaunchShape launch;
  launch.grid = *args.grid;
  launch.block = *args.block;
  launch.registers = narrow(args.registers);
  // Kineto tells the sum of static and dynamic shared memory. Its "est. achieved occupancy %" counts the blocks of
  // the grid too, and is 0 where it could not be told: not what `occupancy` means.
  const std::uint64_t shared = args.shared_bytes.value_or(0);
  launch.static_shared_bytes = std::min(args.static_shared_bytes.value_or(0), shared);
  launch.dynamic_shared_bytes = shared - launch.static_shared_bytes;
  if (args.occupancy.value_or(-1) >= 0 && *args.occupancy <= 1) launch.occupancy = args.occupancy;
  return launch;
}

/// "python3" of "thread 474 (python3)", Kineto's way of naming threads.
std::string_view thread_name(std::string_view name) {
  const std::size_t open = name.find(" (");
  if (!name.starts_with("thread ") || open == std::string_view::npos || !name.ends_with(')'))
    return name;
  return name.substr(open + 2, name.size() - open - 3);
}

/// B and E nest on a thread; the others, S and F of old, are joined by an id.
RangeSort sort_of(char phase) {
  return phase == 'B' || phase == 'E' ? RangeSort::nested : RangeSort::started;
}

/// True for names that only work of a device has.
bool names_device_work(std::string_view name) {
  return name.starts_with("ncclDevKernel") || name.starts_with("ncclKernel") ||
         (name.starts_with("Memcpy") && !copy_direction(name.substr(0, 16)).empty());
}

/// True for categories of other profilers that only work of a device has.
bool names_device_category(std::string_view category) {
  constexpr auto kWords = std::to_array<std::string_view>(
      {"kernel_dispatch", "memory_copy", "gpu_kernel", "gpu_op", "gpu_activity", "hip_ops",
       "KERNEL_DISPATCH", "MEMORY_COPY", "CONCURRENT_KERNEL"});
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    return category.find(word) != std::string_view::npos;
  });
}

/// What events of a phase that draws nothing are counted as.
std::string_view phase_category(char phase) {
  switch (phase) {
    case 'M':
      return "metadata";
    case 'C':
      return "counter";
    case 'i':
    case 'I':
    case 'R':
    case 'n':
    case 'T':
    case 'p':
      return "instant";
    case 's':
    case 't':
    case 'f':
      return "flow";
    case '\0':
      return "no phase";
    default:
      return "other phases";
  }
}

}  // namespace

ChromeSpans::Meaning ChromeSpans::meaning_of(std::string_view category) {
  struct Known {
    std::string_view category;
    Meaning meaning;
  };
  // The capitals are those of Kineto before 2021.
  static constexpr auto kKnown = std::to_array<Known>({
      {"kernel", Meaning::kernel},
      {"Kernel", Meaning::kernel},
      {"gpu_memcpy", Meaning::copy},
      {"Memcpy", Meaning::copy},
      {"gpu_memset", Meaning::fill},
      {"Memset", Meaning::fill},
      {"Runtime", Meaning::call},
      {"overhead", Meaning::overhead},
      {"gpu_user_annotation", Meaning::device_range},
      {"cuda_sync", Meaning::device_sync},
      {"cuda_event", Meaning::device_sync},
      {"cpu_op", Meaning::host_range},
      {"user_annotation", Meaning::host_range},
      {"python_function", Meaning::host_range},
      {"cpu_instant_event", Meaning::host_range},
      {"Trace", Meaning::host_range},
      {"Operator", Meaning::host_range},
  });
  for (const Known& known : kKnown) {
    if (known.category == category) return known.meaning;
  }
  // cuda_runtime, cuda_driver, and those of other makes.
  if (category.ends_with("_runtime") || category.ends_with("_driver")) return Meaning::call;
  return Meaning::by_row;
}

std::size_t ChromeSpans::count(std::string_view category) {
  const std::size_t place = categories_.place_of(category);
  if (place == meanings_.size()) {
    meanings_.push_back(meaning_of(category));
    of_devices_.push_back(names_device_category(category));
  }
  categories_.add_read(place);
  return place;
}

void ChromeSpans::add(const ChromeEvent& event) {
  ++events_;
  switch (event.phase) {
    case 'X':
      add_complete(event);
      return;
    case 'B':
    case 'b':
    case 'S':
      begin_range(event);
      return;
    case 'E':
    case 'e':
    case 'F':
      end_range(event);
      return;
    case 'M':
      add_metadata(event);
      break;
    default:
      break;
  }
  count(phase_category(event.phase));
}

void ChromeSpans::add_complete(const ChromeEvent& event) {
  const std::size_t category = count(event.category.raw.empty() ? "none" : event.category.raw);
  const auto own = own_place(event.args.lane);
  if (own && own->steps) return;  // listed elsewhere
  const Meaning meaning = meanings_[category];
  if (meaning == Meaning::by_row && !own) {
    add_by_row(event, category);
    return;
  }
  const std::string_view name = name_of_event(event);
  span_ = {};
  span_.activity.name = name;
  place(event, meaning);
  describe_work(event, meaning);
  span_.begin_ns = event.begin.ns;
  span_.end_ns = saturating_sum(event.begin.ns, event.duration.ns);
  const bool zero =
      event.begin.ns == 0 && (event.duration.ns == 0 || event.category.raw == "cuda_event");
  if (!event.begin.told() || !event.duration.told() || zero) {
    builder_.add_untimed(span_);
    return;
  }
  if (draw(category) && meaning == Meaning::host_range) add_step(name);
}

void ChromeSpans::add_by_row(const ChromeEvent& event, std::size_t category) {
  span_ = {};
  span_.activity.name = name_of_event(event);
  span_.activity.kind = ActivityKind::host_range;
  span_.begin_ns = event.begin.ns;
  span_.end_ns = saturating_sum(event.begin.ns, event.duration.ns);
  note_correlation(event.args);
  const DeviceWork work = device_work(event.args, event.xprof);
  const bool zero = event.begin.ns == 0 && event.duration.ns == 0;
  const bool timed = event.begin.told() && event.duration.told() && !zero;
  // Titles the lane by ids that are no numbers, whatever it turns out to be.
  const LaneKey key = thread_key(event.process, event.thread);
  place_by_row({key.process, key.id, category, &work, event.xprof.step, std::nullopt, timed});
}

void ChromeSpans::place_by_row(const RowEvent& event) {
  if (const DeviceRow* row = devices_.known(event.process, event.thread)) {
    draw_on_row(event, *row);
  } else {
    hold(event);
  }
}

void ChromeSpans::hold(const RowEvent& event) {
  HeldEvent& held = held_.emplace_back();
  held.process = event.process;
  held.thread = event.thread;
  held.begin_ns = span_.begin_ns;
  held.end_ns = span_.end_ns;
  held.category = static_cast<std::uint32_t>(event.category);
  held.correlation = span_.correlation;
  held.step = event.step;
  held.timed = event.timed;
  const auto known = held_names_.find(span_.activity.name);
  if (known != held_names_.end()) {
    held.name = known->second;
  } else {
    held.name = static_cast<std::uint32_t>(held_name_texts_.size());
    const auto added = held_names_.emplace(span_.activity.name, held.name).first;
    held_name_texts_.push_back(&added->first);
  }
  if (event.work != nullptr && event.work->says_anything()) {
    held.work = static_cast<std::uint32_t>(held_work_.size());
    held_work_.push_back(*event.work);
  }
  if (held.timed) last_ns_ = std::max(last_ns_, held.end_ns);
}

void ChromeSpans::draw_held() {
  for (const HeldEvent& held : held_) {
    span_ = {};
    span_.activity.name = *held_name_texts_[held.name];
    span_.activity.kind = ActivityKind::host_range;
    span_.begin_ns = held.begin_ns;
    span_.end_ns = held.end_ns;
    span_.correlation = held.correlation;
    const DeviceWork* work = held.work == kNoWork ? nullptr : &held_work_[held.work];
    draw_on_row({held.process, held.thread, held.category, work, held.step, {}, held.timed},
                devices_.row(held.process, held.thread));
  }
  held_ = {};
  held_work_ = {};
}

void ChromeSpans::draw_on_row(const RowEvent& event, const DeviceRow& row) {
  const bool host = row.sort == DeviceRow::Sort::host || row.sort == DeviceRow::Sort::host_calls;
  // Whatever its row is called.
  const bool surely_work =
      (event.work != nullptr && event.work->sort != WorkSort::unknown) ||
      (row.sort == DeviceRow::Sort::unrecognised && names_device_work(span_.activity.name));
  bool placed = false;
  if (row.sort == DeviceRow::Sort::projection) {
    make_projection(event, row);
    placed = true;
  } else if (row.sort == DeviceRow::Sort::stream || surely_work) {
    placed = make_device_work(event, row);
    if (!placed) note_unrecognised(event, unrecognised_);
  } else if (row.sort == DeviceRow::Sort::unrecognised ||
             (row.sort == DeviceRow::Sort::host &&
              (of_devices_[event.category] || names_device_work(span_.activity.name)))) {
    note_unrecognised(event, unrecognised_);
  }
  if (!placed) make_host_event(event, row);
  if (!event.timed) {
    builder_.add_untimed(span_);
    return;
  }
  const std::string_view name = span_.activity.name;
  const bool range = !placed && host && span_.activity.kind == ActivityKind::host_range;
  if (!draw(event.category) || !range || !event.may_mark_step) return;
  if (event.step && *event.step >= 0) {
    builder_.add_step(source_, {*event.step, StepMark::step}, span_.begin_ns, span_.end_ns);
  } else {
    add_step(name);
  }
}

void ChromeSpans::make_host_event(const RowEvent& event, const DeviceRow& row) {
  const bool call = row.sort == DeviceRow::Sort::host_calls ||
                    (row.sort == DeviceRow::Sort::host && span_.correlation != 0);
  if (call && !event.range_lane) {
    span_.activity.kind = ActivityKind::api_call;
  } else {
    span_.correlation = 0;
  }
  span_.lane = event.range_lane
                   ? *event.range_lane
                   : builder_.lane({source_, LaneRole::thread, 0, event.process, event.thread});
}

std::uint16_t ChromeSpans::lane_on_device(const RowEvent& event, const LaneKey& key) {
  if (!event.range_lane) return builder_.lane(key);
  // The lane was made for a thread before it was known to be a stream.
  const LaneKey made = builder_.key_of(*event.range_lane);
  return is_host(made.role) ? builder_.move_lane(made, key) : builder_.lane(key);
}

bool ChromeSpans::make_device_work(const RowEvent& event, const DeviceRow& row) {
  constexpr std::int64_t kMostDevices = 1'000'000;
  const DeviceWork* work = event.work;
  std::optional<std::int64_t> device;
  if (row.device_known) device = row.device;
  if (work != nullptr && work->device && !row.device_told) device = work->device;
  if (!row.device_known && (work == nullptr || !work->device)) return false;
  if (!device || *device < 0 || *device >= kMostDevices) return false;
  std::int64_t stream = row.stream;
  if (work != nullptr && !row.stream_told && work->stream.value_or(kNoStream) >= 0)
    stream = *work->stream;
  ActivityFacts& facts = span_.activity;
  facts.range = RangeSort::nested;
  switch (work_sort(event, row)) {
    case WorkSort::copy:
      facts.kind = ActivityKind::memcpy;
      break;
    case WorkSort::fill:
      facts.kind = ActivityKind::memset;
      break;
    case WorkSort::unknown:
    case WorkSort::kernel:
      facts.kind = ActivityKind::kernel;
      break;
  }
  if (work != nullptr && facts.kind == ActivityKind::kernel) facts.launch = work->launch;
  if (work != nullptr && facts.kind != ActivityKind::kernel) facts.bytes = work->bytes;
  name_work(event, row);
  const LaneKey key{source_, LaneRole::stream, static_cast<std::int32_t>(*device), row.process,
                    stream};
  span_.lane = lane_on_device(event, key);
  name_stream(key, span_.lane, event, row);
  ++named_devices_[key.device].work;
  return true;
}

/// What the event says counts, then its name, then its row.
WorkSort ChromeSpans::work_sort(const RowEvent& event, const DeviceRow& row) const {
  if (event.work != nullptr && event.work->sort != WorkSort::unknown) return event.work->sort;
  const std::string_view name = span_.activity.name;
  if (const WorkSort named = work_of_name(name); named != WorkSort::unknown) return named;
  return name.starts_with("nccl") || !collective_of(name).empty() ? WorkSort::kernel : row.work;
}

/// Adds to the name what only `args` or the row say, so that all that reads names knows it.
void ChromeSpans::name_work(const RowEvent& event, const DeviceRow& row) {
  ActivityFacts& facts = span_.activity;
  std::string_view more;
  if (facts.kind == ActivityKind::memcpy && copy_direction(facts.name).empty()) {
    more = event.work != nullptr ? event.work->direction : std::string_view();
    if (more.empty()) more = row.direction;
  }
  if (facts.kind == ActivityKind::kernel && event.work != nullptr &&
      facts.name.find("nccl") == std::string_view::npos && collective_of(facts.name).empty()) {
    more = event.work->collective;
  }
  if (more.empty()) return;
  work_name_ = facts.kind == ActivityKind::kernel ? fmt::format("{} ({})", more, facts.name)
                                                  : fmt::format("{} ({})", facts.name, more);
  facts.name = work_name_;
}

void ChromeSpans::name_stream(const LaneKey& key, std::uint16_t lane, const RowEvent& event,
                              const DeviceRow& row) {
  if (lane >= named_lanes_.size()) named_lanes_.resize(lane + std::size_t{1});
  if (named_lanes_[lane]) return;
  named_lanes_[lane] = true;
  // The lane's own name says the number of the stream; what runs there its spans say.
  const std::string_view name =
      row.stream_told ? std::string_view() : devices_.thread_name(event.process, event.thread);
  if (key.id <= kFirstTextId) {
    const auto id = std::find_if(text_ids_.begin(), text_ids_.end(),
                                 [&](const auto& each) { return each.second == key.id; });
    if (id != text_ids_.end())
      builder_.title_lane(key, fmt::format("GPU {} stream {}", key.device, id->first));
  }
  std::string words(name);
  if (row.device_known && !row.device_told) {
    const std::string_view process = devices_.process_name(event.process);
    words = fmt::format("{}{}{}", process, process.empty() || name.empty() ? "" : " ", name);
  }
  if (!words.empty()) builder_.name_lane(key, words);
}

void ChromeSpans::make_projection(const RowEvent& event, const DeviceRow& row) {
  span_.correlation = 0;
  const LaneKey key{source_, LaneRole::range, row.device, event.process, event.thread};
  span_.lane = lane_on_device(event, key);
  if (span_.lane >= named_lanes_.size()) named_lanes_.resize(span_.lane + std::size_t{1});
  if (!named_lanes_[span_.lane]) {
    named_lanes_[span_.lane] = true;
    std::string_view name = devices_.thread_name(event.process, event.thread);
    if (name.empty()) name = devices_.process_name(event.process);
    builder_.title_lane(key, fmt::format("GPU {} {}", row.device, name));
  }
  note_unrecognised(event, named_devices_[row.device].projections);
}

std::string ChromeSpans::row_name(const RowEvent& event) const {
  const std::string_view process = devices_.process_name(event.process);
  const std::string_view thread = devices_.thread_name(event.process, event.thread);
  return fmt::format("{}/{}", process.empty() ? std::to_string(event.process) : process,
                     thread.empty() ? std::to_string(event.thread) : thread);
}

void ChromeSpans::note_unrecognised(const RowEvent& event, Unrecognised& unrecognised) {
  constexpr std::size_t kMostRows = 5;
  ++unrecognised.events;
  if (unrecognised.rows.size() == kMostRows) return;
  std::string name = row_name(event);
  std::vector<std::string>& rows = unrecognised.rows;
  if (std::find(rows.begin(), rows.end(), name) == rows.end()) rows.push_back(std::move(name));
}

/// Devices of which only projections are there did work that nobody can tell.
void ChromeSpans::judge_rows() {
  for (auto& [device, drawn] : named_devices_) {
    if (drawn.work > 0) continue;
    unrecognised_.events += drawn.projections.events;
    unrecognised_.rows.insert(unrecognised_.rows.end(), drawn.projections.rows.begin(),
                              drawn.projections.rows.end());
  }
  if (unrecognised_.events == 0) return;
  constexpr std::size_t kMostRows = 5;
  if (unrecognised_.rows.size() > kMostRows) unrecognised_.rows.resize(kMostRows);
  builder_.count(Severity::data_loss, "unrecognised_device_rows",
                 fmt::format("events of rows that seem to be a device's and could not be read as "
                             "its streams, first of {}: how busy devices were is unknown",
                             fmt::join(unrecognised_.rows, ", ")),
                 unrecognised_.events);
}

void ChromeSpans::note_correlation(const ChromeEventArgs& args) {
  if (args.correlation && *args.correlation <= std::numeric_limits<std::uint32_t>::max()) {
    span_.correlation = static_cast<std::uint32_t>(*args.correlation);
  } else if (args.correlation) {
    builder_.count(Severity::notice, "wide_correlation",
                   "correlation ids beyond 32 bits: joined with nothing");
  }
}

void ChromeSpans::describe_work(const ChromeEvent& event, Meaning meaning) {
  const ChromeEventArgs& args = event.args;
  ActivityFacts& facts = span_.activity;
  switch (meaning) {
    case Meaning::kernel:
      facts.kind = ActivityKind::kernel;
      facts.launch = launch_of(args);
      break;
    case Meaning::copy:
      facts.kind = ActivityKind::memcpy;
      facts.bytes = args.bytes;
      break;
    case Meaning::fill:
      facts.kind = ActivityKind::memset;
      facts.bytes = args.bytes;
      break;
    case Meaning::call:
      facts.kind = ActivityKind::api_call;
      break;
    case Meaning::overhead:
      facts.range = RangeSort::overhead;
      facts.kind = ActivityKind::host_range;
      return;
    case Meaning::host_range:
    case Meaning::by_row:
    case Meaning::device_range:
    case Meaning::device_sync:
      facts.kind = ActivityKind::host_range;
      if (!own_lanes_.empty() && args.op.raw == "GRAPH") facts.kind = ActivityKind::graph;
      if (facts.kind != ActivityKind::graph) return;
      break;
  }
  note_correlation(args);
  if (!runs_on_device(facts.kind)) return;
  if (args.channel && *args.channel < kUnknownChannel)
    span_.channel = static_cast<std::uint16_t>(*args.channel);
  if (!args.graph_node) return;
  // 0 stands for work outside every graph.
  builder_.note_graph_node_ids(*args.graph_node == 0 ? GraphNodeIds::none : GraphNodeIds::carried);
  if (*args.graph_node != 0) facts.graph_node = args.graph_node;
  if (args.captured_node.value_or(0) != 0) facts.captured_node = args.captured_node;
}

/// The range drawn last, if it marks a step.
void ChromeSpans::add_step(std::string_view name) {
  const std::optional<NamedStep> step = named_step(name);
  if (step) builder_.add_step(source_, *step, span_.begin_ns, span_.end_ns);
}

void ChromeSpans::begin_range(const ChromeEvent& event) {
  const std::size_t category = count(event.category.raw.empty() ? "none" : event.category.raw);
  PairedRange range;
  range.name = name_of_event(event);
  range.begin_ns = event.begin.ns;
  range.sort = sort_of(event.phase);
  range.category = static_cast<std::uint8_t>(category);
  range.lane = range.sort == RangeSort::nested || own_place(event.args.lane)
                   ? lane_of(event, Meaning::host_range)
                   : builder_.lane(thread_key(event.process, event.thread, LaneRole::started));
  if (event.begin.state == DecimalTime::State::known) {
    last_ns_ = std::max(last_ns_, range.begin_ns);
    ranges_.begin(owner_of(event), range);
    return;
  }
  // No end can be its own.
  range.end_ns = event.begin.ns;
  set_span(range);
  if (event.begin.told()) {
    builder_.add(span_);
  } else {
    builder_.add_untimed(span_);
  }
}

void ChromeSpans::end_range(const ChromeEvent& event) {
  count("range end");
  if (event.begin.state != DecimalTime::State::known) {
    builder_.count(Severity::notice, "end_without_time",
                   "ends of ranges whose time is missing or out of range: left out");
    return;
  }
  last_ns_ = std::max(last_ns_, event.begin.ns);
  ranges_.end(owner_of(event), text_of(event.name, name_), event.begin.ns);
}

void ChromeSpans::set_span(const PairedRange& range) {
  span_ = {};
  span_.activity.range = range.sort;
  span_.activity.kind = ActivityKind::host_range;
  span_.activity.name = range.name;
  span_.lane = range.lane;
  span_.begin_ns = range.begin_ns;
  span_.end_ns = range.end_ns.value_or(range.begin_ns);
}

void ChromeSpans::add_range(const PairedRange& range) {
  set_span(range);
  if (!range.end_ns) {
    builder_.count(Severity::notice, "open_ranges",
                   "ranges that never end: closed, and marked as open, at the end of the file");
    name_ = range.name;
    name_ += " (open)";
    span_.activity.name = name_;
    span_.end_ns = std::max(last_ns_, range.begin_ns);
  }
  // Lanes of our own documents are what they were.
  if (meanings_[range.category] == Meaning::by_row && own_lanes_.empty()) {
    const LaneKey& key = builder_.key_of(range.lane);
    const auto row = range_rows_.try_emplace(range.lane, key.process, key.id).first->second;
    RowEvent event{row.first, row.second, range.category};
    event.range_lane = range.lane;
    event.may_mark_step = range.end_ns.has_value();
    draw_on_row(event, devices_.row(event.process, event.thread));
    return;
  }
  if (draw(range.category) && range.end_ns) add_step(range.name);
}

/// Hands the span out; false if the builder lists it as untimed.
bool ChromeSpans::draw(std::size_t category) {
  if (!builder_.add(span_)) return false;
  categories_.add_drawn(category);
  // A time that no number holds is not where the file ends.
  if (span_.end_ns < std::numeric_limits<std::int64_t>::max())
    last_ns_ = std::max(last_ns_, span_.end_ns);
  return true;
}

void ChromeSpans::finish() {
  devices_.settle();
  draw_held();
  pair_ranges();
  judge_rows();
}

void ChromeSpans::pair_ranges() {
  if (ranges_.empty()) return;
  const RangePairs::Counts counts =
      ranges_.pair([this](const PairedRange& range) { add_range(range); });
  const auto report = [this](Severity severity, std::string_view name, std::string_view message,
                             std::int64_t number) {
    if (number > 0) builder_.count(severity, name, message, number);
  };
  report(Severity::notice, "end_without_begin",
         "ends of ranges that never began, by name and thread or id: left out",
         counts.without_begin);
  report(Severity::notice, "ambiguous_ranges",
         "ranges of one name that could end otherwise: the innermost open one was ended first",
         counts.ambiguous);
  report(Severity::data_loss, "too_deep_ranges",
         fmt::format("ranges nested deeper than {}: left out", RangePairs::kMostDepth),
         counts.too_deep);
}

void ChromeSpans::restore(const OwnDocument& document) {
  std::set<int> ranks;
  for (const OwnLane& lane : document.lanes)
    ranks.insert(lane.rank);
  if (document.lanes.empty() || !own_lanes_.empty() ||
      builder_.sources().size() + ranks.size() > kMostImportSources) {
    return;
  }
  for (const Finding& finding : document.findings)
    builder_.restore_finding(finding);
  // What these say is of the recording, not of the document.
  constexpr auto kOwn = std::to_array<std::string_view>(
      {"executor", "source_file", "source_format", "clock_realtime_offset_ns", "graph_node_ids",
       "policy_toml", "scenario_toml"});
  for (const auto& [key, value] : document.provenance) {
    if (std::find(kOwn.begin(), kOwn.end(), key) == kOwn.end()) builder_.set_provenance(key, value);
  }
  for (const GraphNodeIds ids : {GraphNodeIds::none, GraphNodeIds::carried}) {
    const auto told = document.provenance.find("graph_node_ids");
    if (told != document.provenance.end() && told->second == name_of(ids))
      builder_.note_graph_node_ids(ids);
  }
  for (const OwnLane& lane : document.lanes) {
    if (lane.steps) {
      own_lanes_.push_back({0, true});
      continue;
    }
    LaneRole role = lane.origin ? lane.origin->role : LaneRole::thread;
    if (!lane.origin && lane.kind != LaneKind::host)
      role = lane.kind == LaneKind::stream ? LaneRole::stream : LaneRole::executor;
    const auto place = static_cast<std::int64_t>(own_lanes_.size());
    own_lanes_.push_back({builder_.restore_lane(
        {source_of_rank(lane.rank), role, lane.device, 0, place}, lane.name, lane.origin)});
  }
}

/// Ranks are told by file: a document of several counts as several.
ImportSourceId ChromeSpans::source_of_rank(int rank) {
  const auto known = own_sources_.find(rank);
  if (known != own_sources_.end()) return known->second;
  ImportSourceId source = source_;
  if (!own_sources_.empty()) {
    const ImportSource& first = builder_.sources()[source_.value()];
    source = builder_.open_source(first.file, first.format);
  }
  builder_.set_rank(source, rank);
  builder_.mark_restored(source);
  own_sources_.emplace(rank, source);
  return source;
}

std::optional<ChromeSpans::OwnPlace> ChromeSpans::own_place(
    const std::optional<std::int64_t>& index) const {
  if (!index || *index < 0 || static_cast<std::uint64_t>(*index) >= own_lanes_.size())
    return std::nullopt;
  return own_lanes_[static_cast<std::size_t>(*index)];
}

void ChromeSpans::restore_step(std::optional<TraceStep> step) {
  if (step) {
    builder_.restore_step(source_, std::move(*step));
  } else {
    builder_.count(Severity::notice, "impossible_step",
                   "steps with an impossible number or time: left out");
  }
}

void ChromeSpans::restore_untimed(const ChromeEvent& event) {
  const Meaning meaning = meaning_of(event.category.raw);
  span_ = {};
  span_.activity.name = name_of_event(event);
  place(event, meaning);
  describe_work(event, meaning);
  span_.begin_ns = event.args.raw_begin_ns.value_or(0);
  span_.end_ns = event.args.raw_end_ns.value_or(0);
  builder_.restore_untimed(span_);
}

void ChromeSpans::set_clock_offset(std::int64_t offset_ns) {
  builder_.set_clock_offset(source_, offset_ns);
  for (const auto& [rank, source] : own_sources_)
    builder_.set_clock_offset(source, offset_ns);
}

void ChromeSpans::add_metadata(const ChromeEvent& event) {
  std::string scratch;
  const std::int64_t process = number_of(event.process);
  if (event.name.raw == "thread_name" && !event.args.name.raw.empty()) {
    const std::string_view name = thread_name(text_of(event.args.name, scratch));
    builder_.name_lane(thread_key(event.process, event.thread), std::string(name));
    devices_.name_thread(process, number_of(event.thread), name);
  } else if (event.name.raw == "process_name" && !event.args.name.raw.empty()) {
    const std::string_view name = text_of(event.args.name, scratch);
    devices_.name_process(process, name);
    // The rank of a process, as our own exports call it, stands in front of the lane's name anyway.
    if (!name.starts_with("rank ")) builder_.name_process(source_, process, std::string(name));
  } else if (event.name.raw == "process_labels" && !event.args.name.raw.empty()) {
    const std::string_view labels = text_of(event.args.name, scratch);
    // Kineto's say only what the lanes do.
    if (labels != "CPU" && !labels.starts_with("GPU "))
      builder_.label_process(source_, process, std::string(labels));
  }
}

std::string_view ChromeSpans::name_of_event(const ChromeEvent& event) {
  if (event.name.control) {
    builder_.count(Severity::info, "control_characters",
                   "names with raw control characters: kept as they are");
  }
  if (event.name.high && !is_utf8(event.name.raw)) {
    builder_.count(Severity::info, "invalid_utf8",
                   "names with bytes that are no UTF-8: shown as U+FFFD");
  }
  if (event.name.escaped) {
    const JsonEscapes escapes = escapes_of(event.name);
    if (escapes.unknown) {
      builder_.count(Severity::info, "unknown_escapes",
                     "names with escapes that JSON does not know: kept with their backslash");
    }
    if (escapes.unpaired) {
      builder_.count(Severity::info, "impossible_characters",
                     "names with half a surrogate pair or an escaped NUL: shown as U+FFFD");
    }
  }
  return text_of(event.name, name_);
}

std::uint16_t ChromeSpans::lane_of(const ChromeEvent& event, Meaning meaning) {
  if (const auto own = own_place(event.args.lane)) return own->lane;
  switch (meaning) {
    case Meaning::kernel:
    case Meaning::copy:
    case Meaning::fill:
      return builder_.lane(device_key(event, LaneRole::stream));
    case Meaning::device_range:
      return builder_.lane(device_key(event, LaneRole::range));
    case Meaning::device_sync:
      return builder_.lane(device_key(event, LaneRole::sync));
    case Meaning::call:
    case Meaning::host_range:
    case Meaning::by_row:
    case Meaning::overhead:
      return builder_.lane(thread_key(event.process, event.thread));
  }
  return 0;
}

/// Where the event lies. Work that quintet export wrote tells its policy's lane beside the stream
/// that it ran on.
void ChromeSpans::place(const ChromeEvent& event, Meaning meaning) {
  const ChromeEventArgs& args = event.args;
  if (const auto own = own_place(args.lane)) {
    const auto policy = own_place(args.policy_lane);
    span_.lane = policy ? policy->lane : own->lane;
    if (policy) span_.executor_lane = own->lane;
    return;
  }
  const bool work =
      meaning == Meaning::kernel || meaning == Meaning::copy || meaning == Meaning::fill;
  if (!work || !args.captured_stream || args.logical_lane.raw.empty()) {
    span_.lane = lane_of(event, meaning);
    return;
  }
  LaneKey key = device_key(event, LaneRole::executor);
  const bool moved = key.id != *args.captured_stream;
  if (moved) span_.executor_lane = builder_.lane(key);
  key.role = LaneRole::stream;
  key.id = *args.captured_stream;
  span_.lane = builder_.lane(key);
  std::string scratch;
  builder_.title_lane(key, std::string(text_of(args.logical_lane, scratch)));
}

LaneKey ChromeSpans::device_key(const ChromeEvent& event, LaneRole role) {
  LaneKey key{source_, role, 0, 0, 0};
  const bool numbered = event.process.kind == ChromeId::Kind::number;
  const std::int64_t device = numbered ? event.process.number : event.args.device.value_or(0);
  if (device >= 0 && device <= std::numeric_limits<std::int32_t>::max())
    key.device = static_cast<std::int32_t>(device);
  else
    key.process = device;
  // Kineto's process is the device; where a writer reports both and they differ, `args` say which.
  const std::int64_t told = event.args.device.value_or(-1);
  if (told >= 0 && told <= std::numeric_limits<std::int32_t>::max() && told != device) {
    key.device = static_cast<std::int32_t>(told);
    key.process = device;
  }
  // Writers may spread work that overlaps over several threads: the stream is what `args` say.
  const bool by_args = (role == LaneRole::stream || role == LaneRole::executor) &&
                       event.args.stream.value_or(-1) >= 0;
  key.id = by_args ? *event.args.stream : number_of(event.thread);
  if (role == LaneRole::sync) key.id = stream_of_wait(event, event.name.raw);
  if (by_args) key.context = event.args.context.value_or(0);
  return key;
}

/// kNoStream where the wait is one for a whole context or device.
std::int64_t ChromeSpans::stream_of_wait(const ChromeEvent& event, std::string_view name) {
  if (names_no_stream(event.thread.text) || event.args.stream == kNoStream ||
      name.starts_with("Context Sync") || name.starts_with("Device Sync")) {
    return kNoStream;
  }
  const std::int64_t stream = number_of(event.thread);
  if (stream < kSyncThreads - 1) return stream;
  const std::int64_t waited = stream - kSyncThreads;
  return waited == std::numeric_limits<std::uint32_t>::max() ? kNoStream : waited;
}

LaneKey ChromeSpans::thread_key(const ChromeId& process, const ChromeId& thread, LaneRole role) {
  LaneKey key{source_, LaneRole::thread, 0, number_of(process), number_of(thread)};
  if (process.kind == ChromeId::Kind::text || thread.kind == ChromeId::Kind::text) {
    builder_.title_lane(key, fmt::format("host {}/{}", process.text, thread.text));
  }
  key.role = role;
  return key;
}

std::int64_t ChromeSpans::number_of(const ChromeId& id) {
  if (id.kind != ChromeId::Kind::text) return id.number;
  const auto known = text_ids_.find(id.text);
  if (known != text_ids_.end()) return known->second;
  const std::int64_t number = kFirstTextId - static_cast<std::int64_t>(text_ids_.size());
  text_ids_.emplace(id.text, number);
  return number;
}

/// Among whose ranges the event begins or ends one: a thread's, or those of an id.
std::uint32_t ChromeSpans::owner_of(const ChromeEvent& event) {
  const auto add = [this](std::int64_t number) {
    std::array<char, sizeof(number)> bytes{};
    std::memcpy(bytes.data(), &number, sizeof(number));
    owner_.append(bytes.data(), bytes.size());
  };
  const bool nested = sort_of(event.phase) == RangeSort::nested;
  owner_ = nested ? 'B' : event.phase == 'b' || event.phase == 'e' ? 'b' : 'S';
  owner_ += event.global_id && !nested ? 'g' : 'l';
  add(event.global_id && !nested ? 0 : number_of(event.process));
  if (nested) {
    add(number_of(event.thread));
    return ranges_.owner(owner_);
  }
  add(static_cast<std::int64_t>(event.category.raw.size()));
  owner_ += event.category.raw;
  owner_ += event.scope.raw;
  // There may be millions of ids, and few of what they mean something in.
  const std::uint32_t scope = id_scopes_.intern(owner_);
  owner_.assign(1, 'i');
  owner_.append(reinterpret_cast<const char*>(&scope), sizeof(scope));
  owner_ += event.id.text;
  return ranges_.owner(owner_);
}

}  // namespace quintet
