#include "viewer/model/tuning/tune_keeper.h"

#include <fmt/format.h>
#include <string>
#include <utility>

#include "profiler/report/format.h"
#include "viewer/model/mapping/draft_file.h"
#include "viewer/model/mapping/mapping_keeper.h"

namespace quintet::viewer {

namespace {

/// A run that still grows is another recording with every look.
const Document* tunable(const Workbench& workbench) {
  const Document* document = mapped_document(workbench);
  return document == nullptr || document->live ? nullptr : document;
}

const MappingKeeper* mapping_of(const PartContext& context, std::uint64_t generation) {
  const auto* mapping = context.parts.find<MappingKeeper>();
  const bool same = mapping != nullptr && mapping->ready() && mapping->generation() == generation;
  return same ? mapping : nullptr;
}

std::string outcome_text(const Tuning& tuning) {
  const double best = tuning.candidates.front().rated.step_ns;
  const double recorded = tuning.candidates[tuning.recorded].rated.step_ns;
  return fmt::format("Tuned: {} predicted, {} as recorded; {} mappings in {:.1f} s",
                     format_duration(best), format_duration(recorded),
                     format_number(static_cast<double>(tuning.tried)), tuning.standing.seconds);
}

}  // namespace

void TuneKeeper::forget(PartContext& context) {
  context.background.cancel(std::string(kTuneJob));
  watch_ = nullptr;
  standing_ = {};
  tuning_ = nullptr;
  refusal_.reset();
  tried_.reset();
  taken_.reset();
  taken_of_.reset();
}

void TuneKeeper::prepare(PartContext& context) {
  const Document* document = tunable(context.workbench);
  const std::uint64_t generation = document == nullptr ? 0 : document->generation;
  if (generation != generation_) {
    forget(context);
    generation_ = generation;
  }
  if (watch_ != nullptr) {
    standing_ = watch_->standing();
    // The job can also be cancelled where all jobs are listed: then nothing will come of it.
    if (!context.background.busy(std::string(kTuneJob))) watch_ = nullptr;
  }
  // The view cannot tell that the pointer has gone once it is no longer drawn.
  const Workbench& workbench = context.workbench;
  const bool seen = workbench.bottom_tab == "tune" && workbench.layout.bottom_shown;
  if (tried_ && !seen) drop_try(context);
  find_taken(context);
}

void TuneKeeper::find_taken(const PartContext& context) {
  const MappingKeeper* mapping = mapping_of(context, generation_);
  if (tuning_ == nullptr || mapping == nullptr) {
    taken_.reset();
    taken_of_.reset();
    return;
  }
  if (taken_of_ == mapping->draft().revision()) return;
  taken_of_ = mapping->draft().revision();
  taken_.reset();
  for (std::size_t at = 0; at < tuning_->candidates.size() && !taken_; ++at) {
    if (tuning_->candidates[at].rated.policy == mapping->draft().policy()) taken_ = at;
  }
}

void TuneKeeper::start(PartContext& context) {
  Workbench& workbench = context.workbench;
  const Document* document = tunable(workbench);
  if (document == nullptr) {
    workbench.log.warn("Nothing can be tuned", "open a recording whose run has ended");
    return;
  }
  if (running()) {
    workbench.log.warn("A search goes on already", "stop it first: Ctrl+Shift+U");
    return;
  }
  if (document->generation != generation_) forget(context);
  generation_ = document->generation;
  workbench.bottom_tab = "tune";
  workbench.layout.bottom_shown = true;
  standing_ = {};
  refusal_.reset();
  watch_ = std::make_shared<TuneWatch>();
  const auto still = [this, watch = watch_] { return watch == watch_; };
  context.background.start<Result<Tuning>>(
      std::string(kTuneJob), "Tuning the mapping",
      [trace = document->trace, choice = workbench.tuning, watch = watch_](JobControl& control) {
        return tune_recording(*trace, choice, *watch, control);
      },
      [this, still, &log = workbench.log](Result<Tuning> found) {
        if (!still()) return;
        watch_ = nullptr;
        tried_.reset();  // places mean other policies now
        taken_of_.reset();
        if (!found) {
          refusal_ = found.error();
          return;
        }
        standing_ = found->standing;
        tuning_ = std::make_shared<const Tuning>(std::move(*found));
        log.note(outcome_text(*tuning_));
      },
      [this, still](std::string what) {
        if (!still()) return;
        watch_ = nullptr;
        refusal_ = Error{std::move(what), "", "", 0};
      });
}

void TuneKeeper::drop_try(PartContext& context) {
  if (!tried_) return;
  tried_.reset();
  if (mapping_of(context, generation_) != nullptr) {
    context.commands.emit(command_id::kDropPreview);
  }
}

void TuneKeeper::try_out(const Command& command, PartContext& context) {
  const auto* wanted = command.get<std::int64_t>();
  const auto place = static_cast<std::size_t>(wanted == nullptr ? 0 : *wanted);
  if (wanted == nullptr || tuning_ == nullptr || place >= tuning_->candidates.size()) {
    drop_try(context);
    return;
  }
  if (mapping_of(context, generation_) == nullptr) return;
  tried_ = place;
  context.commands.emit(command_id::kTryEdit, edit_text(tuning_->candidates[place].edit));
}

void TuneKeeper::apply(const Command& command, PartContext& context) {
  const auto* wanted = command.get<std::int64_t>();
  const auto place = static_cast<std::size_t>(wanted == nullptr ? 0 : *wanted);
  if (tuning_ == nullptr || place >= tuning_->candidates.size()) {
    context.workbench.log.warn("Nothing was found yet", "tune the mapping first: Ctrl+U");
    return;
  }
  if (mapping_of(context, generation_) == nullptr) return;
  tried_.reset();
  context.commands.emit(command_id::kEditPolicy, edit_text(tuning_->candidates[place].edit));
}

bool TuneKeeper::handle(const Command& command, PartContext& context) {
  if (command.id == command_id::kTune) {
    start(context);
  } else if (command.id == command_id::kStopTuning) {
    if (watch_ != nullptr) watch_->stop();
  } else if (command.id == command_id::kTryTuned) {
    try_out(command, context);
  } else if (command.id == command_id::kApplyTuned) {
    apply(command, context);
  } else {
    return false;
  }
  return true;
}

}  // namespace quintet::viewer
