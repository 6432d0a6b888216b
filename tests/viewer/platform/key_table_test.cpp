#include "viewer/platform/key_table.h"

#include <GLFW/glfw3.h>
#include <gtest/gtest.h>
#include <set>

#include "viewer/model/command.h"

namespace quintet::viewer {
namespace {

TEST(KeyTable, ALetterIsWhatTheKeyTypesNotWhereItLies) {
  EXPECT_EQ(key_of_glfw(GLFW_KEY_Z, "y"), Key::y) << "a German keyboard";
  EXPECT_EQ(key_of_glfw(GLFW_KEY_Z, "z"), Key::z);
  EXPECT_EQ(key_of_glfw(GLFW_KEY_W, "\xd1\x86"), Key::w) << "a Cyrillic keyboard: the place";
  EXPECT_EQ(key_of_glfw(GLFW_KEY_W, ""), Key::w);
}

TEST(KeyTable, DigitsOfBothBlocksAreDigits) {
  EXPECT_EQ(key_of_glfw(GLFW_KEY_3, "3"), Key::digit_3);
  EXPECT_EQ(key_of_glfw(GLFW_KEY_3, "\""), Key::digit_3) << "with a layout that shifts digits";
  EXPECT_EQ(key_of_glfw(GLFW_KEY_KP_3, "3"), Key::digit_3);
}

TEST(KeyTable, CharactersThatLieElsewhereComeAsCharacters) {
  EXPECT_EQ(key_of_glfw(GLFW_KEY_SLASH, "/"), Key::none);
  EXPECT_EQ(key_of_glfw(GLFW_KEY_LEFT_BRACKET, "["), Key::none);
  EXPECT_EQ(key_of_typed(U'/'), Key::slash);
  EXPECT_EQ(key_of_typed(U'?'), Key::question_mark);
  EXPECT_EQ(key_of_typed(U'['), Key::left_bracket);
  EXPECT_EQ(key_of_typed(U'a'), Key::none) << "letters come as keys";
  EXPECT_EQ(key_of_typed(U' '), Key::none);
}

TEST(KeyTable, ModifiersMakeTheChord) {
  EXPECT_EQ(chord_of_glfw(GLFW_KEY_Z, "z", GLFW_MOD_CONTROL | GLFW_MOD_SHIFT),
            (KeyChord{Key::z, true, true}));
  EXPECT_EQ(chord_of_glfw(GLFW_KEY_1, "1", GLFW_MOD_ALT | GLFW_MOD_NUM_LOCK),
            (KeyChord{Key::digit_1, false, false, true}));
}

TEST(KeyTable, ReachesEveryKeyOfTheCatalog) {
  std::set<Key> reached;
  for (int code = 0; code <= GLFW_KEY_LAST; ++code)
    reached.insert(key_of_glfw(code, ""));
  for (char32_t character = 0x20; character < 0x7F; ++character)
    reached.insert(key_of_typed(character));
  for (const CommandEntry& entry : command_catalog()) {
    for (const KeyChord& chord : entry.keys)
      EXPECT_TRUE(reached.contains(chord.key)) << entry.title << ": " << to_string(chord);
  }
}

}  // namespace
}  // namespace quintet::viewer
