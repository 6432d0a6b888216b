/// The best policies that tuning found, run one after the other: what they take, beside what was
/// predicted.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "viewer/model/part.h"
#include "viewer/model/run_source.h"
#include "viewer/model/tuning/tuning.h"

namespace quintet::viewer {

enum class MeasureStage : std::uint8_t { waiting, running, measured, failed };

/// One policy that is run.
struct Measurement {
  std::size_t candidate = 0;  ///< its place in Tuning::candidates
  MeasureStage stage = MeasureStage::waiting;
  std::string phase;                    ///< while it runs: "timing"
  std::optional<std::int64_t> step_ns;  ///< median, timed without the recorder
  std::string recording;                ///< of the run; empty = not on this machine
  std::optional<Error> error;           ///< why it has no time
};

/// What a run of the recording's scenario would train: the same batch, precision and lowering on the
/// same executor, as many steps as a run times without the recorder. Errors: a scenario that is not
/// built in, as of an import; changes that this version does not know.
Result<RunOrder> order_of_recording(const Document& document);

/// Places in Tuning::candidates: the recorded policy, which the others are held against; then what
/// choose_to_measure() chooses of those within the limit.
std::vector<std::size_t> to_measure(const Tuning& tuning, std::size_t count);

/// Takes kMeasureTuned, and kStopRun while it measures. A measurement is of one tuning and goes with
/// it.
class MeasureKeeper : public Part {
 public:
  /// `source` null: nothing can be run, and `why_none` says why.
  MeasureKeeper(std::shared_ptr<RunSource> source, std::string why_none);

  [[nodiscard]] std::string_view id() const override { return "measure"; }
  void prepare(PartContext& context) override;
  bool handle(const Command& command, PartContext& context) override;

  [[nodiscard]] bool can_run() const { return source_ != nullptr; }
  [[nodiscard]] const std::string& why_none() const { return why_none_; }
  /// "this machine", "user@host"; empty where nothing can be run.
  [[nodiscard]] std::string place() const { return source_ ? source_->place() : std::string(); }
  [[nodiscard]] bool active() const { return active_; }
  /// In the order in which they run; the recorded policy first.
  [[nodiscard]] const std::vector<Measurement>& measurements() const { return measurements_; }
  /// The one of a candidate, or null.
  [[nodiscard]] const Measurement* of(std::size_t candidate) const;
  /// The fastest of those that were measured: its place in Tuning::candidates.
  [[nodiscard]] std::optional<std::size_t> winner() const;

 private:
  void start(PartContext& context);
  void follow(PartContext& context);
  void settle(const RunStanding& standing);
  void begin_next(PartContext& context);
  void end(PartContext& context);
  void drop();

  std::shared_ptr<RunSource> source_;
  std::string why_none_;
  std::shared_ptr<const Tuning> tuning_;  ///< whose policies are measured
  RunOrder order_;
  std::vector<Measurement> measurements_;
  std::optional<std::size_t> running_;  ///< its place in measurements_
  bool active_ = false;
  bool stopping_ = false;
};

}  // namespace quintet::viewer
