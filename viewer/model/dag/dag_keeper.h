/// The graph that the Graph view shows: which one, what is folded, and where its nodes lie.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "viewer/model/dag/dag_graph.h"
#include "viewer/model/dag/dag_layout.h"
#include "viewer/model/mapping/mapping_keeper.h"
#include "viewer/model/part.h"

namespace quintet::viewer {

/// A graph and its layout belong together; a view shows the last whole pair.
struct DagScene {
  DagGraph graph;
  DagLayout layout;
  std::vector<std::string> groups;  ///< all of the graph, in issue order
  bool drafted = false;             ///< of the edited mapping, not of the recording
};

/// What is laid out: a change of anything here makes a new scene.
struct DagQuestion {
  std::uint64_t generation = 0;  ///< of the document
  std::string graph;             ///< by name
  std::set<std::string> unfolded;
  DagEngine engine = DagEngine::lanes;
  bool drafted = false;
  std::shared_ptr<const MappingVerdict> verdict;  ///< whose proof marks edges; may be null
  friend bool operator==(const DagQuestion&, const DagQuestion&) = default;
};

/// Lays out in the background; what an older question gave is dropped.
class DagKeeper : public Part {
 public:
  [[nodiscard]] std::string_view id() const override { return "dag"; }
  void prepare(PartContext& context) override;
  bool handle(const Command& command, PartContext& context) override;

  /// Null before the first layout, and where no graph is open.
  [[nodiscard]] std::shared_ptr<const DagScene> scene() const { return scene_; }
  /// True while the scene is older than what was asked for.
  [[nodiscard]] bool stale() const { return !(shown_ == asked_); }
  [[nodiscard]] const DagQuestion& question() const { return wanted_; }
  /// Names of all graphs that hold tasks.
  [[nodiscard]] const std::vector<std::string>& graphs() const { return graphs_; }
  /// True where an edited mapping could be shown.
  [[nodiscard]] bool can_draft() const { return can_draft_; }
  /// Counts requests to bring the selected task into view.
  [[nodiscard]] std::uint64_t reveals() const { return reveals_; }

 private:
  void open(const Document* document);
  void ask(const Document& document, PartContext& context);
  void reveal(const Document& document, std::uint32_t task);

  DagQuestion wanted_;
  DagQuestion asked_;
  DagQuestion shown_;
  std::shared_ptr<const DagScene> scene_;
  std::vector<std::string> graphs_;
  bool can_draft_ = false;
  std::uint64_t reveals_ = 0;
};

}  // namespace quintet::viewer
