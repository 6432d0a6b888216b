#include "viewer/model/mapping/policy_draft.h"

#include <cassert>
#include <fmt/format.h>

#include "viewer/model/mapping/whole_file.h"

namespace quintet {

PolicyDraft::PolicyDraft(StreamPolicy base) : base_(std::move(base)) {
  auto start = made(base_, {});
  assert(start && "a valid policy survives being saved and read");
  states_.push_back(std::move(*start));
}

Result<std::shared_ptr<const DraftState>> PolicyDraft::made(StreamPolicy policy,
                                                            LineNotes notes) const {
  DraftState state;
  state.text = annotated_text(policy, notes);
  // Parsed again, so that placements cite the lines of the draft's own text.
  Result<StreamPolicy> parsed =
      parse_policy(state.text.toml, fmt::format("draft of {}", base_.name));
  if (!parsed) return tl::unexpected(parsed.error());
  state.policy = std::move(*parsed);
  state.notes = std::move(notes);
  return std::make_shared<const DraftState>(std::move(state));
}

Result<std::shared_ptr<const DraftState>> PolicyDraft::after(const PolicyEdit& edit) const {
  Result<StreamPolicy> policy = changed(state().policy, edit.change);
  if (!policy) return tl::unexpected(policy.error());
  LineNotes notes = state().notes;
  if (std::holds_alternative<ReplaceText>(edit.change)) {
    for (const PolicyDifference& line : difference(state().policy, *policy)) {
      if (!line.key.empty()) notes.insert_or_assign(line.key, note_of(edit));
    }
  }
  for (const std::string& line : lines_of(edit.change))
    notes.insert_or_assign(line, note_of(edit));
  return made(std::move(*policy), std::move(notes));
}

Result<void> PolicyDraft::apply(PolicyEdit edit) {
  Result<std::shared_ptr<const DraftState>> next = after(edit);
  if (!next) return tl::unexpected(next.error());
  edits_.resize(done_);
  states_.resize(done_ + 1);
  edits_.push_back(std::move(edit));
  states_.push_back(std::move(*next));
  ++done_;
  ++revision_;
  return {};
}

Result<StreamPolicy> PolicyDraft::preview(const PolicyEdit& edit) const {
  const Result<std::shared_ptr<const DraftState>> next = after(edit);
  if (!next) return tl::unexpected(next.error());
  return (*next)->policy;
}

std::string PolicyDraft::undo_name() const {
  return can_undo() ? edits_[done_ - 1].name : std::string{};
}

std::string PolicyDraft::redo_name() const {
  return can_redo() ? edits_[done_].name : std::string{};
}

void PolicyDraft::undo() {
  if (!can_undo()) return;
  --done_;
  ++revision_;
}

void PolicyDraft::redo() {
  if (!can_redo()) return;
  ++done_;
  ++revision_;
}

std::vector<PolicyDifference> PolicyDraft::changes() const {
  return changes_from(base_);
}

std::vector<PolicyDifference> PolicyDraft::changes_from(const StreamPolicy& other) const {
  return difference(other, policy(), state().notes);
}

Result<void> PolicyDraft::save_as(const std::string& path) const {
  return write_whole_file(path, toml());
}

}  // namespace quintet
