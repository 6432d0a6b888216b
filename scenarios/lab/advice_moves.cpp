#include "scenarios/lab/advice_moves.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>

#include "profiler/analysis/step_window.h"
#include "profiler/analysis/task_relations.h"
#include "profiler/analysis/wait_attribution.h"
#include "profiler/whatif/simulator.h"
#include "profiler/whatif/step_model.h"

namespace quintet {

namespace {

constexpr std::array kStreams = {StreamKind::COMP_1, StreamKind::COMP_2, StreamKind::COMP_3,
                                 StreamKind::UPDATE};
/// Waits, and losses beside others, that moves of single tasks are made of.
constexpr std::size_t kMostCauses = 12;
/// Shorter ones are no reason, in ns.
constexpr double kLeastCauseNs = 500;

std::string in_us(double ns) {
  return fmt::format("{:.1f} us", ns / 1e3);
}

/// A task that took longer than alone, and what ran beside it most.
struct CoRunLoss {
  TaskId task;
  TaskId beside;
  double ns = 0;
};

class MoveMaker {
 public:
  MoveMaker(const Trace& trace, const ExecutionPlan& plan, const StreamPolicy& policy,
            const CostModel& costs, std::size_t most)
      : plan_(plan), policy_(policy), costs_(costs), most_(most), waits_(longest_waits(trace)) {
    for (const auto& [key, graph] : plan.graphs) {
      if (!is_training(key)) continue;
      for (const PlacedTask& placed : graph.tasks)
        placed_.emplace(plan.task(placed.task).name, placed);
    }
  }

  std::vector<AdviceMove> make() {
    turn_knobs();
    raise_priorities();
    move_waiting();
    move_losing();
    move_kinds();
    if (moves_.size() > most_) moves_.resize(most_);
    return std::move(moves_);
  }

 private:
  bool is_training(const GraphKey& key) const {
    return key.graph != GraphId::INF_MAIN_A && key.graph != GraphId::INF_MAIN_B &&
           key.graph != GraphId::WHOLE_EVAL_A && key.graph != GraphId::WHOLE_EVAL_B &&
           (key.shape == kAnyShape || plan_.shape(key.shape).training);
  }

  void add(std::string title, std::string why, StreamPolicy policy) {
    if (!titles_.insert(title).second || policy == policy_) return;
    policy.name = fmt::format("{} ({})", policy_.name, title);
    moves_.push_back({std::move(title), std::move(why), std::move(policy)});
  }

  static std::string sentence(const StreamWait& wait) {
    return fmt::format("{} stands idle for {}: {} waits for {}", wait.stream, in_us(wait.ns),
                       wait.next, wait.blocker);
  }

  void turn_knobs() {
    StreamPolicy policy = policy_;
    const bool in_place = policy.gradients == GradientMode::in_place;
    policy.gradients = in_place ? GradientMode::separate : GradientMode::in_place;
    add(fmt::format("gradients = {}", name_of(policy.gradients)),
        in_place ? in_place_reason()
                 : "Gradients in the place of their activations need fewer buffers.",
        policy);
    for (const StepMode step : {StepMode::whole_step, StepMode::event_sync, StepMode::host_sync}) {
      policy = policy_;
      policy.step = step;
      add(fmt::format("step = {}", name_of(step)),
          step == StepMode::whole_step
              ? "Sub-graphs are launched one by one, and each launch waits for the ones before it: "
                "one "
                "graph a step has no launches in between, and its tasks wait for tasks only."
              : "One graph a step begins only where everything before it has ended: launched one "
                "by "
                "one, sub-graphs begin with what they need.",
          policy);
    }
    if (policy_.sync == SyncRule::dataflow) return;
    policy = policy_;
    policy.sync = SyncRule::dataflow;
    policy.edges.clear();
    add("sync = dataflow",
        fmt::format("The rule {} lets tasks wait whose bytes do not conflict.",
                    name_of(policy_.sync)),
        policy);
  }

