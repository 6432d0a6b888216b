/// Advice on the recording whose mapping is under the hand: single moves, the greatest gain first.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "scenarios/lab/advisor.h"
#include "viewer/model/mapping/advice_edit.h"
#include "viewer/model/part.h"

namespace quintet::viewer {

/// The background job that looks for advice; its JobStatus tells how far it is.
inline constexpr std::string_view kAdviceJob = "advice";

/// Looks for it in the background, once a recording, as soon as the pane at the right is shown;
/// what was found for another recording is dropped. Advice is on the policy as recorded: edits of
/// the draft do not change it, they only tell which of it is made.
class AdviceKeeper : public Part {
 public:
  [[nodiscard]] std::string_view id() const override { return "advice"; }
  void prepare(PartContext& context) override;

  /// Null where nothing was found yet, and where nothing can be.
  [[nodiscard]] std::shared_ptr<const AdviceReport> report() const { return report_; }
  /// Why there is no advice on the recording.
  [[nodiscard]] const std::optional<Error>& refusal() const { return refusal_; }
  /// What each of report()->advice writes into the draft, in its order; empty until the
  /// MappingKeeper has a draft of the same recording.
  [[nodiscard]] const std::vector<AdviceEdit>& edits() const { return edits_; }

 private:
  void ask(const Document& document, PartContext& context);
  void match(PartContext& context);

  std::uint64_t generation_ = 0;  ///< Document::generation of the recording; 0 = none
  bool asked_ = false;
  std::shared_ptr<const AdviceReport> report_;
  std::optional<Error> refusal_;
  std::vector<AdviceEdit> edits_;
  std::optional<std::uint64_t> edits_of_;  ///< PolicyDraft::revision
};

}  // namespace quintet::viewer
