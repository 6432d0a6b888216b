#include "viewer/model/mapping/advice_keeper.h"

#include <string>
#include <utility>

#include "viewer/model/mapping/mapping_keeper.h"

namespace quintet::viewer {

namespace {

Result<AdviceReport> advice_on(const Trace& trace, JobControl& control) {
  const Result<Predictor> predictor = Predictor::of_trace(trace);
  if (!predictor) return tl::unexpected(predictor.error());
  return advise(trace, *predictor, {}, [&](std::size_t done, std::size_t of) {
    control.progress(static_cast<double>(done) / static_cast<double>(of));
    return !control.cancelled();
  });
}

}  // namespace

void AdviceKeeper::ask(const Document& document, PartContext& context) {
  asked_ = true;
  context.background.start<Result<AdviceReport>>(
      std::string(kAdviceJob), "Looking for advice",
      [trace = document.trace](JobControl& control) { return advice_on(*trace, control); },
      [this, generation = generation_](Result<AdviceReport> found) {
        if (generation != generation_) return;
        if (found) {
          report_ = std::make_shared<const AdviceReport>(std::move(*found));
        } else {
          refusal_ = found.error();
        }
      },
      [this, generation = generation_](std::string what) {
        if (generation == generation_) refusal_ = Error{std::move(what), "", "", 0};
      });
}

void AdviceKeeper::match(PartContext& context) {
  const auto* mapping = context.parts.find<MappingKeeper>();
  const bool same = mapping != nullptr && mapping->ready() && mapping->generation() == generation_;
  if (report_ == nullptr || !same) {
    edits_.clear();
    edits_of_.reset();
    return;
  }
  const PolicyDraft& draft = mapping->draft();
  if (edits_of_ == draft.revision()) return;
  edits_of_ = draft.revision();
  edits_.clear();
  for (const Advice& advice : report_->advice)
    edits_.push_back(advice_edit(draft.base(), advice.policy, draft.policy(), advice.title));
}

void AdviceKeeper::prepare(PartContext& context) {
  const Document* document = mapped_document(context.workbench);
  // A run that still grows is another recording with every look; its advice waits for its end.
  const bool whole = document != nullptr && !document->live;
  const std::uint64_t generation = whole ? document->generation : 0;
  if (generation != generation_) {
    context.background.cancel(std::string(kAdviceJob));
    generation_ = generation;
    asked_ = false;
    report_ = nullptr;
    refusal_.reset();
    edits_.clear();
    edits_of_.reset();
  }
  if (!whole) return;
  if (!asked_ && context.workbench.layout.right_shown) ask(*document, context);
  match(context);
}

}  // namespace quintet::viewer