  /// Each stream that shares the device with others, before all of them.
  void raise_priorities() {
    std::map<StreamKind, std::size_t> tasks;
    for (const auto& [name, placed] : placed_)
      ++tasks[placed.stream];
    for (const StreamKind stream : kStreams) {
      int most_urgent = 0;
      std::size_t others = 0;
      for (const StreamKind other : kStreams) {
        if (other == stream || tasks[other] == 0) continue;
        ++others;
        most_urgent = std::min(most_urgent, policy_.priorities[index_of(other)]);
      }
      StreamPolicy policy = policy_;
      int& priority = policy.priorities[index_of(stream)];
      const bool first = priority < most_urgent || most_urgent <= kMostUrgentPriority;
      if (tasks[stream] == 0 || others == 0 || first) continue;
      const bool equal = priority == most_urgent;
      priority = most_urgent - 1;
      add(fmt::format("priority {} = {}", name_of(stream), priority),
          fmt::format("Of tasks that are ready together the one {} takes the device: what runs on "
                      "{} then waits for others, whatever waits for it.",
                      equal ? "issued first" : "of the more urgent stream", name_of(stream)),
          policy);
    }
  }

  std::string in_place_reason() const {
    for (const StreamWait& wait : waits_) {
      if (!wait.blocker.ends_with("/dW") || !wait.next.ends_with("/dX")) continue;
      return sentence(wait) +
             ", which reads X before dX overwrites it: with bytes of its own dX need not wait.";
    }
    return "In place, each dX waits for the dW of its layer, which reads X before dX overwrites "
           "it.";
  }

  StreamPolicy with_task_on(const std::string& task, StreamKind stream,
                            const std::string& reason) const {
    StreamPolicy policy = policy_;
    policy.layers.insert(policy.layers.begin(), LayerRule{task, stream, 0, reason});
    return policy;
  }

  void move_task(const std::string& task, const std::string& why) {
    const auto placed = placed_.find(task);
    if (placed == placed_.end() || placed->second.stream == StreamKind::TRANS) return;
    for (const StreamKind stream : kStreams) {
      if (stream == placed->second.stream) continue;
      add(fmt::format("{} -> {}", task, name_of(stream)), why + ".",
          with_task_on(task, stream, why));
    }
  }

  void move_waiting() {
    std::size_t causes = 0;
    for (const StreamWait& wait : waits_) {
      if (causes++ == kMostCauses || wait.ns < kLeastCauseNs) return;
      move_task(wait.next, sentence(wait));
      move_task(wait.blocker, sentence(wait));
      hurry(wait);
    }
  }

  /// What runs just before the blocker on its stream comes after it.
  void hurry(const StreamWait& wait) {
    for (const auto& [key, graph] : plan_.graphs) {
      if (!is_training(key)) continue;
      const PlacedTask* before = nullptr;
      const auto blocker = std::find_if(
          graph.tasks.begin(), graph.tasks.end(),
          [&](const PlacedTask& placed) { return plan_.task(placed.task).name == wait.blocker; });
      if (blocker == graph.tasks.end()) continue;
      for (auto at = graph.tasks.begin(); at != blocker; ++at)
        if (at->stream == blocker->stream) before = &*at;
      if (before == nullptr) return;
      const std::string& late = plan_.task(before->task).name;
      StreamPolicy policy = policy_;
      const std::string why = fmt::format("{}, and {} runs before that", sentence(wait), late);
      policy.issue.push_back({late, wait.blocker, 0, why});
      return add(fmt::format("{} after {}", late, wait.blocker), why + ".", policy);
    }
  }

  std::vector<CoRunLoss> losses() const {
    const auto model = step_model_of(plan_, costs_.costs, costs_.device);
    if (!model) return {};
    SimTimes times;
    Simulator(costs_.device.contention).run(model->graph, &times);
    std::vector<SimIndex> tasks;
    for (SimIndex node = 0; node < model->labels.size(); ++node) {
      const SimLabel& label = model->labels[node];
      if (label.kind == SimLabel::Kind::task && model->graph.nodes[node].sm_share > 0 &&
          label.step == model->steps - 1)
        tasks.push_back(node);
    }
    std::vector<CoRunLoss> found;
    for (const SimIndex node : tasks) {
      CoRunLoss loss{model->labels[node].task, {}, 0};
      loss.ns = times.end_ns[node] - times.begin_ns[node] - model->graph.nodes[node].work_ns;
      if (loss.ns < kLeastCauseNs) continue;
      double most = 0;
      for (const SimIndex other : tasks) {
        const double shared = std::min(times.end_ns[node], times.end_ns[other]) -
                              std::max(times.begin_ns[node], times.begin_ns[other]);
        if (other == node || shared <= most) continue;
        most = shared;
        loss.beside = model->labels[other].task;
      }
      if (most > 0) found.push_back(loss);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const CoRunLoss& a, const CoRunLoss& b) { return a.ns > b.ns; });
    if (found.size() > kMostCauses) found.resize(kMostCauses);
    return found;
  }

