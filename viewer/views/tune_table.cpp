#include "viewer/views/tune_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "viewer/widgets/table.h"
#include "viewer/widgets/text.h"

namespace quintet::viewer {

namespace {

constexpr auto kCandidateColumns = std::to_array<TableColumn>({
    {"policy", 172, false, "The pointer over a policy tries it, a click takes it"},
    {"predicted, ms", 104, true, "A step, from the costs of the recording"},
    {"gain", 62, true, "Of the step as recorded, predicted as well"},
    {"measured, ms", 104, true, "Median of the steps of a run, timed without the recorder"},
    {"MiB", 56, true, "On the device"},
    {"proof", 72, false, "Whether every pair of conflicting tasks is ordered"},
    {"what changes", 0, false, "Against the recorded policy"},
});

constexpr int kMeasured = 3;
constexpr int kMemory = 4;

/// Places of candidates in the order that the table was asked for; what has no value comes last.
std::vector<std::size_t> sorted(const Tuning& tuning, const MeasureKeeper* measure,
                                const TableSort& sort) {
  const auto key = [&](std::size_t place) {
    const RatedPolicy& rated = tuning.candidates[place].rated;
    if (sort.column == kMemory) return static_cast<double>(rated.memory_bytes);
    if (sort.column != kMeasured) return rated.step_ns;
    const Measurement* measured = measure == nullptr ? nullptr : measure->of(place);
    const bool known = measured != nullptr && measured->step_ns.has_value();
    return known ? static_cast<double>(*measured->step_ns)
                 : std::numeric_limits<double>::infinity();
  };
  std::vector<std::size_t> places(tuning.candidates.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
    if (sort.column == 0) {
      const std::string& one = tuning.candidates[a].rated.policy.name;
      const std::string& two = tuning.candidates[b].rated.policy.name;
      return sort.descending ? two < one : one < two;
    }
    const double one = key(a);
    const double two = key(b);
    if (std::isinf(one) || std::isinf(two)) return one < two;
    return sort.descending ? two < one : one < two;
  });
  return places;
}

/// What a search found has one name for all: they are told apart by their place.
std::string short_name(const Tuning& tuning, std::size_t place) {
  const RatedPolicy& rated = tuning.candidates[place].rated;
  if (rated.origin != PolicyOrigin::search) return rated.policy.name;
  const auto end = tuning.candidates.begin() + static_cast<std::ptrdiff_t>(place) + 1;
  return fmt::format("found {}",
                     std::count_if(tuning.candidates.begin(), end, [](const auto& each) {
                       return each.rated.origin == PolicyOrigin::search;
                     }));
}

class Rows {
 public:
  Rows(const TuneKeeper& keeper, const MeasureKeeper* measure, ViewContext& context)
      : keeper_(keeper), tuning_(*keeper.tuning()), measure_(measure), context_(context) {}

  void draw(std::size_t row) {
    const TuneCandidate& candidate = tuning_.candidates[row];
    draw_name(row, candidate);
    Table::cell();
    right_text(palette_.text, fmt::format("{:.4f}", candidate.rated.step_ns / 1e6));
    Table::cell();
    draw_gain(candidate);
    Table::cell();
    draw_measured(row, candidate);
    Table::cell();
    right_text(candidate.within ? palette_.text : palette_.warn,
               fmt::format("{:.1f}", static_cast<double>(candidate.rated.memory_bytes) / 0x1p20));
    if (!candidate.within) tooltip("over the limit of memory");
    Table::cell();
    colored_text(candidate.rated.race_free ? palette_.good : palette_.bad,
                 candidate.rated.race_free ? "race-free" : "races");
    Table::cell();
    cut_text(palette_.dim, candidate.changes, ImGui::GetContentRegionAvail().x);
  }
  [[nodiscard]] const std::optional<CandidatePick>& pick() const { return pick_; }

 private:
  void draw_name(std::size_t row, const TuneCandidate& candidate) {
    Table::cell();
    const bool taken = keeper_.taken() == row;
    const bool clicked = Table::pick("##candidate", taken);
    if (ImGui::IsItemHovered()) pick_ = CandidatePick{row, clicked};
    const CandidateLook look = look_of(candidate.rated.origin, palette_);
    draw_mark(look.shape, look.color, context_.frame.scale);
    if (candidate.on_front) ImGui::PushFont(context_.fonts.bold);
    cut_text(palette_.text, fmt::format("{}{}", short_name(tuning_, row), taken ? " (taken)" : ""),
             ImGui::GetContentRegionAvail().x);
    if (candidate.on_front) ImGui::PopFont();
  }

  void draw_gain(const TuneCandidate& candidate) {
    const double recorded = tuning_.candidates[tuning_.recorded].rated.step_ns;
    const double gain = candidate.rated.step_ns / recorded - 1;
    const bool beyond = tuning_.error_share > 0 && -gain > tuning_.error_share;
    right_text(beyond ? palette_.good : palette_.dim, fmt::format("{:+.2f} %", 100 * gain));
  }

  void draw_measured(std::size_t row, const TuneCandidate& candidate) {
    const Measurement* measured = measure_ == nullptr ? nullptr : measure_->of(row);
    if (measured == nullptr) return;
    if (measured->error) {
      right_text(palette_.bad, "failed");
      tooltip(to_string(*measured->error));
      return;
    }
    if (!measured->step_ns) {
      right_text(palette_.dim, measured->stage == MeasureStage::running ? "running" : "waits");
      return;
    }
    const auto step_ns = static_cast<double>(*measured->step_ns);
    const bool best = measure_->winner() == row;
    if (best) ImGui::PushFont(context_.fonts.bold);
    right_text(best ? palette_.good : palette_.text,
               fmt::format("{}{:.4f}", best ? "best " : "", step_ns / 1e6));
    if (best) ImGui::PopFont();
    std::string note =
        fmt::format("predicted {:+.2f} % off", 100 * (candidate.rated.step_ns / step_ns - 1));
    const Measurement* recorded = measure_->of(tuning_.recorded);
    if (recorded != nullptr && recorded->step_ns && row != tuning_.recorded) {
      note += fmt::format("\n{:+.2f} % of as recorded, which was measured beside it",
                          100 * (step_ns / static_cast<double>(*recorded->step_ns) - 1));
    }
    if (!measured->recording.empty())
      note += "\nRight click opens " + measured->recording + " as B";
    tooltip(note);
    if (!measured->recording.empty() && ImGui::IsItemClicked(ImGuiMouseButton_Right)) {
      context_.commands.emit(command_id::kOpenFile, OpenFile{measured->recording, Side::b});
    }
  }

  const TuneKeeper& keeper_;
  const Tuning& tuning_;
  const MeasureKeeper* measure_;
  ViewContext& context_;
  const Palette& palette_ = context_.palette;
  std::optional<CandidatePick> pick_;
};

}  // namespace

std::optional<CandidatePick> draw_tune_table(const TuneKeeper& keeper, const MeasureKeeper* measure,
                                             ViewContext& context) {
  Table table("candidates", kCandidateColumns, {.sortable = true, .first = {1, false}},
              context.frame.scale);
  if (!table) return std::nullopt;
  const std::vector<std::size_t> places = sorted(*keeper.tuning(), measure, table.sort());
  Rows rows(keeper, measure, context);
  table.rows(places.size(), [&](std::size_t row) { rows.draw(places[row]); });
  return rows.pick();
}

}  // namespace quintet::viewer
