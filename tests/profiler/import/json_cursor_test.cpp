#include "profiler/import/json_cursor.h"

#include <gtest/gtest.h>
#include <string>

#include "profiler/import/json_text.h"

namespace quintet {
namespace {

/// A text with the padding that a cursor needs.
class PaddedText {
 public:
  explicit PaddedText(std::string_view text) : text_(text), size_(text.size()) {
    text_.append(JsonCursor::kPadding, '\0');
  }
  [[nodiscard]] JsonCursor cursor() const { return {text_.data(), text_.data() + size_}; }
  [[nodiscard]] const char* end() const { return text_.data() + size_; }

 private:
  std::string text_;
  std::size_t size_;
};

JsonStatus skipped(std::string_view text) {
  const PaddedText padded(text);
  JsonCursor cursor = padded.cursor();
  return cursor.skip_value();
}

std::string resolved(std::string_view raw) {
  const PaddedText padded("\"" + std::string(raw) + "\"");
  JsonCursor cursor = padded.cursor();
  JsonString string;
  EXPECT_EQ(cursor.string(string), JsonStatus::ok);
  std::string scratch;
  return std::string(text_of(string, scratch));
}

TEST(JsonCursor, FindsTheEndOfAStringAtEveryDistance) {
  for (std::size_t length = 0; length < 40; ++length) {
    const std::string inside(length, 'x');
    const PaddedText padded("\"" + inside + "\",");
    JsonCursor cursor = padded.cursor();
    JsonString string;
    ASSERT_EQ(cursor.string(string), JsonStatus::ok) << length;
    EXPECT_EQ(string.raw, inside);
    EXPECT_FALSE(string.control || string.high || string.escaped) << length;
    EXPECT_EQ(cursor.peek(), ',');
  }
}

TEST(JsonCursor, TellsControlCharactersBytesBeyondAsciiAndEscapesInsideOnly) {
  for (std::size_t before = 0; before < 20; ++before) {
    const std::string lead(before, 'x');
    const PaddedText padded("\"" + lead + "\x01\"\xFF\n");
    JsonCursor cursor = padded.cursor();
    JsonString string;
    ASSERT_EQ(cursor.string(string), JsonStatus::ok);
    EXPECT_TRUE(string.control);
    EXPECT_FALSE(string.high);
    EXPECT_FALSE(string.escaped);
    const PaddedText high("\"" + lead + "\\\"\x9F\"\n");
    cursor = high.cursor();
    ASSERT_EQ(cursor.string(string), JsonStatus::ok);
    EXPECT_TRUE(string.high);
    EXPECT_TRUE(string.escaped);
    EXPECT_FALSE(string.control);
  }
}

TEST(JsonCursor, CallsIncompleteWhateverEndsWithTheText) {
  const std::string text = R"({"a": [1, {"b": "c\"d"}, null], "e": -1.5e3})";
  EXPECT_EQ(skipped(text), JsonStatus::ok);
  for (std::size_t length = 0; length < text.size(); ++length)
    EXPECT_EQ(skipped(text.substr(0, length)), JsonStatus::incomplete) << length;
}

TEST(JsonCursor, StepsOverWhatOthersRefuse) {
  for (const std::string_view text :
       {"[NaN, Infinity, -Infinity, nan]", "{\"a\": 1,}", "[1,]", "\"raw\nnewline\tand \x01\"",
        "\"\x9F\xFF\"", "[]", "{}", "[[], {}]"}) {
    EXPECT_EQ(skipped(std::string(text) + ","), JsonStatus::ok) << text;
  }
}

TEST(JsonCursor, CallsMalformedAStructureThatDoesNotFit) {
  for (const std::string_view text : {"{\"a\" 1}", "[1 2]", "{\"a\": \"foo \"bar\" baz\"}",
                                      "{1: 2}", "[1}", "{\"a\": 1]", "[,,]", "[\"a\": 1]", ";"}) {
    EXPECT_EQ(skipped(text), JsonStatus::malformed) << text;
  }
}

TEST(JsonCursor, EndsAtADepthRatherThanWithTheStack) {
  const std::string deep(1'000'000, '[');
  EXPECT_EQ(skipped(deep), JsonStatus::malformed);
  std::string fits(JsonCursor::kMostDepth, '[');
  fits += "1" + std::string(JsonCursor::kMostDepth, ']');
  EXPECT_EQ(skipped(fits), JsonStatus::ok);
}

TEST(JsonText, ResolvesEscapes) {
  EXPECT_EQ(resolved(R"(a\"b\\c\/d\n\t\b\f\r)"), "a\"b\\c/d\n\t\b\f\r");
  EXPECT_EQ(resolved(R"(\u0041\u00e9\u20ac\ud83d\ude00)"), "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
}

TEST(JsonText, ReplacesWhatIsNoCharacter) {
  const std::string replacement = "\xEF\xBF\xBD";
  EXPECT_EQ(resolved(R"(\ud83d)"), replacement);
  EXPECT_EQ(resolved(R"(\ude00x)"), replacement + "x");
  EXPECT_EQ(resolved(R"(\ud83d\u0041)"), replacement + "A");
  EXPECT_EQ(resolved(R"(\u0000)"), replacement);
  EXPECT_EQ(resolved(std::string_view("a\0b", 3)), "a" + replacement + "b");
  EXPECT_EQ(resolved(R"(\ud83d\u00)"), replacement + "\\u00");
}

TEST(JsonText, KeepsEscapesThatJsonDoesNotKnow) {
  for (const std::string_view text : {R"(C:\cuda\lib)", R"(C:\users\u1)", R"(\q)", R"(\uZZZZ)",
                                      R"(\u12)", R"(\u)", R"(\1\x41\')", "\\\xC3\xA9"}) {
    EXPECT_EQ(resolved(text), text);
  }
  EXPECT_EQ(resolved(R"(D:\\a\libs\u0041)"), R"(D:\a\libsA)");
  EXPECT_EQ(resolved(R"(C:\new\tools)"), "C:\new\tools") << "\\n and \\t are known";
}

TEST(JsonText, ReportsEscapesThatDoNotStandForACharacter) {
  const auto escapes = [](std::string_view raw) { return escapes_of({raw, true, false, false}); };
  for (const std::string_view text : {R"(a\q)", R"(\u12)", R"(\\\c)"}) {
    EXPECT_TRUE(escapes(text).unknown) << text;
    EXPECT_FALSE(escapes(text).unpaired) << text;
  }
  for (const std::string_view text : {R"(\ud83d)", R"(x\ude00)", R"(\u0000)", R"(\ud83d\ud83d)"}) {
    EXPECT_TRUE(escapes(text).unpaired) << text;
    EXPECT_FALSE(escapes(text).unknown) << text;
  }
  for (const std::string_view text : {R"(\"\\\/\b\f\n\r\t)", R"(\ufffd\ud83d\ude00)", ""}) {
    EXPECT_FALSE(escapes(text).unknown) << text;
    EXPECT_FALSE(escapes(text).unpaired) << text;
  }
}

TEST(JsonText, KnowsUtf8) {
  for (const std::string_view text :
       {"", "ascii", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xEF\xBF\xBD"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
  for (const std::string_view text : {"\x9F", "\xFF", "\xC3", "\xC0\x80", "\xE0\x80\x80",
                                      "\xED\xA0\x80", "\xF4\x90\x80\x80", "caf\xE9"}) {
    EXPECT_FALSE(is_utf8(text)) << text;
  }
}

}  // namespace
}  // namespace quintet
