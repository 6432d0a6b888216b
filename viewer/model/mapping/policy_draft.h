/// A policy under edit: a base, the edits made to it by hand, and a place in them for undo and redo.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/policy/stream_policy.h"
#include "viewer/model/mapping/policy_edit.h"
#include "viewer/model/mapping/policy_lines.h"

namespace quintet {

/// The policy at one place of the undo list, and the text it was parsed from: its lines are those
/// that placements cite.
struct DraftState {
  StreamPolicy policy;
  AnnotatedText text;
  LineNotes notes;
};

/// Owns base and edits. Threads: one; states that were handed out may be read from others. Throws:
/// nothing of its own.
///   PolicyDraft draft(base);  draft.apply(set_step(StepMode::event_sync));  draft.undo();
class PolicyDraft {
 public:
  explicit PolicyDraft(StreamPolicy base);

  [[nodiscard]] const StreamPolicy& base() const { return base_; }
  [[nodiscard]] const StreamPolicy& policy() const { return state().policy; }
  /// The policy file: the table and this are one thing.
  [[nodiscard]] const std::string& toml() const { return state().text.toml; }
  [[nodiscard]] const DraftState& state() const { return *states_[done_]; }
  /// Another number after every change, undo and redo included.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }
  /// True where no edit is left that changes what the base says.
  [[nodiscard]] bool unchanged() const { return policy() == base_; }

  /// Makes the edit and drops what was undone. Errors: those of changed(); a result that is no
  /// valid policy, with the line of the file where text was edited. The draft is then as before.
  Result<void> apply(PolicyEdit edit);
  /// What apply() would give; nothing changes.
  [[nodiscard]] Result<StreamPolicy> preview(const PolicyEdit& edit) const;

  /// All edits, those that were undone last; the first done() of them are in the policy.
  [[nodiscard]] std::span<const PolicyEdit> edits() const { return edits_; }
  [[nodiscard]] std::size_t done() const { return done_; }
  [[nodiscard]] bool can_undo() const { return done_ > 0; }
  [[nodiscard]] bool can_redo() const { return done_ < edits_.size(); }
  /// The name of the edit that undo() takes back; empty where there is none.
  [[nodiscard]] std::string undo_name() const;
  [[nodiscard]] std::string redo_name() const;
  /// Nothing happens where there is none.
  void undo();
  void redo();

  /// What the edits change, line by line.
  [[nodiscard]] std::vector<PolicyDifference> changes() const;
  /// The same against any other policy.
  [[nodiscard]] std::vector<PolicyDifference> changes_from(const StreamPolicy& other) const;

  /// Writes the policy file in one rename. Errors: the file cannot be written.
  [[nodiscard]] Result<void> save_as(const std::string& path) const;

 private:
  [[nodiscard]] Result<std::shared_ptr<const DraftState>> after(const PolicyEdit& edit) const;
  [[nodiscard]] Result<std::shared_ptr<const DraftState>> made(StreamPolicy policy,
                                                               LineNotes notes) const;

  StreamPolicy base_;
  std::vector<PolicyEdit> edits_;
  std::vector<std::shared_ptr<const DraftState>> states_;  ///< before any edit, then after each
  std::size_t done_ = 0;
  std::uint64_t revision_ = 0;
};

}  // namespace quintet
