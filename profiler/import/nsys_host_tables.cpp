#include "profiler/import/nsys_host_tables.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "profiler/import/range_pairs.h"
#include "profiler/import/step_name.h"

namespace quintet {

namespace {

/// A table of what threads did, one row each.
struct HostTable {
  std::string_view name;
  ActivityKind kind = ActivityKind::api_call;
  RangeSort range = RangeSort::nested;
  std::string_view word;  ///< for what has no name
};

void read_host_table(NsysReading& reading, const HostTable& table) {
  TableRows rows(reading.database(), table.name);
  const auto start = rows.column("start");
  const auto end = rows.column("end");
  const auto thread = rows.column("globalTid");
  const auto correlation = rows.column("correlationId");
  const auto name = rows.column("nameId");
  const bool has_end = rows.has("end");
  const bool calls = table.kind == ActivityKind::api_call;
  while (reading.next_event(rows)) {
    const auto begin_ns = rows.integer(start);
    const auto end_ns = rows.integer(end);
    if (!begin_ns || (!end_ns && !(has_end && rows.is_null(end)))) {
      reading.skip_row(rows);
      continue;
    }
    ImportedSpan span;
    span.activity.kind = table.kind;
    span.activity.range = table.range;
    span.activity.name = reading.name(rows, name, table.word);
    span.lane = reading.thread_lane(rows.integer(thread));
    span.begin_ns = *begin_ns;
    if (calls) span.correlation = reading.correlation(rows.integer(correlation));
    if (calls && span.activity.name.find("GraphLaunch") != std::string_view::npos)
      reading.note_graph_launch();
    reading.add(span, end_ns);
  }
  reading.close(rows);
}

/// Which NVTX rows one pass over their table draws.
enum class RangePass : std::uint8_t { closed, open };

class RangeReader {
 public:
  explicit RangeReader(NsysReading& reading)
      : reading_(reading),
        rows_(reading.database(), "NVTX_EVENTS"),
        start_(rows_.column("start")),
        end_(rows_.column("end")),
        type_(rows_.column("eventType")),
        text_(rows_.column("text")),
        text_id_(rows_.column("textId")),
        thread_(rows_.column("globalTid")),
        domain_(rows_.column("domainId")),
        signed_payload_(rows_.column("int64Value")),
        unsigned_payload_(rows_.column("uint64Value")) {}

  /// Returns how many open ranges it met.
  std::int64_t read(RangePass pass) {
    std::int64_t open = 0;
    // The second pass meets rows that the first has counted.
    while (pass == RangePass::closed ? reading_.next_event(rows_) : reading_.next(rows_)) {
      if (!is_range()) {
        if (pass == RangePass::closed) note_domain();
        continue;
      }
      const bool is_open = rows_.is_null(end_);
      open += is_open ? 1 : 0;
      if (is_open == (pass == RangePass::open)) draw();
    }
    if (pass == RangePass::closed) reading_.close(rows_);
    add_payload_steps();
    return open;
  }

 private:
  static constexpr std::int64_t kStartEnd = 60;
  using Domain = std::pair<std::int64_t, std::int64_t>;  ///< process and id
  /// Marks, names of categories and domains and the like take no time.
  [[nodiscard]] bool is_range() {
    constexpr std::int64_t kPushPop = 59;
    const std::optional<std::int64_t> type = rows_.integer(type_);
    if (!type) return !rows_.is_null(end_);
    return type == kPushPop || type == kStartEnd;
  }

  /// Domains are told by rows of their own, perhaps behind those that lie in them.
  void note_domain() {
    constexpr std::int64_t kDomainCreate = 75;
    if (rows_.integer(type_) != kDomainCreate) return;
    const auto name = rows_.is_null(text_) ? text_id_ : text_;
    if (rows_.is_null(name) || reading_.name(rows_, name, "domain") != kOwnRangeDomain) return;
    own_domains_.insert(domain());
  }

  [[nodiscard]] Domain domain() {
    return {nsys_global_id(rows_.integer(thread_).value_or(0)).process,
            rows_.integer(domain_).value_or(0)};
  }

  [[nodiscard]] std::optional<std::int64_t> payload() {
    const std::optional<std::int64_t> payload = rows_.integer(signed_payload_);
    return payload ? payload : rows_.integer(unsigned_payload_);
  }

