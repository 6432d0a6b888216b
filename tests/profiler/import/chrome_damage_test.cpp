// Texts that other tools refuse as a whole: what can be read is read, the rest is counted.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "profiler/import/text_window.h"
#include "tests/profiler/import/import_fixture.h"

namespace quintet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class DamagedTraces : public ImportTest {};

const std::string kFirst = kernel_event("first", "10", "1");
const std::string kLast = kernel_event("last", "30", "1");

TEST_F(DamagedTraces, KeepNamesWithRawControlCharactersAndCountThem) {
  const Trace trace = import(document({kernel_event("a\x01"
                                                    "b",
                                                    "10", "1"),
                                       kLast}));
  EXPECT_EQ(span_names(trace),
            "a\x01"
            "b last");
  EXPECT_EQ(counted(trace, "control_characters"), 1);
}

TEST_F(DamagedTraces, KeepNamesWithReplacementCharacters) {
  const Trace trace = import(document({kernel_event("a\xEF\xBF\xBD", "10", "1")}));
  EXPECT_EQ(span_names(trace), "a\xEF\xBF\xBD");
  EXPECT_FALSE(finding(trace, "invalid_utf8"));
}

TEST_F(DamagedTraces, LoseOnlyTheEventWhoseNameHasAnUnescapedQuote) {
  const std::string bad = kernel_event("operator\"\" _x", "20", "1");
  const Trace trace = import(document({kFirst, bad, kLast}));
  EXPECT_EQ(span_names(trace), "first last");
  EXPECT_EQ(counted(trace, "damaged_events"), 1);
  EXPECT_THAT(finding(trace, "damaged_events")->message,
              HasSubstr(fmt::format("{} bytes were skipped", bad.size() + 4)));
}

TEST_F(DamagedTraces, ReadOnWhereTheNextEventBeginsOnTheSameLine) {
  const std::string text =
      R"({"traceEvents":[{"ph":"X","name":"a"b","ts":1,"dur":1,"pid":1,"tid":1,"args":{"name":"x"}},)"
      R"({"ph":"X","name":"c","ts":2,"dur":1,"pid":1,"tid":1}]})";
  const Trace trace = import(text);
  EXPECT_EQ(span_names(trace), "c");
  EXPECT_EQ(counted(trace, "damaged_events"), 1);
}

TEST_F(DamagedTraces, KeepNamesWithRawNewlines) {
  EXPECT_EQ(span_names(import(document({kernel_event("a\nb", "10", "1")}))), "a\nb");
}

TEST_F(DamagedTraces, KeepEveryEventAroundManyDamagedOnes) {
  std::vector<std::string> events;
  for (int i = 0; i < 1000; ++i) {
    events.push_back(kernel_event("good", fmt::format("{}", 10 * i), "1"));
    events.push_back(kernel_event("b\"ad", fmt::format("{}", 10 * i + 5), "1"));
  }
  const Trace trace = import(document(events));
  EXPECT_EQ(trace.spans.size(), 1000U);
  EXPECT_EQ(counted(trace, "damaged_events"), 1000);
}

TEST_F(DamagedTraces, KeepNamesWithBytesThatAreNoUtf8) {
  const Trace trace =
      import(document({kernel_event("caf\xE9", "10", "1"), kernel_event("\x9F", "20", "1")}));
  EXPECT_EQ(span_names(trace), "caf\xE9 \x9F");
  EXPECT_EQ(counted(trace, "invalid_utf8"), 2);
}

TEST_F(DamagedTraces, TakeNumbersThatAreNotFiniteAsMissing) {
  for (const std::string_view word : {"NaN", "nan", "Infinity", "-Infinity", "\"inf\"", "null"}) {
    const std::string args = fmt::format(
        R"("args": {{"registers per thread": {}, "grid": [1,1,1], "block": [1,1,1], "x": {}}})",
        word, word);
    const Trace trace = import(document({event("kernel", "k", "10", "1", "0", "7", args)}));
    ASSERT_EQ(trace.spans.size(), 1U) << word;
    EXPECT_EQ(trace.activities[0].launch->registers, 0U) << word;
    EXPECT_FALSE(finding(trace, "damaged_events")) << word;
  }
}

TEST_F(DamagedTraces, ListEventsWhoseTimeIsNoNumberAsUntimed) {
  const Trace trace =
      import(document({kernel_event("k", "NaN", "1"), kernel_event("k", "1", "nan"), kLast}));
  EXPECT_EQ(span_names(trace), "last");
  EXPECT_EQ(trace.untimed.size(), 2U);
}

