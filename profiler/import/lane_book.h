/// Interns the lanes of imported files: one lane for each (file, role, process, device, id).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "profiler/import/import_source.h"
#include "profiler/import/index_table.h"
#include "profiler/trace/trace.h"
#include "runtime/model/lane.h"

namespace quintet {

/// True where what lies on such lanes was timed by the host's clock.
constexpr bool is_host(LaneRole role) {
  return role == LaneRole::thread || role == LaneRole::started;
}

/// The stream of waits and ranges that are of a whole context or device.
inline constexpr std::int64_t kNoStream = -1;

/// What one lane is called inside its file. Two files, or two processes, never share a lane.
struct LaneKey {
  ImportSourceId source;
  LaneRole role = LaneRole::stream;
  std::int32_t device = 0;   ///< ordinal; of threads and of ranges started there 0
  std::int64_t process = 0;  ///< of streams 0 where the file does not say
  std::int64_t id = 0;       ///< of the stream or thread; may be negative
  std::int64_t context = 0;  ///< of streams: they are numbered within it; 0 = the file does not say
  friend auto operator<=>(const LaneKey&, const LaneKey&) = default;
};

/// Owns the lanes of a trace under construction. Lanes count in order of first use until finish()
/// puts them in order: of rank, then role, device, process, id. Ranges started on a thread follow it.
class LaneBook {
 public:
  /// The trace stores lanes in 16 bits. Those beyond share one lane for each file and role.
  static constexpr std::size_t kMostLanes = 60'000;

  /// The lane of this key, a new one where it is new.
  std::uint16_t lane(const LaneKey& key);
  /// Adds a name to the lane's own, before or after its first use: "python3". The first one stays.
  void name_lane(const LaneKey& key, const std::string& name);
  /// Replaces the lane's own name, for ids that are no numbers: "host Spans/PyTorch Profiler".
  void title_lane(const LaneKey& key, const std::string& title);

  /// The lane of a key that stands for a lane of another trace: it keeps the name and origin that it
  /// had there.
  std::uint16_t restore_lane(const LaneKey& key, const std::string& name,
                             const std::optional<TraceLaneOrigin>& origin);
  /// The name of a process, shown by the lanes of its threads: "host python3 1234/1240". The first
  /// one stays.
  void name_process(ImportSourceId source, std::int64_t process, const std::string& name);
  /// Further words on a process: "host python3 (trainer) 1234/1240". The first ones stay.
  void label_process(ImportSourceId source, std::int64_t process, const std::string& label);
  /// The lane of `to`. Where only `from` has a lane, that one becomes it, and stands for both from
  /// now on: it turned out to be something else.
  std::uint16_t move_lane(const LaneKey& from, const LaneKey& to);

  [[nodiscard]] const LaneKey& key_of(std::uint16_t lane) const { return keys_[lane]; }
  [[nodiscard]] std::size_t size() const { return keys_.size(); }
  /// How many lookups went to a shared lane because there were too many lanes.
  [[nodiscard]] std::int64_t crowded() const { return crowded_; }

  struct Ordered {
    LaneTable lanes;
    std::vector<TraceLaneOrigin> origins;  ///< by lane
    std::vector<std::uint16_t> place;      ///< per lane of the book: its index in `lanes`
  };
  /// The lane table, every lane with a name of its own. `sources` are those the keys index.
  [[nodiscard]] Ordered finish(const std::vector<ImportSource>& sources) const;

 private:
  [[nodiscard]] std::string title(const LaneKey& key) const;
  [[nodiscard]] std::string thread_title(const LaneKey& key) const;

  std::vector<LaneKey> keys_;
  IndexTable index_;
  std::map<LaneKey, std::uint16_t> moved_;  ///< keys that lanes had before
  std::map<LaneKey, std::string> names_;
  std::map<LaneKey, std::string> titles_;
  struct Restored {
    std::string name;
    std::optional<TraceLaneOrigin> origin;
  };
  std::map<LaneKey, Restored> restored_;
  struct ProcessNames {
    std::string name;
    std::string label;
  };
  std::map<std::pair<ImportSourceId, std::int64_t>, ProcessNames> processes_;
  LaneKey last_key_;
  std::uint16_t last_lane_ = 0;
  std::int64_t crowded_ = 0;
};

}  // namespace quintet
