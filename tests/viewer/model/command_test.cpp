#include "viewer/model/command.h"

#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>

#include "tests/support/tiny_trace.h"

namespace quintet::viewer {
namespace {

PlaceDocument placed(Side side) {
  PlaceDocument place;
  place.side = side;
  place.document.trace = std::make_shared<const Trace>(tiny_trace());
  place.document.file = side == Side::a ? "a.qtrace" : "b.qtrace";
  return place;
}

Workbench with_one_open() {
  Workbench workbench;
  apply_command({command_id::kPlace, placed(Side::a)}, workbench);
  return workbench;
}

TEST(CommandCatalog, TitlesAreSentencesWithoutAFullStop) {
  for (const CommandEntry& entry : command_catalog()) {
    if (entry.title.empty()) continue;
    EXPECT_TRUE(entry.title.front() >= 'A' && entry.title.front() <= 'Z') << entry.title;
    EXPECT_TRUE(entry.title.ends_with("...") || !entry.title.ends_with(".")) << entry.title;
  }
}

TEST(CommandCatalog, NoKeyMeansTwoThings) {
  std::map<std::string, std::string_view> taken;
  for (const CommandEntry& entry : command_catalog()) {
    for (const KeyChord& chord : entry.keys) {
      if (chord.key == Key::none) continue;
      EXPECT_EQ(canonical(chord), chord) << entry.title;
      const auto [at, added] = taken.try_emplace(to_string(chord), entry.title);
      EXPECT_TRUE(added) << to_string(chord) << ": " << at->second << " and " << entry.title;
    }
  }
}

TEST(CommandCatalog, LinesOfOneIdDoTheSame) {
  std::map<std::string_view, const CommandEntry*> first;
  for (const CommandEntry& entry : command_catalog()) {
    const auto [at, added] = first.try_emplace(entry.id, &entry);
    if (!added) {
      EXPECT_EQ(at->second->apply, entry.apply) << entry.id;
    }
  }
}

TEST(CommandCatalog, WhatOnlyViewsEmitHasNoKey) {
  for (const CommandEntry& entry : command_catalog()) {
    if (entry.title.empty()) {
      EXPECT_EQ(entry.keys[0].key, Key::none) << entry.id;
    }
  }
}

TEST(CommandCatalog, HasTheKeysOfTheTimeline) {
  const Workbench workbench = with_one_open();
  const std::map<std::string, std::string_view> wanted = {
      {"w", command_id::kZoomIn},        {"s", command_id::kZoomOut},
      {"a", command_id::kPanLeft},       {"d", command_id::kPanRight},
      {"f", command_id::kFit},           {"z", command_id::kZoomToSelection},
      {"[", command_id::kPreviousSpan},  {"]", command_id::kNextSpan},
      {"n", command_id::kNextStep},      {"p", command_id::kPreviousStep},
      {"/", command_id::kSearch},        {"m", command_id::kMeasure},
      {"b", command_id::kAddBookmark},   {"c", command_id::kCriticalPath},
      {"v", command_id::kExecutorLanes}, {"g", command_id::kShowInGraph},
      {" ", command_id::kFlip},          {"?", command_id::kHelp},
      {"1", command_id::kMove},          {"5", command_id::kMove},
  };
  for (const auto& [typed, id] : wanted) {
    const CommandEntry* entry =
        command_for({key_of_character(static_cast<char32_t>(typed[0]))}, workbench);
    ASSERT_NE(entry, nullptr) << typed;
    EXPECT_EQ(entry->id, id) << typed;
  }
}

TEST(Command, NumbersMoveToStreamsInTheirOrderByScope) {
  const Workbench workbench = with_one_open();
  const CommandEntry* entry = command_for({Key::digit_4, false, true}, workbench);
  ASSERT_NE(entry, nullptr);
  const Command command = entry->command();
  const auto* move = command.get<StreamMove>();
  ASSERT_NE(move, nullptr);
  EXPECT_EQ(move->stream, 3U);
  EXPECT_EQ(move->scope, MoveScope::layer_and_after);
  EXPECT_FALSE(entry->enabled_in(workbench)) << "nothing is selected";
}

TEST(Command, WhatIsUnknownOrDisabledChangesNothing) {
  Workbench workbench;
  EXPECT_EQ(apply_command({"no.such", {}}, workbench), CommandOutcome::unknown);
  EXPECT_EQ(apply_command({command_id::kMeasure, {}}, workbench), CommandOutcome::disabled);
  EXPECT_FALSE(workbench.measuring);
}

TEST(Command, ACommandOfAPartIsLeftToIt) {
  Workbench workbench = with_one_open();
  EXPECT_EQ(apply_command({command_id::kZoomIn, {}}, workbench), CommandOutcome::for_parts);
}

TEST(Command, PlacingASecondRecordingShowsBothAndClosingItTheFirst) {
  Workbench workbench = with_one_open();
  EXPECT_EQ(workbench.shown, Shown::a);
  apply_command({command_id::kPlace, placed(Side::b)}, workbench);
  EXPECT_EQ(workbench.shown, Shown::both);
  apply_command({command_id::kClose, Side::b}, workbench);
  EXPECT_EQ(workbench.shown, Shown::a);
  EXPECT_TRUE(workbench.anything_open());
}

TEST(Command, EveryPlacedDocumentHasAGenerationOfItsOwn) {
  Workbench workbench = with_one_open();
  std::set<std::uint64_t> generations = {workbench.document(Side::a)->generation};
  for (int time = 0; time < 3; ++time) {
    apply_command({command_id::kPlace, placed(time % 2 == 0 ? Side::b : Side::a)}, workbench);
    EXPECT_TRUE(
        generations.insert(workbench.document(time % 2 == 0 ? Side::b : Side::a)->generation)
            .second);
  }
}

TEST(Command, AGrowingRunKeepsSelectionAndRange) {
  Workbench workbench;
  PlaceDocument live = placed(Side::a);
  live.document.live = true;
  apply_command({command_id::kPlace, live}, workbench);
  workbench.visible = {100, 200};
  workbench.selection.task = 1;
  apply_command({command_id::kPlace, live}, workbench);
  EXPECT_EQ(workbench.visible, (TimeRange{100, 200}));
  EXPECT_EQ(workbench.selection.task, 1U);
  apply_command({command_id::kPlace, placed(Side::a)}, workbench);
  EXPECT_EQ(workbench.visible, (TimeRange{100, 200})) << "the run that was followed, complete";
  apply_command({command_id::kPlace, placed(Side::a)}, workbench);
  EXPECT_TRUE(workbench.visible.empty()) << "opened anew";
}

TEST(Command, SteppingMovesTheViewAlong) {
  Workbench workbench = with_one_open();
  workbench.visible = {0, 1000};
  apply_command({command_id::kNextStep, {}}, workbench);
  EXPECT_EQ(workbench.step, 0);
  EXPECT_EQ(workbench.visible, (TimeRange{0, 1000})) << "no step was current";
  apply_command({command_id::kNextStep, {}}, workbench);
  EXPECT_EQ(workbench.step, 1);
  EXPECT_EQ(workbench.visible, (TimeRange{1000, 2000}));
  apply_command({command_id::kPreviousStep, {}}, workbench);
  EXPECT_EQ(workbench.visible, (TimeRange{0, 1000}));
}

TEST(Command, EscapeClosesOneThingAtATime) {
  Workbench workbench = with_one_open();
  workbench.search = "conv";
  workbench.selection.task = 0;
  apply_command({command_id::kHelp, {}}, workbench);
  EXPECT_EQ(workbench.overlay, Overlay::help);
  apply_command({command_id::kDeselect, {}}, workbench);
  EXPECT_EQ(workbench.overlay, Overlay::none);
  EXPECT_FALSE(workbench.selection.empty());
  apply_command({command_id::kDeselect, {}}, workbench);
  EXPECT_TRUE(workbench.selection.empty());
  EXPECT_EQ(workbench.search, "conv");
  apply_command({command_id::kDeselect, {}}, workbench);
  EXPECT_EQ(workbench.search, "");
}

TEST(Command, FlippingGoesBetweenASideAndTheOther) {
  Workbench workbench = with_one_open();
  EXPECT_EQ(apply_command({command_id::kFlip, {}}, workbench), CommandOutcome::disabled);
  apply_command({command_id::kPlace, placed(Side::b)}, workbench);
  apply_command({command_id::kFlip, {}}, workbench);
  EXPECT_EQ(workbench.shown, Shown::a);
  apply_command({command_id::kFlip, {}}, workbench);
  EXPECT_EQ(workbench.shown, Shown::b);
}

TEST(CommandQueue, KeepsTheOrderAndIsEmptyOnceTaken) {
  CommandQueue queue;
  queue.emit(command_id::kFit);
  queue.emit(command_id::kGoToStep, std::int64_t{4});
  const std::vector<Command> taken = queue.take();
  ASSERT_EQ(taken.size(), 2U);
  EXPECT_EQ(taken[0].id, command_id::kFit);
  EXPECT_EQ(*taken[1].get<std::int64_t>(), 4);
  EXPECT_EQ(taken[1].get<std::string>(), nullptr);
  EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace quintet::viewer
