/// Turns the events of one Chrome trace into spans: what Kineto's categories mean, whose lane an
/// event lies on, what is counted and not drawn.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/import/chrome_event.h"
#include "profiler/import/import_report.h"
#include "profiler/import/own_document.h"
#include "profiler/import/range_pairs.h"
#include "profiler/import/text_pool.h"
#include "profiler/import/trace_builder.h"

namespace quintet {

/// Owns what must be remembered from event to event. Times go to the builder as the file tells them.
class ChromeSpans {
 public:
  ChromeSpans(TraceBuilder& builder, ImportSourceId source) : builder_(builder), source_(source) {}
  ChromeSpans(const ChromeSpans&) = delete;
  ChromeSpans& operator=(const ChromeSpans&) = delete;

  void add(const ChromeEvent& event);
  /// Pairs begins and ends, which may lie anywhere in the file. Last.
  void finish();

  // What quintet export adds:
  void restore(const OwnDocument& document);
  void restore_steps() { builder_.restore_steps(source_); }
  void restore_step(std::optional<TraceStep> step);
  void restore_untimed(const ChromeEvent& event);
  /// Of all that the file holds.
  void set_clock_offset(std::int64_t offset_ns);

  [[nodiscard]] const CategoryCounts& categories() const { return categories_; }
  [[nodiscard]] std::int64_t events() const { return events_; }

 private:
  /// What events of a category become.
  enum class Meaning : std::uint8_t {
    kernel,
    copy,
    fill,
    call,
    host_range,
    overhead,
    device_range,
    device_sync,
  };

  void add_complete(const ChromeEvent& event);
  void begin_range(const ChromeEvent& event);
  void end_range(const ChromeEvent& event);
  void set_span(const PairedRange& range);
  void add_range(const PairedRange& range);
  bool draw(std::size_t category);
  void add_metadata(const ChromeEvent& event);
  void add_step(std::string_view name);
  void describe_work(const ChromeEvent& event, Meaning meaning);

  /// The lane that an argument of an event names; nothing in documents of others.
  struct OwnPlace {
    std::uint16_t lane = 0;
    bool steps = false;
  };
  [[nodiscard]] std::optional<OwnPlace> own_place(const std::optional<std::int64_t>& index) const;
  [[nodiscard]] ImportSourceId source_of_rank(int rank);

  static Meaning meaning_of(std::string_view category);
  [[nodiscard]] std::uint16_t lane_of(const ChromeEvent& event, Meaning meaning);
  void place(const ChromeEvent& event, Meaning meaning);
  [[nodiscard]] LaneKey device_key(const ChromeEvent& event, LaneRole role);
  [[nodiscard]] LaneKey thread_key(const ChromeId& process, const ChromeId& thread,
                                   LaneRole role = LaneRole::thread);
  [[nodiscard]] std::int64_t number_of(const ChromeId& id);
  [[nodiscard]] std::uint32_t owner_of(const ChromeEvent& event);
  std::string_view name_of_event(const ChromeEvent& event);
  std::size_t count(std::string_view category);

  TraceBuilder& builder_;
  ImportSourceId source_;
  CategoryCounts categories_;
  std::vector<Meaning> meanings_;  ///< per category
  std::int64_t events_ = 0;
  std::int64_t last_ns_ = INT64_MIN;  ///< the latest time of any range
  ImportedSpan span_;
  std::string name_;
  std::map<std::string, std::int64_t, std::less<>> text_ids_;
  RangePairs ranges_;
  TextPool id_scopes_;  ///< within what ids mean something: phase, process, category, scope
  std::string owner_;   ///< the key of the last one
  std::vector<OwnPlace> own_lanes_;
  std::map<int, ImportSourceId> own_sources_;  ///< by rank, where the document has several
};

}  // namespace quintet
