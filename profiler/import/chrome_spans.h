/// Turns the events of one Chrome trace into spans: what Kineto's categories mean, whose lane an
/// event lies on, what is counted and not drawn.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profiler/import/chrome_devices.h"
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
    by_row,  ///< the category does not say: what the names of its process and thread make it
  };

  static constexpr std::uint32_t kNoWork = 0xFFFFFFFF;

  /// An event whose meaning depends on names that may still come.
  struct HeldEvent {
    std::int64_t process = 0;
    std::int64_t thread = 0;
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
    std::uint32_t name = 0;  ///< of held_names_
    std::uint32_t category = 0;
    std::uint32_t correlation = 0;
    std::uint32_t work = kNoWork;      ///< of held_work_
    std::optional<std::int64_t> step;  ///< that it marks
    bool timed = true;
  };

  /// An event whose row is known.
  struct RowEvent {
    std::int64_t process = 0;
    std::int64_t thread = 0;
    std::size_t category = 0;
    const DeviceWork* work = nullptr;  ///< null = it has no `args`
    std::optional<std::int64_t> step;
    std::optional<std::uint16_t> range_lane;  ///< of a range with a begin and an end
    bool timed = true;
    bool may_mark_step = true;
  };

  /// Events of rows that seem to be devices' and became ranges of a host.
  struct Unrecognised {
    std::int64_t events = 0;
    std::vector<std::string> rows;  ///< the first few
  };

  /// What is drawn of a device that only names describe.
  struct NamedDevice {
    std::int64_t work = 0;
    Unrecognised projections;
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

  void note_correlation(const ChromeEventArgs& args);
  void add_by_row(const ChromeEvent& event, std::size_t category);
  /// Takes span_ to the row that it lies on, or holds it until all names are known.
  void place_by_row(const RowEvent& event);
  void hold(const RowEvent& event);
  void draw_held();
  /// Hands out span_, which lies on `row`.
  void draw_on_row(const RowEvent& event, const DeviceRow& row);
  void make_host_event(const RowEvent& event, const DeviceRow& row);
  /// False where nobody knows on which device it ran.
  [[nodiscard]] bool make_device_work(const RowEvent& event, const DeviceRow& row);
  void make_projection(const RowEvent& event, const DeviceRow& row);
  void note_unrecognised(const RowEvent& event, Unrecognised& unrecognised);
  void judge_rows();
  void pair_ranges();
  [[nodiscard]] std::string row_name(const RowEvent& event) const;
  void name_stream(const LaneKey& key, std::uint16_t lane, const RowEvent& event,
                   const DeviceRow& row);
  [[nodiscard]] std::uint16_t lane_on_device(const RowEvent& event, const LaneKey& key);
  [[nodiscard]] WorkSort work_sort(const RowEvent& event, const DeviceRow& row) const;
  void name_work(const RowEvent& event, const DeviceRow& row);
  [[nodiscard]] std::int64_t stream_of_wait(const ChromeEvent& event, std::string_view name);

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
  std::vector<bool> of_devices_;   ///< per category: by its name, only devices have such events
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
  ChromeDevices devices_;
  std::vector<HeldEvent> held_;
  std::vector<DeviceWork> held_work_;
  std::map<std::string, std::uint32_t, std::less<>> held_names_;
  std::vector<const std::string*> held_name_texts_;  ///< by number
  std::vector<bool> named_lanes_;                    ///< of devices
  std::map<std::uint16_t, std::pair<std::int64_t, std::int64_t>> range_rows_;
  std::string work_name_;
  std::map<std::int32_t, NamedDevice> named_devices_;
  Unrecognised unrecognised_;
};

}  // namespace quintet