  void note_step(std::string_view name, std::int64_t start_ns, std::int64_t end_ns) {
    if (start_ns >= end_ns) return;
    if (const auto step = named_step(name)) {
      reading_.builder().add_step(reading_.source(), *step, start_ns, end_ns);
    } else if (const auto own = named_step(name, kOwnRangeDomain, payload())) {
      payload_steps_.push_back({domain(), *own, start_ns, end_ns});
    }
  }

  void add_payload_steps() {
    for (const PayloadStep& each : payload_steps_) {
      if (own_domains_.contains(each.domain))
        reading_.builder().add_step(reading_.source(), each.step, each.start_ns, each.end_ns);
    }
    payload_steps_.clear();
  }

  void draw() {
    const std::optional<std::int64_t> start = rows_.integer(start_);
    const bool is_open = rows_.is_null(end_);
    std::optional<std::int64_t> end = rows_.integer(end_);
    if (start && is_open) end = std::max(*start, reading_.latest_ns().value_or(*start));
    if (!start || !end) {
      reading_.skip_row(rows_);
      return;
    }
    const std::int64_t thread = rows_.integer(thread_).value_or(0);
    if (is_open && ++open_of_thread_[thread] > RangePairs::kMostDepth) {
      reading_.builder().count(
          Severity::data_loss, "too_deep_ranges",
          fmt::format("ranges nested deeper than {}: left out", RangePairs::kMostDepth));
      return;
    }
    ImportedSpan span;
    span.activity.kind = ActivityKind::host_range;
    const bool started = rows_.integer(type_) == kStartEnd;
    if (started) span.activity.range = RangeSort::started;
    std::string name(reading_.name(rows_, rows_.is_null(text_) ? text_id_ : text_, "range"));
    if (is_open) name += " (open)";
    span.activity.name = name;
    // Where it was started; it may have ended on another thread.
    span.lane = reading_.thread_lane(rows_.integer(thread_),
                                     started ? LaneRole::started : LaneRole::thread);
    span.begin_ns = *start;
    span.end_ns = *end;
    const bool drawn = reading_.add(span);
    if (drawn && !is_open) note_step(name, *start, *end);
  }

  /// What may be a step, once it is known whose domain it lies in.
  struct PayloadStep {
    Domain domain;
    NamedStep step;
    std::int64_t start_ns = 0;
    std::int64_t end_ns = 0;
  };

  NsysReading& reading_;
  TableRows rows_;
  TableRows::Column start_, end_, type_, text_, text_id_, thread_;
  TableRows::Column domain_, signed_payload_, unsigned_payload_;
  std::set<Domain> own_domains_;
  std::map<std::int64_t, std::uint32_t> open_of_thread_;
  std::vector<PayloadStep> payload_steps_;
};

}  // namespace

void read_nsys_calls(NsysReading& reading) {
  for (const std::string_view table : {"CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_DRIVER"})
    read_host_table(reading, {table, ActivityKind::api_call, RangeSort::nested, "call"});
  // What Nsight and CUPTI did for themselves on the threads of the program.
  read_host_table(reading,
                  {"PROFILER_OVERHEAD", ActivityKind::host_range, RangeSort::overhead, "overhead"});
}

void read_nsys_ranges(NsysReading& reading) {
  // Two passes rather than a list of open ranges, of which there may be any number.
  const std::int64_t open = RangeReader(reading).read(RangePass::closed);
  if (open == 0) return;
  RangeReader(reading).read(RangePass::open);
  reading.builder().count(
      Severity::notice, "open_ranges",
      "ranges that never end: closed, and marked as open, at the end of the file", open);
}

void read_nsys_thread_names(NsysReading& reading) {
  TableRows rows(reading.database(), "ThreadNames");
  const auto thread = rows.column("globalTid");
  const auto name = rows.column("nameId");
  std::size_t named = 0;
  while (named < LaneBook::kMostLanes && reading.next(rows)) {
    const auto id = rows.integer(thread);
    const auto text_id = rows.integer(name);
    const auto text = text_id ? reading.strings().find(*text_id) : std::nullopt;
    if (!id || !text || text->empty()) continue;
    reading.builder().name_lane({reading.source(), LaneRole::thread, 0,
                                 reading.processes().key_of(*id), nsys_global_id(*id).tid},
                                std::string(*text));
    ++named;
  }
  reading.close(rows);
}

}  // namespace quintet
