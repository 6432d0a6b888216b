#include "viewer/model/exporter.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

#include "profiler/trace/trace_file.h"
#include "tests/profiler/trace/sample_trace.h"
#include "tests/support/tiny_trace.h"

namespace quintet::viewer {
namespace {

Document document_of(const std::string& file) {
  Document document;
  Trace trace = tiny_trace();
  trace.provenance["policy_toml"] = "name = \"recorded\"\n";
  document.trace = std::make_shared<const Trace>(std::move(trace));
  document.file = file;
  return document;
}

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

TEST(Exporter, NamesTheFileAfterTheRecording) {
  Document document;
  document.file = "/data/run.qtrace.gz";
  EXPECT_EQ(default_export_path(document, ExportFormat::html), "/data/run.html");
  EXPECT_EQ(default_export_path(document, ExportFormat::perfetto), "/data/run.pftrace");
  document.file = "trace.json";
  EXPECT_EQ(default_export_path(document, ExportFormat::policy), "trace.policy.toml");
  document.file.clear();
  EXPECT_EQ(default_export_path(document, ExportFormat::png), "run.png");
  EXPECT_EQ(default_export_path(document, ExportFormat::png_centre), "run.timeline.png");
}

TEST(Exporter, WritesEachFormatWholeAndLeavesNothingBesideIt) {
  const TemporaryFolder folder;
  const Document document = document_of(folder.file("run.qtrace"));
  for (const ExportFormat format :
       {ExportFormat::html, ExportFormat::perfetto, ExportFormat::chrome, ExportFormat::policy}) {
    const std::string path = default_export_path(document, format);
    ASSERT_TRUE(export_document(document, {}, {format, path})) << path;
    EXPECT_FALSE(text_of(path).empty()) << path;
  }
  EXPECT_EQ(folder.listing(), "run.html run.pftrace run.policy.toml run.trace.json");
  EXPECT_EQ(text_of(folder.file("run.policy.toml")), "# written by quintet\nname = \"recorded\"\n");
  EXPECT_NE(text_of(folder.file("run.html")).find("<html"), std::string::npos);
}

TEST(Exporter, AnEditedPolicyGoesBeforeTheRecordedOne) {
  const TemporaryFolder folder;
  const std::string path = folder.file("mine.toml");
  ASSERT_TRUE(export_document(document_of("run.qtrace"), "name = \"draft\"\n",
                              {ExportFormat::policy, path}));
  EXPECT_EQ(text_of(path), "# written by quintet\nname = \"draft\"\n");
}

TEST(Exporter, ReplacesOnlyWhatQuintetWrote) {
  const TemporaryFolder folder;
  const Document document = document_of(folder.file("run.qtrace"));
  for (const ExportFormat format :
       {ExportFormat::html, ExportFormat::perfetto, ExportFormat::chrome, ExportFormat::policy}) {
    const std::string path = default_export_path(document, format);
    std::ofstream(path) << "{\"traceEvents\": []}";
    EXPECT_FALSE(export_document(document, {}, {format, path})) << path;
    EXPECT_EQ(text_of(path), "{\"traceEvents\": []}");
    std::ofstream(path, std::ios::trunc) << "";
    EXPECT_TRUE(export_document(document, {}, {format, path})) << "an empty file";
    EXPECT_TRUE(export_document(document, {}, {format, path})) << "its own";
  }
}

TEST(Exporter, NeverWritesOverTheRecording) {
  const TemporaryFolder folder;
  const std::string file = folder.file("run.qtrace");
  ASSERT_TRUE(write_trace(tiny_trace(), file, TraceForm::plain));
  const std::string before = text_of(file);
  for (const ExportFormat format :
       {ExportFormat::html, ExportFormat::perfetto, ExportFormat::policy}) {
    EXPECT_FALSE(export_document(document_of(file), {}, {format, file}));
  }
  EXPECT_EQ(text_of(file), before);
}

TEST(Exporter, AFolderThatIsMissingIsAnErrorThatNamesTheFile) {
  for (const ExportFormat format :
       {ExportFormat::html, ExportFormat::perfetto, ExportFormat::chrome, ExportFormat::policy}) {
    const Result<void> written =
        export_document(document_of("run.qtrace"), {}, {format, "no/such/folder/out"});
    ASSERT_FALSE(written);
    EXPECT_NE(written.error().file.find("no/such/folder"), std::string::npos);
  }
}

TEST(Exporter, ARecordingWithoutAPolicySaysSo) {
  Document document;
  document.trace = std::make_shared<const Trace>(tiny_trace());
  const TemporaryFolder folder;
  EXPECT_FALSE(export_document(document, {}, {ExportFormat::policy, folder.file("policy.toml")}));
  EXPECT_EQ(folder.listing(), "");
}

}  // namespace
}  // namespace quintet::viewer
