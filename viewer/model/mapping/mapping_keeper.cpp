#include "viewer/model/mapping/mapping_keeper.h"

#include <filesystem>
#include <fmt/format.h>

#include "profiler/whatif/prediction.h"
#include "viewer/model/command_id.h"
#include "viewer/model/mapping/draft_file.h"
#include "viewer/model/mapping/whole_file.h"

namespace quintet::viewer {

namespace {

MoveReach reach_of(MoveScope scope) {
  switch (scope) {
    case MoveScope::kind:
      return MoveReach::kind;
    case MoveScope::layer:
      return MoveReach::layer;
    case MoveScope::layer_and_after:
      return MoveReach::layer_after;
  }
  return MoveReach::kind;
}

/// Adds what a step would take; nothing where the plan is none.
void add_forecast(MappingVerdict& verdict, const MappingVerdict* base, const CostModel& costs,
                  const Trace& recording) {
  if (verdict.plan == nullptr) return;
  const Result<Prediction> prediction = predict_step(*verdict.plan, costs);
  if (!prediction) {
    verdict.why_no_forecast = prediction.error().message;
    return;
  }
  Forecast forecast;
  forecast.step_ns = prediction->step_ns;
  forecast.base_step_ns =
      base != nullptr && base->forecast ? base->forecast->step_ns : prediction->step_ns;
  forecast.error_share = prediction->error_share;
  forecast.unpriced = prediction->unpriced.size();
  if (Result<Trace> trace = predicted_trace(*verdict.plan, costs, recording)) {
    forecast.trace = std::make_shared<const Trace>(std::move(*trace));
  }
  verdict.forecast = std::move(forecast);
}

bool predicted(const Document& document) {
  return is_predicted(*document.trace);
}

}  // namespace

Side mapped_side(const Workbench& workbench) {
  const Document* main = workbench.main_document();
  return main != nullptr && predicted(*main) ? Side::a : workbench.main_side();
}

const Document* mapped_document(const Workbench& workbench) {
  const Document* document = workbench.document(mapped_side(workbench));
  return document == nullptr || predicted(*document) ? nullptr : document;
}

std::string MappingKeeper::kept_at(const Document& document) const {
  if (document.file.empty()) return {};
  const std::filesystem::path file(document.file);
  if (file.extension() != ".gz") return draft_path(document.file);
  if (state_folder_.empty()) return {};
  return draft_path((std::filesystem::path(state_folder_) / "drafts" / file.filename()).string());
}

void MappingKeeper::forget() {
  generation_ = 0;
  kept_at_.clear();
  saved_at_.clear();
  replanner_.reset();
  recording_.reset();
  costs_.reset();
  why_no_costs_.clear();
  loaded_.reset();
  refusal_.reset();
  draft_.reset();
  table_ = {};
  changes_.clear();
  base_ = nullptr;
  verdict_ = nullptr;
  drop_try();
  dropped_.clear();
  dropping_ = false;
  drop_verdict_.reset();
  refused_.reset();
}

void MappingKeeper::load(PartContext& context) {
  const Document* document = mapped_document(context.workbench);
  const std::uint64_t generation = document == nullptr ? 0 : document->generation;
  if (generation == generation_) return;
  keep(context);
  forget();
  context.workbench.draft_toml.clear();
  context.workbench.policy_edited = false;
  generation_ = generation;
  if (document == nullptr) return;
  kept_at_ = kept_at(*document);
  context.background.start<Loaded>(
      "mapping load", "Planning the recording again",
      [trace = document->trace, path = kept_at_](JobControl&) {
        Loaded loaded;
        Result<Replanner> replanner = Replanner::of_trace(*trace);
        if (!replanner) {
          loaded.error = replanner.error();
          return loaded;
        }
        loaded.replanner = std::make_shared<const Replanner>(std::move(*replanner));
        std::error_code ignored;
        if (!path.empty() && std::filesystem::exists(path, ignored)) {
          Result<PolicyDraft> kept = load_draft(path);
          if (!kept) {
            loaded.draft_error = kept.error();
          } else if (kept->base() == loaded.replanner->policy()) {
            loaded.draft = std::move(*kept);
          } else {
            loaded.draft_error =
                Error{"the draft that was kept began with another policy", "", path, 0};
          }
        }
        if (!loaded.draft) loaded.draft.emplace(loaded.replanner->policy());
        const Result<ExecutionPlan> plan = loaded.replanner->plan(loaded.replanner->policy());
        Result<CostModel> costs =
            plan ? cost_model_of(*trace, *plan) : Result<CostModel>(tl::unexpected(plan.error()));
        if (costs) {
          loaded.costs = std::make_shared<const CostModel>(std::move(*costs));
        } else {
          loaded.why_no_costs = costs.error().message;
        }
        return loaded;
      },
      [this, generation](Loaded loaded) {
        if (generation == generation_) loaded_ = std::move(loaded);
      });
}

void MappingKeeper::take_up(PartContext& context) {
  if (!loaded_) return;
  Loaded loaded = std::move(*loaded_);
  loaded_.reset();
  refusal_ = std::move(loaded.error);
  if (refusal_) return;
  if (loaded.draft_error) context.workbench.log.fail(*loaded.draft_error);
  replanner_ = std::move(loaded.replanner);
  recording_ = mapped_document(context.workbench)->trace;
  costs_ = std::move(loaded.costs);
  why_no_costs_ = std::move(loaded.why_no_costs);
  draft_ = std::move(loaded.draft);
  // Revisions count from 0 in a fresh draft: no question was asked yet.
  asked_of_ = shown_of_ = verdict_of_ = draft_->revision() + 1;
  kept_of_ = saved_of_ = draft_->revision();
}

std::function<MappingKeeper::Judged(JobControl&)> MappingKeeper::judging(const StreamPolicy& policy,
                                                                         Verdict base) const {
  return [replanner = replanner_, costs = costs_, why = why_no_costs_, recording = recording_,
          start = draft_->base(), policy, base](JobControl& control) {
    const PlanMaker maker = [&](const StreamPolicy& each) { return replanner->plan(each); };
    const auto judged_by = [&](const StreamPolicy& each, const MappingVerdict* against) {
      MappingVerdict verdict = judge(maker, each, against);
      verdict.why_no_forecast = why;
      if (costs) add_forecast(verdict, against, *costs, *recording);
      return std::make_shared<const MappingVerdict>(std::move(verdict));
    };
    Judged judged{base, nullptr};
    if (judged.base == nullptr) judged.base = judged_by(start, nullptr);
    if (control.cancelled()) return judged;
    judged.verdict = policy == start ? judged.base : judged_by(policy, judged.base.get());
    return judged;
  };
}

void MappingKeeper::prove(PartContext& context) {
  const std::uint64_t revision = draft_->revision();
  if (asked_of_ == revision) return;
  asked_of_ = revision;
  context.background.start<Judged>(
      "mapping proof", "Proving the mapping", judging(draft_->policy(), base_),
      [this, revision, generation = generation_](const Judged& judged) {
        if (generation != generation_) return;
        base_ = judged.base;
        if (revision != draft_->revision()) return;
        verdict_ = judged.verdict;
        verdict_of_ = revision;
      });
}

void MappingKeeper::refresh(PartContext& context) {
  if (shown_of_ == draft_->revision()) return;
  shown_of_ = draft_->revision();
  table_ = mapping_table(tasks(), draft_->state());
  changes_ = draft_->changes();
  Workbench& workbench = context.workbench;
  workbench.draft_toml = draft_->unchanged() ? std::string{} : draft_->toml();
  workbench.policy_edited = !draft_->unchanged() && saved_of_ != draft_->revision();
}

void MappingKeeper::prepare(PartContext& context) {
  load(context);
  take_up(context);
  if (!ready()) return;
  settle_drop(context);
  drop_next(context);
  refresh(context);
  prove(context);
  show_forecast(context);
  if (kept_of_ != draft_->revision() && !context.background.busy("mapping draft")) {
    kept_of_ = draft_->revision();
    if (kept_at_.empty()) return;
    context.background.start<Result<void>>(
        "mapping draft", "Keeping the draft",
        [draft = *draft_, path = kept_at_](JobControl&) -> Result<void> {
          std::error_code ignored;  // the writing tells
          const auto folder = std::filesystem::path(path).parent_path();
          if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
          return keep_draft(draft, path);
        },
        [&log = context.workbench.log](const Result<void>& kept) {
          if (!kept) log.fail(kept.error());
        });
  }
}

/// Side B shows what is tried, else what is edited; nothing where all is as recorded. A recording that
/// somebody opened there stays.
void MappingKeeper::show_forecast(PartContext& context) {
  const Verdict verdict = tried_verdict_ ? tried_verdict_ : verdict_;
  const bool differs = tried_verdict_ != nullptr || (!tried_ && !draft_->unchanged());
  if (tried_ && !tried_verdict_) return;  // what is shown stays until its successor is there
  if (!tried_ && proving()) return;
  const std::shared_ptr<const Trace> wanted =
      differs && verdict && verdict->forecast ? verdict->forecast->trace : nullptr;
  const Document* there = context.workbench.document(Side::b);
  const bool ours = there != nullptr && predicted(*there);
  if (wanted == forecast_shown_ && (wanted == nullptr || ours)) return;
  if (there != nullptr && !ours) return;
  forecast_shown_ = wanted;
  if (wanted == nullptr) {
    if (!ours) return;
    // Not by the command that closes: what is in view of side A stays in view.
    Workbench& workbench = context.workbench;
    workbench.documents[index_of(Side::b)].reset();
    workbench.shown = Shown::a;
    if (workbench.selection.side == Side::b) workbench.selection = {};
    return;
  }
  Document document;
  document.trace = wanted;
  context.commands.emit(command_id::kPlace, PlaceDocument{Side::b, std::move(document)});
}

void MappingKeeper::apply(PolicyEdit edit, PartContext& context) {
  refused_.reset();
  drop_try();
  if (auto applied = draft_->apply(std::move(edit)); !applied) {
    context.workbench.log.fail(applied.error());
  }
}

/// Moves wait for their verdict; everything else is done at once.
void MappingKeeper::edit(PolicyEdit edit, PartContext& context) {
  if (is_move(edit)) {
    dropped_.push_back(std::move(edit));
  } else {
    apply(std::move(edit), context);
  }
}

void MappingKeeper::drop_next(PartContext& context) {
  while (!dropping_ && !dropped_.empty()) {
    const Result<StreamPolicy> policy = draft_->preview(dropped_.front());
    if (!policy) {
      context.workbench.log.fail(policy.error());
      dropped_.pop_front();
      continue;
    }
    if (tried_ && tried_policy_ == *policy && tried_verdict_) {
      drop_verdict_ = tried_verdict_;
      dropping_ = true;
      settle_drop(context);
      continue;
    }
    dropping_ = true;
    context.background.start<Judged>("mapping drop", "Proving the move", judging(*policy, base_),
                                     [this, generation = generation_](const Judged& judged) {
                                       if (generation != generation_) return;
                                       base_ = judged.base;
                                       drop_verdict_ = judged.verdict;
                                     });
  }
}

void MappingKeeper::settle_drop(PartContext& context) {
  if (!dropping_ || !drop_verdict_) return;
  const Verdict verdict = *drop_verdict_;
  drop_verdict_.reset();
  dropping_ = false;
  PolicyEdit edit = std::move(dropped_.front());
  dropped_.pop_front();
  const Result<StreamPolicy> policy = draft_->preview(edit);
  const DropAnswer answer =
      policy ? drop_answer(*verdict, *policy) : DropAnswer{false, policy.error().message, {}};
  if (!answer.allowed) {
    drop_try();
    context.workbench.log.warn(fmt::format("{}: refused, {}", edit.name, answer.why),
                               answer.cures.empty() ? "" : answer.cures.front().name);
    refused_ = RefusedMove{std::move(edit), answer};
    return;
  }
  apply(std::move(edit), context);
  verdict_ = verdict;
  verdict_of_ = asked_of_ = draft_->revision();
}

void MappingKeeper::try_move(PolicyEdit edit, PartContext& context) {
  Result<StreamPolicy> policy = draft_->preview(edit);
  if (!policy || (tried_policy_ && *tried_policy_ == *policy)) return;
  tried_ = std::move(edit);
  tried_policy_ = std::move(*policy);
  tried_verdict_ = nullptr;
  context.background.start<Judged>(
      "mapping preview", "Proving what is tried", judging(*tried_policy_, base_),
      [this, wanted = *tried_policy_, generation = generation_](const Judged& judged) {
        if (generation != generation_) return;
        base_ = judged.base;
        if (tried_policy_ && *tried_policy_ == wanted) tried_verdict_ = judged.verdict;
      });
}

void MappingKeeper::drop_try() {
  tried_.reset();
  tried_policy_.reset();
  tried_verdict_ = nullptr;
}

std::optional<PolicyEdit> MappingKeeper::edit_of(const StreamMove& move,
                                                 const PartContext& context) const {
  const std::optional<std::uint32_t> task =
      move.task ? move.task : context.workbench.selection.task;
  if (!task || *task >= tasks().size() || move.stream >= kStreamCount) return std::nullopt;
  const Task& moved = tasks()[*task];
  if (runs_on_host(moved.graph)) return std::nullopt;
  return move_task(tasks(), draft_->policy(), moved, kStreamKinds[move.stream],
                   reach_of(move.scope));
}

void MappingKeeper::save(std::string path, PartContext& context) {
  if (path.empty()) path = unused_file(draft_->policy().name + "-edited", ".toml");
  if (auto saved = draft_->save_as(path); !saved) {
    context.workbench.log.fail(saved.error());
    return;
  }
  saved_at_ = path;
  saved_of_ = draft_->revision();
  context.workbench.policy_edited = false;
  context.workbench.log.note(fmt::format("saved the policy as {}", path));
}

bool MappingKeeper::handle(const Command& command, PartContext& context) {
  namespace ids = command_id;
  if (!ready()) return false;
  if (command.id == ids::kMove || command.id == ids::kPreviewMove) {
    const auto* move = command.get<StreamMove>();
    std::optional<PolicyEdit> made = move == nullptr ? std::nullopt : edit_of(*move, context);
    if (!made) return false;
    command.id == ids::kMove ? edit(std::move(*made), context)
                             : try_move(std::move(*made), context);
    return true;
  }
  if (command.id == ids::kEditPolicy || command.id == ids::kTryEdit) {
    const auto* text = command.get<std::string>();
    Result<PolicyEdit> made = edit_from_text(text == nullptr ? std::string{} : *text);
    if (!made) return false;
    command.id == ids::kEditPolicy ? edit(std::move(*made), context)
                                   : try_move(std::move(*made), context);
    return true;
  }
  if (command.id == ids::kDropPreview) {
    drop_try();
  } else if (command.id == ids::kUndo || command.id == ids::kRedo) {
    refused_.reset();
    command.id == ids::kUndo ? draft_->undo() : draft_->redo();
  } else if (command.id == ids::kSavePolicy) {
    save(saved_at_, context);
  } else if (command.id == ids::kSavePolicyAs) {
    const auto* path = command.get<std::string>();
    save(path == nullptr ? std::string{} : *path, context);
  } else {
    return false;
  }
  return true;
}

void MappingKeeper::keep(PartContext& context) {
  if (!ready() || kept_at_.empty() || kept_of_ == draft_->revision()) return;
  std::error_code ignored;  // the writing tells
  const auto folder = std::filesystem::path(kept_at_).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
  if (auto kept = keep_draft(*draft_, kept_at_); !kept) context.workbench.log.fail(kept.error());
  kept_of_ = draft_->revision();
}

void MappingKeeper::finish(PartContext& context) {
  keep(context);
}

}  // namespace quintet::viewer
