#include "viewer/model/dag/dag_keeper.h"

#include <algorithm>

#include "profiler/capture/plan_to_trace.h"
#include "viewer/model/command_id.h"

namespace quintet::viewer {

namespace {

constexpr std::string_view kLayoutJob = "dag layout";

DagMarks marks_of(const MappingVerdict* verdict) {
  DagMarks marks;
  if (verdict == nullptr) return marks;
  for (const VerdictEdge& edge : verdict->surplus)
    marks.surplus.emplace(edge.from, edge.to);
  for (const VerdictRace& race : verdict->races)
    marks.races.push_back({{race.earlier, race.later}, race.text});
  return marks;
}

std::optional<std::size_t> graph_called(const Trace& trace, const std::string& name) {
  for (std::size_t graph = 0; graph < trace.graphs.size(); ++graph) {
    if (trace.graphs[graph].name == name && !trace.graphs[graph].tasks.empty()) return graph;
  }
  return largest_graph(trace);
}

DagScene scene_of(const Trace& trace, const DagQuestion& question, const MappingVerdict* verdict,
                  const JobControl& control) {
  DagScene scene;
  scene.drafted = question.drafted;
  const std::optional<std::size_t> graph = graph_called(trace, question.graph);
  if (!graph) return scene;
  scene.groups = groups_of(trace, *graph);
  scene.graph = dag_graph(trace, *graph, question.unfolded, marks_of(verdict));
  scene.layout = dag_layout(scene.graph, question.engine, [&] { return control.cancelled(); });
  return scene;
}

}  // namespace

void DagKeeper::open(const Document* document) {
  const std::uint64_t generation = document == nullptr ? 0 : document->generation;
  if (generation == wanted_.generation) return;
  const DagEngine engine = wanted_.engine;
  wanted_ = {};
  wanted_.engine = engine;
  wanted_.generation = generation;
  asked_ = shown_ = {};
  scene_ = nullptr;
  graphs_.clear();
  if (document == nullptr) return;
  for (const TraceGraph& graph : document->trace->graphs) {
    if (!graph.tasks.empty()) graphs_.push_back(graph.name);
  }
  if (const auto largest = largest_graph(*document->trace)) {
    wanted_.graph = document->trace->graphs[*largest].name;
  }
}

void DagKeeper::ask(const Document& document, PartContext& context) {
  if (asked_ == wanted_) return;
  asked_ = wanted_;
  context.background.start<DagScene>(
      std::string(kLayoutJob), "Laying out the graph",
      [trace = document.trace, question = wanted_](JobControl& control) {
        const MappingVerdict* verdict = question.verdict.get();
        if (!question.drafted) return scene_of(*trace, question, verdict, control);
        return scene_of(trace_of_plan(*verdict->plan), question, verdict, control);
      },
      [this, question = wanted_](DagScene scene) {
        if (!(question == asked_)) return;
        shown_ = question;
        scene_ = std::make_shared<const DagScene>(std::move(scene));
      });
}

void DagKeeper::prepare(PartContext& context) {
  const Document* document = mapped_document(context.workbench);
  open(document);
  if (document == nullptr || wanted_.graph.empty()) return;
  const auto* mapping = context.parts.find<MappingKeeper>();
  const bool same =
      mapping != nullptr && mapping->ready() && mapping->generation() == document->generation;
  can_draft_ = same && !mapping->draft().unchanged() && mapping->verdict() != nullptr &&
               mapping->verdict()->plan != nullptr;
  wanted_.drafted = wanted_.drafted && can_draft_;
  wanted_.verdict = !same ? nullptr : wanted_.drafted ? mapping->verdict() : mapping->base();
  // A hidden tab lays nothing out.
  if (context.workbench.bottom_tab == "graph") ask(*document, context);
}

void DagKeeper::reveal(const Document& document, std::uint32_t task) {
  const Trace& trace = *document.trace;
  const auto shown = graph_called(trace, wanted_.graph);
  const auto holds = [&](std::size_t graph) {
    const auto& tasks = trace.graphs[graph].tasks;
    return std::find(tasks.begin(), tasks.end(), task) != tasks.end();
  };
  if (!shown || !holds(*shown)) {
    const auto graph = graph_with(trace, task);
    if (!graph) return;
    wanted_.graph = trace.graphs[*graph].name;
    wanted_.unfolded.clear();
  }
  ++reveals_;
}

bool DagKeeper::handle(const Command& command, PartContext& context) {
  namespace ids = command_id;
  const Document* document = mapped_document(context.workbench);
  if (document == nullptr) return false;
  const auto* text = command.get<std::string>();
  if (command.id == ids::kShowInGraph) {
    context.commands.emit(ids::kTab, std::string("graph"));
    if (context.workbench.selection.task) reveal(*document, *context.workbench.selection.task);
    return true;
  }
  if (command.id == ids::kGraphShow && text != nullptr) {
    wanted_.graph = *text;
    wanted_.unfolded.clear();
  } else if (command.id == ids::kGraphFold && text != nullptr) {
    if (wanted_.unfolded.erase(*text) == 0) wanted_.unfolded.insert(*text);
  } else if (command.id == ids::kGraphFoldAll) {
    wanted_.unfolded.clear();
  } else if (command.id == ids::kGraphUnfoldAll) {
    if (scene_) wanted_.unfolded.insert(scene_->groups.begin(), scene_->groups.end());
  } else if (command.id == ids::kGraphEngine) {
    wanted_.engine = wanted_.engine == DagEngine::lanes ? DagEngine::graphviz : DagEngine::lanes;
  } else if (command.id == ids::kGraphDraft) {
    wanted_.drafted = !wanted_.drafted && can_draft_;
  } else {
    return false;
  }
  return true;
}

}  // namespace quintet::viewer
