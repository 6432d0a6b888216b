#include "profiler/import/chrome_spans.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <set>

#include "profiler/import/json_text.h"

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
  });
  for (const Known& known : kKnown) {
    if (known.category == category) return known.meaning;
  }
  // cuda_runtime, cuda_driver, and those of other makes.
  if (category.ends_with("_runtime") || category.ends_with("_driver")) return Meaning::call;
  return Meaning::host_range;
}

std::size_t ChromeSpans::count(std::string_view category) {
  const std::size_t place = categories_.place_of(category);
  if (place == meanings_.size()) meanings_.push_back(meaning_of(category));
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
    case Meaning::device_range:
    case Meaning::device_sync:
      facts.kind = ActivityKind::host_range;
      if (!own_lanes_.empty() && args.op.raw == "GRAPH") facts.kind = ActivityKind::graph;
      if (facts.kind != ActivityKind::graph) return;
      break;
  }
  if (args.correlation && *args.correlation <= std::numeric_limits<std::uint32_t>::max()) {
    span_.correlation = static_cast<std::uint32_t>(*args.correlation);
  } else if (args.correlation) {
    builder_.count(Severity::notice, "wide_correlation",
                   "correlation ids beyond 32 bits: joined with nothing");
  }
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
  if (range.end_ns) {
    if (draw(range.category)) add_step(range.name);
    return;
  }
  builder_.count(Severity::notice, "open_ranges",
                 "ranges that never end: closed, and marked as open, at the end of the file");
  name_ = range.name;
  name_ += " (open)";
  span_.activity.name = name_;
  span_.end_ns = std::max(last_ns_, range.begin_ns);
  draw(range.category);
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
  report(Severity::notice, "crossing_ranges",
         "ranges of a thread that begin inside another one and end after it: paired by their names",
         counts.crossing);
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
  if (event.name.raw != "thread_name" || event.args.name.raw.empty()) return;
  std::string scratch;
  const std::string_view name = thread_name(text_of(event.args.name, scratch));
  builder_.name_lane(thread_key(event.process, event.thread), std::string(name));
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
  // Writers may spread work that overlaps over several threads: the stream is what `args` say.
  const bool by_args = (role == LaneRole::stream || role == LaneRole::executor) &&
                       event.args.stream.value_or(-1) >= 0;
  key.id = by_args ? *event.args.stream : number_of(event.thread);
  if (role == LaneRole::sync && key.id >= kSyncThreads) key.id -= kSyncThreads;
  if (by_args) key.context = event.args.context.value_or(0);
  return key;
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
