// Files of any number and form become one trace, or an error that says what to do.

#include "profiler/import/import.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "profiler/import/chrome_document.h"
#include "profiler/trace/trace_reader.h"
#include "profiler/trace/trace_writer.h"
#include "tests/profiler/import/import_fixture.h"

namespace quintet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ImportFiles : public ImportTest {};

const std::string kKernel = kernel_event("k", "10", "1", 1);

TEST_F(ImportFiles, ReadTheBareArrayWithAndWithoutItsEnd) {
  for (const std::string_view end : {"]", "", ",", " ]\n", ",\n"}) {
    const Trace trace = import("[" + kKernel + std::string(end));
    EXPECT_EQ(trace.spans.size(), 1U) << end;
    EXPECT_FALSE(finding(trace, "truncated_file")) << end;
    EXPECT_FALSE(finding(trace, "damaged_events")) << end;
  }
}

TEST_F(ImportFiles, ReadCompressedFilesWhateverTheirName) {
  EXPECT_EQ(import(gzip(document({kKernel})), "trace.json").spans.size(), 1U);
  EXPECT_EQ(import(gzip("[" + kKernel), "x.json.gz").spans.size(), 1U);
}

TEST_F(ImportFiles, ReadSeveralGzipMembersAsOneText) {
  const std::string text = document({kKernel, kernel_event("l", "20", "1")});
  const std::string packed =
      gzip(text.substr(0, 50)) + gzip(text.substr(50)) + std::string(512, '\0');
  const Trace trace = import(packed, "x.json.gz");
  EXPECT_EQ(span_names(trace), "k l");
  EXPECT_FALSE(finding(trace, "truncated_file"));
}

TEST_F(ImportFiles, ReadATextBehindAByteOrderMark) {
  EXPECT_EQ(import("\xEF\xBB\xBF \n" + document({kKernel})).spans.size(), 1U);
}

TEST_F(ImportFiles, ReadEmptyButValidTraces) {
  for (const std::string& text :
       {std::string("[]"), document({}), std::string("{\"traceEvents\":[]}")}) {
    const Trace trace = import(text);
    EXPECT_EQ(trace.spans.size(), 0U) << text;
    EXPECT_TRUE(trace.steps.empty());
    EXPECT_EQ(counted(trace, "no_activities"), 1);
  }
}

TEST_F(ImportFiles, ReadATraceThatHasOnlyMetadata) {
  const Trace trace = import(document(
      {R"({"name": "process_name", "ph": "M", "pid": 1, "tid": 0, "args": {"name": "python3"}})"}));
  EXPECT_EQ(trace.spans.size(), 0U);
  EXPECT_EQ(counted(trace, "no_activities"), 1);
}

TEST_F(ImportFiles, TellWhatIsNoTraceAndWhatCanBeRead) {
  for (const std::string_view text : {"{\"hello\": 1}", "[1, 2, 3]", "{}", "{\"traceEvents\": 5}"})
    EXPECT_THAT(import_error(text).message, HasSubstr("no trace events")) << text;
  for (const std::string_view text : {"hello",
                                      "\x7F"
                                      "ELF",
                                      "<html>", "\x1F\x8B broken"}) {
    const Error error = import_error(text);
    EXPECT_FALSE(error.message.empty()) << text;
    EXPECT_THAT(error.cure, HasSubstr("Chrome Trace Event JSON")) << text;
  }
  EXPECT_THAT(import_error("").message, HasSubstr("is empty"));
}

TEST_F(ImportFiles, TellAFileThatIsAbsentAndOneThatIsAFolder) {
  const Result<Imported> absent = import_trace(folder_.file("absent.json"));
  ASSERT_FALSE(absent);
  EXPECT_THAT(absent.error().message, HasSubstr("No such file"));
  const Result<Imported> folder = import_trace(folder_.path());
  ASSERT_FALSE(folder);
  EXPECT_THAT(folder.error().message, HasSubstr("is a folder"));
  const Result<Imported> device = import_trace("/dev/zero");
  ASSERT_FALSE(device);
  EXPECT_THAT(device.error().message, HasSubstr("is no regular file"));
}

