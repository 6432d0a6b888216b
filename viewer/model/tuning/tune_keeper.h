/// The search for better mappings of the recording whose mapping is under the hand.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "viewer/model/part.h"
#include "viewer/model/tuning/tuning.h"

namespace quintet::viewer {

/// The background job that searches.
inline constexpr std::string_view kTuneJob = "tune";

/// Takes kTune, kStopTuning, kTryTuned and kApplyTuned. A search is of the policy as recorded, whatever the
/// edits; it and its result go with the recording.
class TuneKeeper : public Part {
 public:
  [[nodiscard]] std::string_view id() const override { return "tune"; }
  void prepare(PartContext& context) override;
  bool handle(const Command& command, PartContext& context) override;

  [[nodiscard]] bool running() const { return watch_ != nullptr; }
  /// Of the search that goes on.
  [[nodiscard]] const TuneStanding& standing() const { return standing_; }
  /// True while the one that goes on was asked to end.
  [[nodiscard]] bool stopping() const { return watch_ != nullptr && watch_->stopped(); }
  /// Null where nothing was found yet. Another object after each search.
  [[nodiscard]] std::shared_ptr<const Tuning> tuning() const { return tuning_; }
  /// Why the last search found nothing.
  [[nodiscard]] const std::optional<Error>& refusal() const { return refusal_; }
  /// Document::generation of the recording; 0 = there is none to tune.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }
  /// Which of tuning()->candidates the draft holds.
  [[nodiscard]] std::optional<std::size_t> taken() const { return taken_; }
  /// The one whose preview was asked for last; nothing once its tab is hidden.
  [[nodiscard]] std::optional<std::size_t> tried() const { return tried_; }

 private:
  void forget(PartContext& context);
  void start(PartContext& context);
  void try_out(const Command& command, PartContext& context);
  void drop_try(PartContext& context);
  void apply(const Command& command, PartContext& context);
  void find_taken(const PartContext& context);

  std::uint64_t generation_ = 0;
  std::shared_ptr<TuneWatch> watch_;  ///< of the search that goes on; null = none
  TuneStanding standing_;
  std::shared_ptr<const Tuning> tuning_;
  std::optional<Error> refusal_;
  std::optional<std::size_t> tried_;
  std::optional<std::size_t> taken_;
  std::optional<std::uint64_t> taken_of_;  ///< PolicyDraft::revision
};

}  // namespace quintet::viewer