TEST_F(DamagedTraces, KeepAllCompleteEventsOfATruncatedFileAndTellWhereItEnds) {
  const std::string whole = document({kFirst, kLast, kernel_event("cut", "50", "1")});
  const std::string text = whole.substr(0, whole.find("cut") + 2);
  const Imported imported = import_all(text);
  EXPECT_EQ(span_names(imported.trace), "first last");
  ASSERT_TRUE(finding(imported.trace, "truncated_file"));
  EXPECT_THAT(finding(imported.trace, "truncated_file")->message,
              HasSubstr(fmt::format("truncated at byte {}", text.size())));
  EXPECT_EQ(finding(imported.trace, "truncated_file")->severity, Severity::data_loss);
  EXPECT_EQ(imported.report.files[0].truncated_at, text.size());
  EXPECT_EQ(imported.report.files[0].skipped_events, 1);
}

TEST_F(DamagedTraces, NeverLoseACompleteEventWhereverAFileIsCut) {
  const std::string whole = document({kFirst, kLast});
  const std::size_t first_end = whole.find(kFirst) + kFirst.size();
  const std::size_t last_end = whole.find(kLast) + kLast.size();
  for (std::size_t length = whole.find('[') + 1; length + 1 < whole.size(); ++length) {
    const Trace trace = import(std::string_view(whole).substr(0, length));
    const std::size_t complete = (length >= first_end ? 1U : 0U) + (length >= last_end ? 1U : 0U);
    EXPECT_EQ(trace.spans.size(), complete) << length;
    EXPECT_EQ(counted(trace, "truncated_file"), 1) << length;
  }
}

TEST_F(DamagedTraces, SkipAMemberOfTheTopLevelThatIsDamaged) {
  const Trace trace = import(document(
      {kFirst}, R"("note": "say "hello" to", "baseTimeNanoseconds": 1795980990000000000,)"));
  EXPECT_EQ(span_names(trace), "first");
  EXPECT_EQ(trace.spans.begin_ns[0], 1795980990000010000);
  EXPECT_EQ(counted(trace, "damaged_events"), 1);
}

TEST_F(DamagedTraces, FindTheEventsInsideAMemberThatNeverEnds) {
  const Trace trace = import("{\"meta\": {\"a\": [1, 2, \"traceEvents\": [" + kFirst + "]}");
  EXPECT_EQ(span_names(trace), "first");
}

TEST_F(DamagedTraces, ReadWhatFollowsTheEventsWhereTheLastOneIsDamaged) {
  const Trace trace = import("{\"traceEvents\": [" + kFirst + ", {\"ph\" 1}], " +
                             R"("distributedInfo": {"rank": 4}})");
  EXPECT_EQ(span_names(trace), "first");
  EXPECT_EQ(trace.lanes[0].rank, 4);
  EXPECT_EQ(counted(trace, "damaged_events"), 1);
  EXPECT_FALSE(finding(trace, "truncated_file"));
}

TEST_F(DamagedTraces, AreNotCalledTruncatedWhereTheirEndIsDamaged) {
  EXPECT_FALSE(
      finding(import("{\"traceEvents\": [" + kFirst + ", {\"ph\" 1}]}"), "truncated_file"));
}

TEST_F(DamagedTraces, ReadOnBehindAMissingCommaAndAStrayValue) {
  const Trace trace = import("{\"traceEvents\": [" + kFirst + " " + kLast + ", 17, null, " +
                             kernel_event("end", "40", "1") + ",]}");
  EXPECT_EQ(span_names(trace), "first last end");
  EXPECT_EQ(counted(trace, "damaged_events"), 1) << "the two stray values are one piece";
}

TEST_F(DamagedTraces, CountBytesBehindTheEnd) {
  const Trace trace = import(document({kFirst}) + "  garbage");
  EXPECT_EQ(span_names(trace), "first");
  EXPECT_EQ(counted(trace, "trailing_bytes"), 7);
}