TEST_F(ImportFiles, TakeTheRankFromTheFileThenFromItsName) {
  const std::string told =
      document({kKernel}, R"("distributedInfo": {"backend": "nccl", "rank": 5},)");
  EXPECT_EQ(import(told, "rank3.json").lanes[0].rank, 5);
  const Trace named = import(document({kKernel}), "rank3.json");
  EXPECT_EQ(named.lanes[0].rank, 3);
  EXPECT_EQ(counted(named, "rank_of_file_name"), 1);
  const Trace unknown = import(document({kKernel}), "host_1234_99.json");
  EXPECT_EQ(unknown.lanes[0].rank, 0);
  EXPECT_EQ(counted(unknown, "rank_unknown"), 1);
}

TEST_F(ImportFiles, KnowTheRankInManyNames) {
  EXPECT_EQ(rank_of_file_name("dir99/rank_12.json.gz"), 12);
  EXPECT_EQ(rank_of_file_name("host7.rank-0.1700000000.pt.trace.json"), 0);
  EXPECT_EQ(rank_of_file_name("RUN-Rank7.sqlite"), 7);
  EXPECT_EQ(rank_of_file_name("worker4.json"), std::nullopt);
  EXPECT_EQ(rank_of_file_name("resnet50.json"), std::nullopt);
  EXPECT_EQ(rank_of_file_name("frank3.json"), std::nullopt);
  EXPECT_EQ(rank_of_file_name("rank2vec.json"), std::nullopt);
  EXPECT_EQ(rank_of_file_name("ranking_rank-2.json.gz"), 2);
  EXPECT_EQ(rank_of_file_name("rank/trace1.json"), std::nullopt);
  for (const char* name : {"pp_rank1_tp_rank2.json", "local_rank2.json", "rank_3_rank_4.json",
                           "rank3-4.json", "tp-rank0.sqlite", "rank1_2.json"})
    EXPECT_EQ(rank_of_file_name(name), std::nullopt) << name;
  EXPECT_EQ(rank_of_file_name("laptop_rank2.json"), 2);
  EXPECT_EQ(rank_of_file_name("host_31337.1700000000.pt.trace.json"), std::nullopt);
  EXPECT_EQ(rank_of_file_name("trace_1700000000.json"), std::nullopt);
  EXPECT_EQ(rank_of_file_name("trace.json"), std::nullopt);
  EXPECT_EQ(rank_of_file_name("rank99999999999999999999.json"), std::nullopt);
}

TEST_F(ImportFiles, KeepTheIdsOfTwoRanksApart) {
  const auto trace_of = [](int rank, const std::string& ts) {
    return document(
        {call_event("cudaLaunchKernel", ts, "1", 1), kernel_event("k", ts + "5", "1", 1)},
        fmt::format(R"("distributedInfo": {{"rank": {}}},)", rank));
  };
  const std::vector<std::string> paths = {write(trace_of(1, "90"), "a.json"),
                                          write(trace_of(0, "10"), "b.json")};
  const Result<Imported> imported = import_trace(paths);
  ASSERT_TRUE(imported);
  const Trace& trace = imported->trace;
  std::vector<std::string> lanes;
  for (const Lane& lane : trace.lanes)
    lanes.push_back(lane.name);
  EXPECT_THAT(lanes, ElementsAre("rank 0 GPU 0 stream 7", "rank 0 host 474/500",
                                 "rank 1 GPU 0 stream 7", "rank 1 host 474/500"));
  EXPECT_EQ(trace.spans.correlation[0], trace.spans.correlation[2]);
  EXPECT_EQ(trace.spans.correlation[1], trace.spans.correlation[3]);
  EXPECT_NE(trace.spans.correlation[0], trace.spans.correlation[1]);
  EXPECT_FALSE(finding(trace, "negative_launch_latency"));
  EXPECT_EQ(imported->report.files.size(), 2U);
}