  void move_losing() {
    for (const CoRunLoss& loss : losses()) {
      const std::string& task = plan_.task(loss.task).name;
      const std::string& beside = plan_.task(loss.beside).name;
      move_task(task, fmt::format("{} takes {} longer beside {} than alone", task, in_us(loss.ns),
                                  beside));
    }
  }

  /// Tasks of one kind and part, and where most of them are.
  struct KindTasks {
    std::size_t tasks = 0;
    double alone_ns = 0;
    std::map<StreamKind, std::size_t> streams;
  };

  void move_kinds() {
    std::map<std::string, KindTasks> kinds;
    for (const auto& [name, placed] : placed_) {
      const Task& task = plan_.task(placed.task);
      if (placed.stream == StreamKind::TRANS) continue;
      KindTasks& kind = kinds[fmt::format("{}/{}", name_of(task.kind), name_of(task.part))];
      ++kind.tasks;
      ++kind.streams[placed.stream];
      if (const TaskCost* cost = costs_.costs.find(task.name, plan_.shape(task.shape).name))
        kind.alone_ns += cost->alone_ns;
    }
    for (const auto& [name, kind] : kinds) {
      const auto most =
          std::max_element(kind.streams.begin(), kind.streams.end(),
                           [](const auto& a, const auto& b) { return a.second < b.second; });
      for (const StreamKind stream : kStreams) {
        if (stream == most->first) continue;
        StreamPolicy policy = policy_;
        policy.parts[name] = {stream, 0};
        add(fmt::format("{} -> {}", name, name_of(stream)), kind_reason(name, kind, most->first),
            policy);
      }
    }
  }

  std::string kind_reason(const std::string& name, const KindTasks& kind, StreamKind from) const {
    const std::string tail = "/" + name;
    for (const StreamWait& wait : waits_) {
      if (wait.next.ends_with(tail) || wait.blocker.ends_with(tail)) return sentence(wait) + ".";
    }
    return fmt::format("{} of this kind, {} alone, {} in line on {}.",
                       kind.tasks == 1 ? "One task" : fmt::format("{} tasks", kind.tasks),
                       in_us(kind.alone_ns), kind.tasks == 1 ? "stands" : "stand", name_of(from));
  }

  const ExecutionPlan& plan_;
  const StreamPolicy& policy_;
  const CostModel& costs_;
  std::size_t most_;
  std::vector<StreamWait> waits_;
  std::map<std::string, PlacedTask> placed_;  ///< tasks of training steps, by name
  std::set<std::string> titles_;
  std::vector<AdviceMove> moves_;
};

}  // namespace

std::vector<StreamWait> longest_waits(const Trace& trace) {
  const std::vector<StepWindow> windows = step_windows(trace);
  const std::optional<std::size_t> middle = median_window(windows);
  if (!middle) return {};
  TaskRelations relations(trace);
  std::vector<StreamWait> waits;
  for (const Wait& wait : attribute_waits(trace, windows[*middle], relations)) {
    if (wait.cause != WaitCause::dependency || !wait.blocker || !wait.next) continue;
    waits.push_back({trace.lanes[wait.lane.value()].name, trace.tasks[*wait.next].name,
                     trace.tasks[*wait.blocker].name, static_cast<double>(wait.time.length())});
  }
  std::stable_sort(waits.begin(), waits.end(),
                   [](const StreamWait& a, const StreamWait& b) { return a.ns > b.ns; });
  return waits;
}

std::vector<AdviceMove> advice_moves(const Trace& trace, const ExecutionPlan& plan,
                                     const StreamPolicy& policy, const CostModel& costs,
                                     std::size_t most) {
  return MoveMaker(trace, plan, policy, costs, most).make();
}

}  // namespace quintet
