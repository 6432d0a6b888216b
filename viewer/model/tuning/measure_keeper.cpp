#include "viewer/model/tuning/measure_keeper.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "profiler/report/format.h"
#include "scenarios/lab/measurement_choice.h"
#include "viewer/model/mapping/mapping_keeper.h"
#include "viewer/model/recorded_order.h"
#include "viewer/model/tuning/tune_keeper.h"

namespace quintet::viewer {

namespace {

/// A run that is shorter than this does not spare the time to time steps without the recorder.
constexpr std::int64_t kStepsOfARun = 96;

Error error_of(const RunStanding& standing) {
  if (standing.error) return *standing.error;
  if (!standing.races.empty()) return Error{"refused: " + standing.races.front(), "", "", 0};
  if (standing.stage == RunStage::stopped) return Error{"stopped before it was timed", "", "", 0};
  return Error{"the run is too short to be timed without the recorder",
               fmt::format("it needs {} steps", kStepsOfARun), "", 0};
}

}  // namespace

Result<RunOrder> order_of_recording(const Document& document) {
  auto order = recorded_order(document);
  if (!order) return order;
  order->executor = document.said("executor");
  order->steps = kStepsOfARun;
  order->epochs = kStepsOfARun;  // each has a step at least: the data may be few
  return order;
}

std::vector<std::size_t> to_measure(const Tuning& tuning, std::size_t count) {
  std::vector<std::size_t> places;
  std::vector<const RatedPolicy*> rated;
  std::optional<std::size_t> recorded;
  for (std::size_t at = 0; at < tuning.candidates.size(); ++at) {
    if (at == tuning.recorded) {
      recorded = places.size();
    } else if (!tuning.candidates[at].within) {
      continue;
    }
    places.push_back(at);
    rated.push_back(&tuning.candidates[at].rated);
  }
  std::vector<std::size_t> chosen;
  for (const std::size_t place : choose_to_measure(rated, count, recorded))
    chosen.push_back(places[place]);
  return chosen;
}

MeasureKeeper::MeasureKeeper(std::shared_ptr<RunSource> source, std::string why_none)
    : source_(std::move(source)), why_none_(std::move(why_none)) {}

const Measurement* MeasureKeeper::of(std::size_t candidate) const {
  const auto found =
      std::find_if(measurements_.begin(), measurements_.end(),
                   [&](const Measurement& each) { return each.candidate == candidate; });
  return found == measurements_.end() ? nullptr : &*found;
}

std::optional<std::size_t> MeasureKeeper::winner() const {
  const Measurement* best = nullptr;
  for (const Measurement& each : measurements_) {
    if (!each.step_ns || (best != nullptr && *best->step_ns <= *each.step_ns)) continue;
    best = &each;
  }
  return best == nullptr ? std::nullopt : std::optional(best->candidate);
}

void MeasureKeeper::drop() {
  if (active_ && is_active(source_->standing().stage)) source_->stop();
  tuning_ = nullptr;
  measurements_.clear();
  running_.reset();
  active_ = false;
  stopping_ = false;
}

void MeasureKeeper::prepare(PartContext& context) {
  const auto* tune = context.parts.find<TuneKeeper>();
  if (tuning_ != nullptr && (tune == nullptr || tune->tuning() != tuning_)) drop();
  if (active_) follow(context);
}

void MeasureKeeper::follow(PartContext& context) {
  if (running_) {
    const RunStanding standing = source_->standing();
    Measurement& now = measurements_[*running_];
    now.phase = standing.phase;
    // A timing that is broken off is a median of fewer steps.
    if (!stopping_ && standing.untraced_step_ns) now.step_ns = standing.untraced_step_ns;
    if (is_active(standing.stage)) return;
    settle(standing);
  }
  begin_next(context);
}

void MeasureKeeper::settle(const RunStanding& standing) {
  Measurement& now = measurements_[*running_];
  running_.reset();
  now.phase.clear();
  now.recording = standing.recording;
  now.stage = now.step_ns ? MeasureStage::measured : MeasureStage::failed;
  if (!now.step_ns) now.error = error_of(standing);
  // What befell the worker or the device would befall the next one too.
  if (standing.stage == RunStage::failed || standing.stage == RunStage::crashed) stopping_ = true;
}

void MeasureKeeper::begin_next(PartContext& context) {
  const auto next =
      std::find_if(measurements_.begin(), measurements_.end(),
                   [](const Measurement& each) { return each.stage == MeasureStage::waiting; });
  if (stopping_ || next == measurements_.end()) {
    end(context);
    return;
  }
  running_ = static_cast<std::size_t>(next - measurements_.begin());
  next->stage = MeasureStage::running;
  RunOrder order = order_;
  order.policy_toml = save_policy(tuning_->candidates[next->candidate].rated.policy);
  order.label = fmt::format("measured-{}", *running_ + 1);
  source_->start(order);
}

void MeasureKeeper::end(PartContext& context) {
  active_ = false;
  stopping_ = false;
  std::erase_if(measurements_,
                [](const Measurement& each) { return each.stage == MeasureStage::waiting; });
  WorkbenchLog& log = context.workbench.log;
  for (const Measurement& each : measurements_) {
    const std::string& name = tuning_->candidates[each.candidate].rated.policy.name;
    if (each.error) log.warn(fmt::format("{}: {}", name, each.error->message), each.error->cure);
  }
  if (const auto best = winner()) {
    log.note(fmt::format("Measured the best: {}, {} a step",
                         tuning_->candidates[*best].rated.policy.name,
                         format_duration(static_cast<double>(*of(*best)->step_ns))));
  }
}

void MeasureKeeper::start(PartContext& context) {
  Workbench& workbench = context.workbench;
  const auto* tune = context.parts.find<TuneKeeper>();
  const Document* document = mapped_document(workbench);
  if (!source_) {
    workbench.log.warn("Nothing can be run: " + why_none_);
    return;
  }
  if (tune == nullptr || tune->tuning() == nullptr || document == nullptr) {
    workbench.log.warn("Nothing was found yet", "tune the mapping first: Ctrl+U");
    return;
  }
  if (active_ || is_active(source_->standing().stage)) {
    workbench.log.warn("A run goes on already", "stop it first: Ctrl+Shift+R");
    return;
  }
  Result<RunOrder> order = order_of_recording(*document);
  if (!order) {
    workbench.log.fail(order.error());
    return;
  }
  order_ = std::move(*order);
  tuning_ = tune->tuning();
  measurements_.clear();
  for (const std::size_t place :
       to_measure(*tuning_, static_cast<std::size_t>(workbench.tuning.measured)))
    measurements_.push_back({place, MeasureStage::waiting, {}, {}, {}, {}});
  active_ = true;
  stopping_ = false;
  workbench.bottom_tab = "tune";
  workbench.layout.bottom_shown = true;
  begin_next(context);
}

bool MeasureKeeper::handle(const Command& command, PartContext& context) {
  if (command.id == command_id::kMeasureTuned) {
    start(context);
    return true;
  }
  if (command.id == command_id::kStopRun && active_) {
    stopping_ = true;
    source_->stop();
    return true;
  }
  return false;
}

}  // namespace quintet::viewer
