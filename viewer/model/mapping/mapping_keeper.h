/// The mapping under the hand: the draft of the shown recording's policy, its table and its proof.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "profiler/whatif/cost_model.h"
#include "scenarios/lab/replanner.h"
#include "viewer/model/mapping/mapping_table.h"
#include "viewer/model/mapping/mapping_verdict.h"
#include "viewer/model/mapping/policy_draft.h"
#include "viewer/model/part.h"

namespace quintet::viewer {

/// The recording whose mapping is under the hand: the main document, or side A's where that is a
/// prediction made of it. Null where none is open.
const Document* mapped_document(const Workbench& workbench);
/// Where it is open.
Side mapped_side(const Workbench& workbench);

/// A move that a race forbade, and what would allow it.
struct RefusedMove {
  PolicyEdit edit;
  DropAnswer answer;
};

/// Plans and proves in the background, the newest question only. A draft is kept beside its
/// recording; that of a compressed recording, which comes with the program, in the state folder. What
/// is edited or tried is also predicted where the device is known, and shown as side B unless a
/// recording is open there.
class MappingKeeper : public Part {
 public:
  /// `state_folder` empty: drafts of compressed recordings are not kept.
  explicit MappingKeeper(std::string state_folder) : state_folder_(std::move(state_folder)) {}

  [[nodiscard]] std::string_view id() const override { return "mapping"; }
  void prepare(PartContext& context) override;
  bool handle(const Command& command, PartContext& context) override;
  void finish(PartContext& context) override;

  /// True where a mapping is shown that can be edited; the rest below makes sense only then.
  [[nodiscard]] bool ready() const { return draft_.has_value(); }
  /// Why the shown recording's mapping cannot be edited; nothing while it is read.
  [[nodiscard]] const std::optional<Error>& refusal() const { return refusal_; }
  /// Document::generation of the recording that the draft belongs to.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  [[nodiscard]] const PolicyDraft& draft() const { return *draft_; }
  [[nodiscard]] const std::vector<Task>& tasks() const { return replanner_->input().tasks; }
  [[nodiscard]] const Replanner& replanner() const { return *replanner_; }
  /// Of the draft, or of the move that is tried.
  [[nodiscard]] const MappingTable& table() const { return table_; }

  /// The newest verdict on the draft; null before the first. Old while proving() is true.
  [[nodiscard]] std::shared_ptr<const MappingVerdict> verdict() const { return verdict_; }
  [[nodiscard]] bool proving() const { return !draft_ || verdict_of_ != draft_->revision(); }
  /// What the recording itself ran under; null before it is there.
  [[nodiscard]] std::shared_ptr<const MappingVerdict> base() const { return base_; }

  /// The move that the pointer tries, its policy, and its verdict once it is there.
  [[nodiscard]] const std::optional<PolicyEdit>& tried() const { return tried_; }
  [[nodiscard]] const std::optional<StreamPolicy>& tried_policy() const { return tried_policy_; }
  [[nodiscard]] std::shared_ptr<const MappingVerdict> tried_verdict() const {
    return tried_verdict_;
  }
  /// The last move that was refused; nothing after the next edit.
  [[nodiscard]] const std::optional<RefusedMove>& refused() const { return refused_; }
  /// What the edits change, line by line.
  [[nodiscard]] const std::vector<PolicyDifference>& changes() const { return changes_; }

 private:
  using Verdict = std::shared_ptr<const MappingVerdict>;
  struct Loaded {
    std::shared_ptr<const Replanner> replanner;
    std::optional<PolicyDraft> draft;
    std::optional<Error> error;        ///< why there is none
    std::optional<Error> draft_error;  ///< why what was kept is not taken up
    std::shared_ptr<const CostModel> costs;
    std::string why_no_costs;
  };
  struct Judged {
    Verdict base;
    Verdict verdict;
  };

  void load(PartContext& context);
  void take_up(PartContext& context);
  void forget();
  void refresh(PartContext& context);
  void prove(PartContext& context);
  void try_move(PolicyEdit edit, PartContext& context);
  void drop_try();
  void show_forecast(PartContext& context);
  void drop_next(PartContext& context);
  void settle_drop(PartContext& context);
  void apply(PolicyEdit edit, PartContext& context);
  void edit(PolicyEdit edit, PartContext& context);
  void save(std::string path, PartContext& context);
  void keep(PartContext& context);
  [[nodiscard]] std::optional<PolicyEdit> edit_of(const StreamMove& move,
                                                  const PartContext& context) const;
  [[nodiscard]] std::string kept_at(const Document& document) const;
  /// In a worker: the base's verdict if `base` is null, then that of the policy.
  [[nodiscard]] std::function<Judged(JobControl&)> judging(const StreamPolicy& policy,
                                                           Verdict base) const;

  std::string state_folder_;
  std::uint64_t generation_ = 0;
  std::string kept_at_;  ///< the draft's file; empty = it is not kept
  std::shared_ptr<const Replanner> replanner_;
  std::shared_ptr<const Trace> recording_;
  std::shared_ptr<const CostModel> costs_;  ///< null: nothing can be predicted
  std::string why_no_costs_;
  std::shared_ptr<const Trace> forecast_shown_;  ///< as side B
  std::optional<Loaded> loaded_;                 ///< what a job brought, until the next frame
  std::optional<Error> refusal_;
  std::optional<PolicyDraft> draft_;
  MappingTable table_;
  std::vector<PolicyDifference> changes_;
  Verdict base_;
  Verdict verdict_;
  std::uint64_t verdict_of_ = 0;  ///< PolicyDraft::revision
  std::uint64_t asked_of_ = 0;    ///< the same, of the newest question
  std::uint64_t shown_of_ = 0;    ///< the same, of table and changes
  std::uint64_t kept_of_ = 0;     ///< the same, of the file beside the recording
  std::uint64_t saved_of_ = 0;    ///< the same, of the policy file
  std::string saved_at_;
  std::optional<PolicyEdit> tried_;
  std::optional<StreamPolicy> tried_policy_;
  Verdict tried_verdict_;
  std::deque<PolicyEdit> dropped_;  ///< moves that wait for their verdict, the oldest first
  bool dropping_ = false;
  std::optional<Verdict> drop_verdict_;
  std::optional<RefusedMove> refused_;
};

}  // namespace quintet::viewer