TEST_F(DamagedTraces, StopAtADepthRatherThanWithTheStack) {
  const std::string deep(200'000, '[');
  const Trace trace =
      import(document({kFirst, event("x", "deep", "1", "1", "1", "1", "\"args\": " + deep)}) +
             ",\n" + kLast + "]}");
  EXPECT_EQ(span_names(trace), "first last");
}

TEST_F(DamagedTraces, ReadAnEventThatIsLongerThanTheWindow) {
  const std::string long_text(3 * ImportOptions().window_bytes, 'x');
  const Trace trace = import(document(
      {kFirst, event("kernel", "long", "20", "1", "0", "7", "\"note\": \"" + long_text + "\""),
       kLast}));
  EXPECT_EQ(span_names(trace), "first long last");
}

TEST_F(DamagedTraces, SkipWhatFitsIntoNoWindow) {
  const std::string endless(TextWindow::kMostBytes + 100, 'x');
  const Trace trace = import(document(
      {kFirst, event("kernel", "long", "20", "1", "0", "7", "\"note\": \"" + endless + "\""),
       kLast}));
  EXPECT_EQ(span_names(trace), "first last");
  EXPECT_EQ(counted(trace, "damaged_events"), 1);
}

TEST_F(DamagedTraces, GiveTheSameWhereverTheWindowEnds) {
  std::vector<std::string> events;
  std::size_t bytes = 0;
  for (int i = 0; bytes < 3 * ImportOptions().window_bytes; ++i) {
    const bool bad = i % 97 == 0;
    events.push_back(kernel_event(bad ? "b\"ad" : "kernel_" + std::string(i % 211, 'n'),
                                  fmt::format("{}.{:03}", i, i % 1000), "0.5", i));
    bytes += events.back().size();
  }
  const auto all = static_cast<std::int64_t>(events.size());
  const std::int64_t bad = (all + 96) / 97;
  const Trace trace = import(document(events));
  EXPECT_EQ(static_cast<std::int64_t>(trace.spans.size()), all - bad);
  EXPECT_EQ(counted(trace, "damaged_events"), bad);
  const Trace inflated = import(gzip(document(events)), "trace.json.gz");
  EXPECT_EQ(inflated.spans.begin_ns, trace.spans.begin_ns);
  EXPECT_EQ(inflated.spans.task, trace.spans.task);
}

TEST_F(DamagedTraces, GiveTheSameInAWindowOfAnySize) {
  const std::string far = std::string(100, ' ');
  const std::string text =
      document({kFirst, kernel_event("b\"ad", "20", "1"), "{" + far + "\"ph\": \"X\"}", "17", kLast,
                event("x", "deep", "1", "1", "1", "1", "\"args\": {" + far + "\"name\": \"a\"b\"}"),
                "{\"args\":" + far + "{\"name\": 1}, \"ph\" 1}", kLast},
               R"("note": "say "hello" to", "baseTimeNanoseconds": 1795980990000000000,)") +
      " behind";
  const std::string path = write(text);
  const Result<Imported> whole = import_trace(path);
  ASSERT_TRUE(whole);
  EXPECT_GT(whole->report.files[0].skipped_events, 3);
  for (std::size_t bytes = 1; bytes < 400; ++bytes) {
    ImportOptions options;
    options.window_bytes = bytes;
    const Result<Imported> small = import_trace(path, options);
    ASSERT_TRUE(small);
    EXPECT_EQ(import_text(small->report), import_text(whole->report)) << bytes;
    EXPECT_EQ(describe(small->trace), describe(whole->trace)) << bytes;
  }
}

TEST_F(DamagedTraces, ReadAGzipFileUpToWhereItIsCutOff) {
  std::vector<std::string> events;
  for (int i = 0; i < 20'000; ++i)
    events.push_back(kernel_event(fmt::format("k{}", i * 7919 % 1000), fmt::format("{}", i), "1"));
  const std::string packed = gzip(document(events));
  const Trace trace = import(packed.substr(0, packed.size() / 2), "trace.json.gz");
  EXPECT_GT(trace.spans.size(), 5'000U);
  EXPECT_LT(trace.spans.size(), 15'000U);
  EXPECT_EQ(counted(trace, "truncated_file"), 1);
}

TEST_F(DamagedTraces, ReadAGzipFileUpToWhereItIsDamaged) {
  std::vector<std::string> events;
  for (int i = 0; i < 20'000; ++i)
    events.push_back(kernel_event(fmt::format("k{}", i * 7919 % 1000), fmt::format("{}", i), "1"));
  std::string packed = gzip(document(events));
  for (std::size_t i = packed.size() / 2; i < packed.size() / 2 + 64; ++i)
    packed[i] = '\xFF';
  const Trace trace = import(packed, "trace.json.gz");
  EXPECT_GT(trace.spans.size(), 5'000U);
  EXPECT_EQ(counted(trace, "truncated_file"), 1);
}

TEST_F(DamagedTraces, NameTheFirstDamagedEventByItsIndexAndByte) {
  const std::string bad = kernel_event("b\"ad", "20", "1");
  const std::string text = document({kFirst, kFirst, bad, kLast, bad});
  const Imported imported = import_all(text);
  ASSERT_TRUE(imported.report.files[0].first_damage);
  EXPECT_EQ(imported.report.files[0].first_damage->record, 2);
  EXPECT_EQ(imported.report.files[0].first_damage->byte, text.find(bad));
  EXPECT_THAT(finding(imported.trace, "damaged_events")->message,
              HasSubstr(fmt::format("first event 2 (counted from 0) at byte {}", text.find(bad))));
  EXPECT_FALSE(import_all(document({kFirst})).report.files[0].first_damage);
  const Imported packed = import_all(gzip(text), "trace.json.gz");
  EXPECT_EQ(packed.report.files[0].first_damage->byte, text.find(bad)) << "of the text";
}

TEST_F(DamagedTraces, CountTheCompleteEventsOfATruncatedFile) {
  const std::string text = document({kFirst, kLast});
  EXPECT_THAT(finding(import(text.substr(0, text.find(kLast) + 20)), "truncated_file")->message,
              HasSubstr("its 1 complete events were kept"));
}

TEST_F(DamagedTraces, KeepTheBackslashesOfWindowsPaths) {
  const Trace trace = import(document(
      {kernel_event(R"(C:\cuda\lib)", "10", "1"), kernel_event(R"(C:\users\u1)", "20", "1"),
       kernel_event(R"(C:\\good\\path)", "30", "1"), kernel_event(R"(\ud800!)", "40", "1")}));
  EXPECT_EQ(span_names(trace), R"(C:\cuda\lib C:\users\u1 C:\good\path )"
                               "\xEF\xBF\xBD!");
  EXPECT_EQ(counted(trace, "unknown_escapes"), 2);
  EXPECT_EQ(counted(trace, "impossible_characters"), 1);
  EXPECT_FALSE(finding(trace, "damaged_events"));
}

class PackedTraces : public ImportTest {
 protected:
  Imported import_packed(std::string_view bytes) { return import_all(bytes, "trace.json.gz"); }
};

TEST_F(PackedTraces, CountBytesBehindTheLastMember) {
  const std::string packed = gzip(document({kFirst}));
  for (const std::string& tail :
       {std::string("garbage"), std::string("\x1F") + "x", std::string("\x1F"), document({kLast}),
        std::string(1'000'000, 'x')}) {
    const Imported imported = import_packed(packed + tail);
    EXPECT_EQ(span_names(imported.trace), "first");
    EXPECT_EQ(counted(imported.trace, "trailing_bytes"), static_cast<std::int64_t>(tail.size()));
    EXPECT_EQ(imported.report.files[0].trailing_bytes, tail.size());
    EXPECT_FALSE(finding(imported.trace, "truncated_file"));
  }
  const Imported padded = import_packed(packed + std::string(600'000, '\0') + "garbage");
  EXPECT_EQ(counted(padded.trace, "trailing_bytes"), 7) << "padding does not count";
}

TEST_F(PackedTraces, IgnorePaddingOfZeros) {
  for (const std::size_t zeros : {0U, 1U, 7U, 512U, 262'144U, 1'000'000U}) {
    const Imported imported = import_packed(gzip(document({kFirst})) + std::string(zeros, '\0'));
    EXPECT_EQ(span_names(imported.trace), "first") << zeros;
    EXPECT_FALSE(finding(imported.trace, "trailing_bytes")) << zeros;
    EXPECT_FALSE(finding(imported.trace, "truncated_file")) << zeros;
  }
}

TEST_F(PackedTraces, OfSeveralMembersAreOneText) {
  const std::string text = document({kFirst, kLast});
  for (const std::size_t zeros : {0U, 3U, 300'000U}) {
    for (const std::size_t cut : {std::size_t{1}, text.size() / 2, text.size() - 2}) {
      const Imported imported = import_packed(gzip(text.substr(0, cut)) + std::string(zeros, '\0') +
                                              gzip(text.substr(cut)));
      EXPECT_EQ(span_names(imported.trace), "first last");
      EXPECT_FALSE(finding(imported.trace, "trailing_bytes"));
      EXPECT_FALSE(finding(imported.trace, "truncated_file"));
    }
  }
}

TEST_F(PackedTraces, TellWhereASecondMemberIsDamagedOrCutOff) {
  const std::string text = document({kFirst, kLast});
  const std::size_t cut = text.find(kLast);
  const std::string first = gzip(text.substr(0, cut));
  std::string second = gzip(text.substr(cut));
  std::string damaged = second;
  damaged[2] = '\x7F';  // no method of compression
  std::string flipped = second;
  flipped[flipped.size() - 6] ^= 1;  // the checksum
  for (const std::string& bytes :
       {first + damaged, first + second.substr(0, 2), first + second.substr(0, 11)}) {
    const Imported imported = import_packed(bytes);
    EXPECT_EQ(span_names(imported.trace), "first");
    ASSERT_TRUE(finding(imported.trace, "truncated_file"));
    EXPECT_EQ(imported.report.files[0].truncated_at, cut);
    EXPECT_THAT(finding(imported.trace, "truncated_file")->message,
                HasSubstr(fmt::format("truncated at byte {} of its text", cut)));
  }
  EXPECT_EQ(counted(import_packed(first + flipped).trace, "truncated_file"), 1);
}

}  // namespace
}  // namespace quintet
