/// The run of the Run tab: started, followed while it trains, opened when it is done.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "viewer/model/part.h"
#include "viewer/model/run_source.h"

namespace quintet::viewer {

/// One training step of a run, as curves show it.
struct RunPoint {
  std::int64_t step = 0;
  double seconds = 0;  ///< its end, since the first step's begin
  std::optional<double> loss;
  double samples_per_second = 0;  ///< 0 = its length is not known
};

/// The training steps of a trace in their order.
std::vector<RunPoint> run_points(const Trace& trace);

/// Takes kRun and kStopRun. A run is shown beside what is open: as B where A is open, else as A.
class RunKeeper : public Part {
 public:
  /// `source` null: nothing can be run, and `why_none` says why.
  RunKeeper(std::shared_ptr<RunSource> source, std::string why_none);

  [[nodiscard]] std::string_view id() const override { return "run"; }
  void prepare(PartContext& context) override;
  bool handle(const Command& command, PartContext& context) override;

  [[nodiscard]] bool can_run() const { return source_ != nullptr; }
  [[nodiscard]] const std::string& why_none() const { return why_none_; }
  [[nodiscard]] std::string place() const { return source_ ? source_->place() : std::string(); }
  [[nodiscard]] const RunStanding& standing() const { return standing_; }
  [[nodiscard]] const RunOrder& order() const { return order_; }
  [[nodiscard]] Side side() const { return side_; }
  [[nodiscard]] const std::vector<RunPoint>& points() const { return points_; }
  [[nodiscard]] const std::vector<RunDevice>& devices() const { return devices_; }
  [[nodiscard]] bool active() const { return is_active(standing_.stage); }

 private:
  /// Where nothing is chosen yet: the scenario of what was opened.
  void propose(Workbench& workbench);
  void start(PartContext& context);
  void follow(PartContext& context);
  void conclude(PartContext& context);

  std::shared_ptr<RunSource> source_;
  std::string why_none_;
  RunOrder order_;
  Side side_ = Side::a;
  RunStanding standing_;
  std::vector<RunPoint> points_;
  std::vector<RunDevice> devices_;
  std::uint64_t generation_ = 0;
  bool concluded_ = true;
  std::string proposed_;  ///< the scenario that was chosen for the user
  std::chrono::steady_clock::time_point placed_;
};

/// What a run of the workbench's choices would train: beside a recording of the chosen scenario with
/// its batch, precision, lowering and input. Empty scenario: none is chosen.
RunOrder order_of(const Workbench& workbench);

}  // namespace quintet::viewer