TEST_F(ImportFiles, JoinNothingInAMergedFileWhoseProcessesUseTheSameCorrelations) {
  const Trace trace = import(document({call_event("cudaLaunchKernel", "10", "1", 1),
                                       event("cuda_runtime", "cudaLaunchKernel", "500", "1", "999",
                                             "500", R"("args": {"correlation": 1})"),
                                       kernel_event("k", "20", "1", 1)}));
  EXPECT_EQ(counted(trace, "ambiguous_correlation"), 1);
  EXPECT_FALSE(finding(trace, "negative_launch_latency"));
}

TEST_F(ImportFiles, TellHowFarTheyAreAndStopWhenAsked) {
  std::vector<std::string> events(20'000, kKernel);
  const std::string path = write(document(events));
  std::vector<std::uint64_t> done;
  std::uint64_t total = 0;
  ImportOptions options;
  options.progress = [&](std::uint64_t now, std::uint64_t all) {
    done.push_back(now);
    total = all;
    return true;
  };
  ASSERT_TRUE(import_trace(path, options));
  EXPECT_GT(done.size(), 2U);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  EXPECT_EQ(done.back(), total);
  options.progress = [&](std::uint64_t, std::uint64_t) { return false; };
  const Result<Imported> cancelled = import_trace(path, options);
  ASSERT_FALSE(cancelled);
  EXPECT_THAT(cancelled.error().message, HasSubstr("cancelled"));
}

TEST_F(ImportFiles, SurviveTheWayThroughARecording) {
  const Trace trace = import(
      document({kKernel, kernel_event("caf\xE9 \x01", "20", "1"), kernel_event("untimed", "0", "0"),
                event("Trace", "spans", "1", "40", "\"Spans\"", "\"p\"")},
               R"("baseTimeNanoseconds": 1795980990000000000,)"));
  const std::string path = folder_.file("x.qtrace");
  {
    auto writer = TraceWriter::create(path);
    ASSERT_TRUE(writer);
    ASSERT_TRUE((*writer)->write_static(trace));
    TraceBatch batch;
    batch.spans = trace.spans;
    batch.untimed = trace.untimed;
    batch.steps = trace.steps;
    ASSERT_TRUE((*writer)->append_batch(std::move(batch)));
    ASSERT_TRUE((*writer)->finish());
  }
  const Result<Trace> read = read_trace(path);
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(read->spans.begin_ns, trace.spans.begin_ns);
  EXPECT_EQ(read->spans.activity, trace.spans.activity);
  EXPECT_EQ(read->untimed.size(), 1U);
  EXPECT_EQ(read->tasks[1].name, "caf\xEF\xBF\xBD \x01") << "replaced on reading, a byte each";
  EXPECT_FALSE(finding(*read, "damaged_rows"));
  EXPECT_FALSE(finding(*read, "damaged_spans"));
}

TEST_F(ImportFiles, SayWhatWasRead) {
  const Imported imported = import_all(document({kKernel, "{\"ph\": \"X\", \"name\": \"a\"b\"}"}));
  const std::string text = import_text(imported.report);
  EXPECT_THAT(text, HasSubstr("1 events, 1 drawn"));
  EXPECT_THAT(text, HasSubstr("skipped 1 damaged events"));
  EXPECT_THAT(text, HasSubstr("1 spans on 1 lanes, 1 steps, 0 untimed"));
}

TEST_F(ImportFiles, CountCategoriesInATableOfBoundedSize) {
  std::vector<std::string> events;
  for (int i = 0; i < 1000; ++i)
    events.push_back(event(fmt::format("category {}", i), "e", "1", "1"));
  const Imported imported = import_all(document(events));
  EXPECT_EQ(imported.report.files[0].categories.size(), CategoryCounts::kMostCategories);
  EXPECT_EQ(imported.report.files[0].events(), 1000);
}

}  // namespace
}  // namespace quintet
