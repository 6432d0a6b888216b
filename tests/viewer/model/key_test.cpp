#include "viewer/model/key.h"

#include <gtest/gtest.h>
#include <set>

namespace quintet::viewer {
namespace {

TEST(Key, EveryKeyButNoneHasANameOfItsOwn) {
  std::set<std::string> names;
  for (std::uint8_t key = 1; key < kKeyCount; ++key)
    EXPECT_TRUE(names.insert(name_of(static_cast<Key>(key))).second) << int{key};
  EXPECT_EQ(name_of(Key::none), "");
}

TEST(Key, CharactersOfEitherCaseAreTheirLetters) {
  EXPECT_EQ(key_of_character(U'w'), Key::w);
  EXPECT_EQ(key_of_character(U'W'), Key::w);
  EXPECT_EQ(key_of_character(U'9'), Key::digit_9);
  EXPECT_EQ(key_of_character(U'?'), Key::question_mark);
  EXPECT_EQ(key_of_character(U'\u00E9'), Key::none);
}

TEST(Key, ChordsAreWrittenAsKeyboardsNameThem) {
  EXPECT_EQ(to_string(KeyChord{Key::z, true, true}), "Ctrl+Shift+Z");
  EXPECT_EQ(to_string(KeyChord{Key::page_up, false, false, true}), "Alt+Page Up");
  EXPECT_EQ(to_string(KeyChord{}), "");
}

TEST(Key, ShiftDoesNotCountForWhatSomeKeyboardsTypeWithShift) {
  EXPECT_EQ(canonical({Key::slash, false, true}), (KeyChord{Key::slash}));
  EXPECT_EQ(canonical({Key::left_bracket, false, false, true}), (KeyChord{Key::left_bracket}));
  EXPECT_EQ(canonical({Key::z, false, true}), (KeyChord{Key::z, false, true}));
}

}  // namespace
}  // namespace quintet::viewer
