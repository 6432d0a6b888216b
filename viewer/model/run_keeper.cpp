#include "viewer/model/run_keeper.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "viewer/model/recorded_order.h"

namespace quintet::viewer {

namespace {

/// A growing trace is shown at most this often: everything that looks at it begins anew.
constexpr auto kBetweenPictures = std::chrono::milliseconds(300);

/// " as recorded (batch 8, amp, fused, resident input)"; empty where all is as the scenario says.
std::string knobs_of(const RunOrder& order) {
  std::vector<std::string> knobs;
  if (order.batch) knobs.push_back(fmt::format("batch {}", *order.batch));
  for (const std::string& knob : {order.precision, order.lowering}) {
    if (!knob.empty()) knobs.push_back(knob);
  }
  if (order.resident_input) knobs.emplace_back("resident input");
  return knobs.empty() ? "" : fmt::format(" as recorded ({})", fmt::join(knobs, ", "));
}

}  // namespace

std::string_view name_of(RunStage stage) {
  switch (stage) {
    case RunStage::none:
      return "not run";
    case RunStage::starting:
      return "starting";
    case RunStage::running:
      return "running";
    case RunStage::stopping:
      return "stopping";
    case RunStage::finished:
      return "finished";
    case RunStage::stopped:
      return "stopped";
    case RunStage::refused:
      return "refused: races";
    case RunStage::failed:
      return "failed";
    case RunStage::crashed:
      return "the worker crashed";
  }
  return {};
}

bool is_active(RunStage stage) {
  return stage == RunStage::starting || stage == RunStage::running || stage == RunStage::stopping;
}

std::vector<RunPoint> run_points(const Trace& trace) {
  std::vector<RunPoint> points;
  std::optional<std::int64_t> first;
  std::int64_t end_before = std::numeric_limits<std::int64_t>::min();
  for (const TraceStep& step : trace.steps) {
    // A step that was launched ahead shares its first time with the step before it.
    const std::int64_t begin = std::max(step.begin_ns, std::exchange(end_before, step.end_ns));
    if (step.phase != "train") continue;
    if (!first) first = step.begin_ns;
    RunPoint point;
    point.step = step.step;
    constexpr double kSecond = 1e9;
    point.seconds = static_cast<double>(step.end_ns - *first) / kSecond;
    point.loss = step.loss;
    const std::int64_t length = step.end_ns - begin;
    if (length > 0)
      point.samples_per_second =
          static_cast<double>(step.batch) * kSecond / static_cast<double>(length);
    points.push_back(point);
  }
  return points;
}

RunOrder order_of(const Workbench& workbench) {
  RunOrder order;
  // Beside a recording of the scenario: what can be compared with it.
  if (const Document* document = workbench.main_document()) {
    const auto recorded = recorded_order(*document);
    if (recorded && recorded->scenario == workbench.chosen_scenario) order = *recorded;
  }
  order.scenario = workbench.chosen_scenario;
  order.executor = workbench.chosen_executor;
  order.steps = workbench.chosen_steps;
  if (!workbench.draft_toml.empty()) {
    order.policy_toml = workbench.draft_toml;
  } else {
    order.policy = workbench.chosen_policy;
  }
  return order;
}

RunKeeper::RunKeeper(std::shared_ptr<RunSource> source, std::string why_none)
    : source_(std::move(source)), why_none_(std::move(why_none)) {}

void RunKeeper::prepare(PartContext& context) {
  if (!source_) return;
  // Asking starts a worker: only who looks at runs needs one.
  if (devices_.empty() && (context.workbench.bottom_tab == "run" || !concluded_)) {
    devices_ = source_->devices();
  }
  for (RunLine& line : source_->take_lines()) {
    if (line.level == LogLevel::note) {
      context.workbench.log.note(std::move(line.text));
    } else {
      context.workbench.log.warn(std::move(line.text));
    }
  }
  if (concluded_) return;
  standing_ = source_->standing();
  follow(context);
  if (!active()) conclude(context);
}

bool RunKeeper::handle(const Command& command, PartContext& context) {
  if (command.id == command_id::kRun) {
    start(context);
    return true;
  }
  if (command.id == command_id::kPlace) {
    propose(context.workbench);
    return false;
  }
  if (command.id == command_id::kStopRun) {
    if (source_ && active()) source_->stop();
    return true;
  }
  return false;
}

void RunKeeper::propose(Workbench& workbench) {
  const Document* document = workbench.main_document();
  if (document == nullptr) return;
  // What the user chose stays; what was proposed goes with its recording.
  if (!workbench.chosen_scenario.empty() && workbench.chosen_scenario != proposed_) return;
  if (const auto recorded = recorded_order(*document)) {
    proposed_ = recorded->scenario;
    workbench.chosen_scenario = proposed_;
  }
}

void RunKeeper::start(PartContext& context) {
  Workbench& workbench = context.workbench;
  if (!source_) {
    workbench.log.warn("Nothing can be run: " + why_none_);
    return;
  }
  // Another part may have started one: policies that are measured run here too.
  if (active() || is_active(source_->standing().stage)) {
    workbench.log.warn("A run goes on already", "stop it first: Ctrl+Shift+R");
    return;
  }
  order_ = order_of(workbench);
  if (order_.scenario.empty()) {
    workbench.log.warn("No scenario is chosen", "choose one in the top bar or in the Run tab");
    return;
  }
  side_ = workbench.document(Side::a) == nullptr ? Side::a : Side::b;
  standing_ = {};
  standing_.stage = RunStage::starting;
  points_.clear();
  concluded_ = false;
  placed_ = {};
  source_->start(order_);
  workbench.bottom_tab = "run";
  workbench.layout.bottom_shown = true;
  workbench.log.note(fmt::format("Run {}{} on {}{}", order_.scenario, knobs_of(order_),
                                 order_.executor,
                                 order_.policy.empty() ? "" : " under " + order_.policy));
}

void RunKeeper::follow(PartContext& context) {
  const RunPicture picture = source_->picture();
  if (!picture.trace || picture.generation == generation_) return;
  const auto now = std::chrono::steady_clock::now();
  if (active() && now - placed_ < kBetweenPictures) return;
  placed_ = now;
  generation_ = picture.generation;
  points_ = run_points(*picture.trace);
  PlaceDocument placed;
  placed.side = side_;
  placed.document.trace = picture.trace;
  placed.document.file = standing_.recording;
  placed.document.live = true;
  placed.document.history = picture.history;
  context.commands.emit(command_id::kPlace, std::move(placed));
}

void RunKeeper::conclude(PartContext& context) {
  concluded_ = true;
  WorkbenchLog& log = context.workbench.log;
  if (standing_.error) log.fail(*standing_.error);
  for (const std::string& race : standing_.races)
    log.warn("Race: " + race);
  log.note(fmt::format("Run {}: {} after {} steps", order_.scenario, name_of(standing_.stage),
                       standing_.step));
  std::error_code unknown;
  if (!standing_.recording.empty() && std::filesystem::exists(standing_.recording, unknown)) {
    context.commands.emit(command_id::kOpenFile, OpenFile{standing_.recording, side_});
    return;
  }
  // What came over the wire is all there is: it grows no more.
  const Document* shown = context.workbench.document(side_);
  if (shown == nullptr || !shown->live) return;
  PlaceDocument last{side_, *shown};
  last.document.live = false;
  context.commands.emit(command_id::kPlace, std::move(last));
}

}  // namespace quintet::viewer
