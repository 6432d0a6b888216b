#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

#include "profiler/trace/gzip_file.h"
#include "profiler/trace/recording_file.h"
#include "profiler/trace/trace_copy.h"
#include "profiler/trace/trace_file.h"
#include "profiler/trace/trace_reader.h"
#include "profiler/trace/trace_writer.h"
#include "tests/profiler/trace/sample_trace.h"

namespace quintet {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void overwrite(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// What gzip would make of these bytes.
std::string gzipped(const std::string& bytes) {
  const std::vector<std::byte> packed = deflate_bytes(std::as_bytes(std::span(bytes)));
  return {reinterpret_cast<const char*>(packed.data()), packed.size()};
}

/// A folder with a compressed recording of six steps.
class CompressedRecording : public testing::Test {
 protected:
  void SetUp() override {
    const Result<void> written = write_trace(sample_trace(6), path_, TraceForm::gzip);
    ASSERT_TRUE(written) << to_string(written.error());
  }
  /// The message of the error that reading must give.
  std::string message() {
    const Result<Trace> trace = read_trace(path_);
    if (trace) return "no error";
    EXPECT_EQ(trace.error().file, path_);
    EXPECT_FALSE(trace.error().cure.empty());
    return trace.error().message;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("run.qtrace.gz");
};

TEST_F(CompressedRecording, ReadsAsTheTraceThatWasWritten) {
  EXPECT_TRUE(is_gzip(path_));
  EXPECT_EQ(folder_.listing(), "run.qtrace.gz");
  const Result<Trace> trace = read_trace(path_);
  ASSERT_TRUE(trace) << to_string(trace.error());
  EXPECT_EQ(describe(*trace), describe(sample_trace(6)));
}

TEST_F(CompressedRecording, IsToldByItsBytesAndNotByItsName) {
  const std::string named = folder_.file("other.name");
  fs::rename(path_, named);
  EXPECT_TRUE(read_trace(named));
  ASSERT_TRUE(write_trace(sample_trace(6), path_, TraceForm::plain));
  EXPECT_FALSE(is_gzip(path_));
  const Result<Trace> plain = read_trace(path_);
  ASSERT_TRUE(plain) << to_string(plain.error());
  EXPECT_EQ(describe(*plain), describe(sample_trace(6)));
}

TEST_F(CompressedRecording, HasAHeadAndASummaryLikeAnyOther) {
  const Result<RecordingHead> head = read_head(path_);
  ASSERT_TRUE(head) << to_string(head.error());
  EXPECT_EQ(head->state, RecordingState::complete);
  EXPECT_EQ(head->steps, 6);
  EXPECT_EQ(head->spans, 36);
  EXPECT_EQ(head->provenance.at("scenario"), "fashion-lenet");
}

TEST_F(CompressedRecording, HasEqualBytesForEqualTraces) {
  const std::string again = folder_.file("again.qtrace.gz");
  ASSERT_TRUE(write_trace(sample_trace(6), again, TraceForm::gzip));
  EXPECT_EQ(content_of(again), content_of(path_));
}

TEST_F(CompressedRecording, OpensInAFolderThatNobodyMayWrite) {
  fs::permissions(folder_.path(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(message(), "no error");
  EXPECT_EQ(folder_.listing(), "run.qtrace.gz");
}

TEST_F(CompressedRecording, CanBeCopiedAndExported) {
  const std::string copy = folder_.file("copy.qtrace");
  ASSERT_TRUE(copy_trace(path_, copy));
  EXPECT_FALSE(is_gzip(copy));
  EXPECT_EQ(describe(read_trace(copy).value()), describe(sample_trace(6)));
  const std::string rows = folder_.file("rows.sqlite");
  ASSERT_TRUE(export_sql(path_, rows));
  EXPECT_EQ(Database(rows, Database::Mode::read_only).integer("SELECT count(*) FROM spans"), 36);
}

TEST_F(CompressedRecording, ThatEndsEarlySaysSoWhereverItEnds) {
  const std::string whole = content_of(path_);
  for (std::size_t size = 2; size < whole.size(); size += 1 + whole.size() / 200) {
    overwrite(path_, whole.substr(0, size));
    EXPECT_THAT(message(), HasSubstr("is cut short")) << size;
  }
}

TEST_F(CompressedRecording, WithAWrongByteIsAnErrorOrReadsAsBefore) {
  const std::string whole = content_of(path_);
  const std::string expected = describe(sample_trace(6));
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = whole;
    bytes[2 + random() % (bytes.size() - 2)] ^= static_cast<char>(1 + random() % 255);
    overwrite(path_, bytes);
    const Result<Trace> trace = read_trace(path_);
    // Bytes of gzip's header do not matter; all others the checksum guards.
    if (trace) {
      EXPECT_EQ(describe(*trace), expected);
    } else {
      EXPECT_FALSE(trace.error().cure.empty());
    }
  }
}

TEST_F(CompressedRecording, OfSomethingElseIsNone) {
  overwrite(path_, gzipped("these are no bytes of a recording\n"));
  EXPECT_EQ(message(), "is no recording: not a SQLite file");
  overwrite(path_, gzipped(""));
  EXPECT_NE(message(), "no error");
  overwrite(path_, content_of(path_) + "and more");
  EXPECT_THAT(message(), HasSubstr("is damaged"));
  overwrite(path_, "\x1f\x8b");
  EXPECT_THAT(message(), HasSubstr("is cut short"));
}

TEST_F(CompressedRecording, MayBeOfSeveralPieces) {
  const std::string plain = folder_.file("plain.qtrace");
  ASSERT_TRUE(write_trace(sample_trace(6), plain, TraceForm::plain));
  const std::string whole = content_of(plain);
  overwrite(path_, gzipped(whole.substr(0, 5000)) + gzipped(whole.substr(5000)));
  EXPECT_EQ(message(), "no error");
}

TEST_F(CompressedRecording, OfAPlainOneThatWasCutIsDamaged) {
  const std::string plain = folder_.file("plain.qtrace");
  ASSERT_TRUE(write_trace(sample_trace(6), plain, TraceForm::plain));
  const std::string whole = content_of(plain);
  overwrite(path_, gzipped(whole.substr(0, whole.size() - 100)));
  EXPECT_THAT(message(), HasSubstr("is damaged"));
}

TEST_F(CompressedRecording, OfARunThatStillGrewIsRefused) {
  const std::string plain = folder_.file("plain.qtrace");
  auto writer = TraceWriter::create(plain);
  ASSERT_TRUE(writer);
  ASSERT_TRUE((*writer)->write_static(sample_plan()));
  ASSERT_TRUE((*writer)->append_batch(sample_step(0)));
  overwrite(path_, gzipped(content_of(plain)));
  EXPECT_EQ(message(), "was compressed before its run had finished");
}

TEST(Inflating, StopsAtTheBound) {
  const TemporaryFolder folder;
  const std::string path = folder.file("zeros.gz");
  overwrite(path, gzipped(std::string(std::size_t{9} << 20, '\0')));
  EXPECT_LT(fs::file_size(path), 20'000U);
  EXPECT_EQ(inflate_file(path, std::size_t{9} << 20).value().size(), std::size_t{9} << 20);
  const auto refused = inflate_file(path, std::size_t{8} << 20);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "takes more than 8 MiB when inflated");
}

TEST_F(CompressedRecording, ReplacesARecordingAndNothingElse) {
  ASSERT_TRUE(write_trace(sample_trace(2), path_, TraceForm::gzip));
  EXPECT_EQ(read_trace(path_).value().steps.size(), 2U);
  ASSERT_TRUE(write_trace(sample_trace(3), path_, TraceForm::plain));
  EXPECT_EQ(read_trace(path_).value().steps.size(), 3U);
  overwrite(path_, gzipped("a letter"));
  const auto refused = write_trace(sample_trace(2), path_, TraceForm::gzip);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("is something else"));
  EXPECT_EQ(content_of(path_), gzipped("a letter"));
  EXPECT_EQ(folder_.listing(), "run.qtrace.gz");
}

TEST_F(CompressedRecording, ThatDoesNotFitOnTheDiskLeavesTheOldOne) {
  const std::string before = content_of(path_);
  {
    const FileSizeLimit full(1000);
    const auto refused = write_trace(sample_trace(40), path_, TraceForm::gzip);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().cure, HasSubstr("free some space"));
  }
  EXPECT_EQ(content_of(path_), before);
  EXPECT_EQ(folder_.listing(), "run.qtrace.gz");
}

TEST(Form, IsToldByTheEndOfAName) {
  EXPECT_EQ(form_of("a.qtrace.gz"), TraceForm::gzip);
  EXPECT_EQ(form_of("a.qtrace"), TraceForm::plain);
  EXPECT_EQ(form_of("gz"), TraceForm::plain);
}

}  // namespace
}  // namespace quintet
