#include <array>
#include <filesystem>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <tuple>

#include "tests/scenarios/cli/cli_test.h"
#include "tests/scenarios/cli/example_recording.h"

namespace quintet {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kAdvised = "recorded/resnet50-b8-renaissance-event_sync";
constexpr const char* kTuned = "recorded/mlp-b128-serial-whole_step";
constexpr const char* kForeign = "exists and was not written by quintet";

/// A command that writes one file: its words, and the name of the file behind them.
struct WritingCommand {
  const char* output;
  Words words;
  bool marked = true;  ///< its file says that quintet wrote it
};

/// What may be overwritten by a command, and what may not.
class OutputRules : public CliTest {
 protected:
  OutputRules() {
    ExampleOptions options;
    write_example(folder_.file("a.qtrace"), options);
    options.seed = 7;
    write_example(folder_.file("b.qtrace"), options);
    run_fine({"history", "add", "a.qtrace", "b.qtrace", "--db", "h.sqlite"});
  }

  static std::vector<WritingCommand> commands() {
    return {
        {"o.pftrace", {"export", "a.qtrace", "--out"}},
        {"o.trace.json", {"export", "a.qtrace", "--out"}},
        {"o.json", {"export", "a.qtrace", "--out"}},
        {"o.html", {"export", "a.qtrace", "--out"}},
        {"o.csv", {"export", "a.qtrace", "--out"}, false},
        {"o.dot", {"export", "a.qtrace", "--out"}, false},
        {"o.sqlite", {"export", "a.qtrace", "--out"}},
        {"r.html", {"report", "a.qtrace", "--html"}},
        {"c.html", {"compare", "a.qtrace", "b.qtrace", "--html"}},
        {"c.md", {"check", "a.qtrace", "--baseline", "b.qtrace", "--markdown"}},
        {"c.xml", {"check", "a.qtrace", "--baseline", "b.qtrace", "--junit"}},
        {"t.html", {"history", "trend", "--db", "h.sqlite", "--html"}},
        {"better.toml", {"advise", kAdvised, "--most", "1", "--out"}},
        {"tuned.toml", {"tune", kTuned, "--candidates", "50", "--out"}},
    };
  }
  static Words with(Words words, const std::string& output, bool force = false) {
    words.push_back(output);
    if (force) words.emplace_back("--force");
    return words;
  }
  void import(const std::string& file, const std::string& recording) const {
    write(file, R"([{"ph":"X","cat":"kernel","pid":0,"tid":7,"name":"k","ts":100,"dur":10}])");
    run_fine({"import", file, "--out", recording});
  }
};

TEST_F(OutputRules, EveryCommandRunsTwiceWhereItsFileSaysWhoWroteIt) {
  for (const WritingCommand& command : commands()) {
    SCOPED_TRACE(command.output);
    run_fine(with(command.words, command.output));
    const std::string first = read_text(folder_.file(command.output));
    if (command.marked) {
      run_fine(with(command.words, command.output));
    } else {
      expect_refusal(with(command.words, command.output), {command.output, kForeign, "--force"});
      run_fine(with(command.words, command.output, true));
    }
    EXPECT_EQ(read_text(folder_.file(command.output)).size(), first.size());
  }
}

TEST_F(OutputRules, AFileOfSomebodyElseIsLeftAloneUnlessForced) {
  for (const WritingCommand& command : commands()) {
    SCOPED_TRACE(command.output);
    write(command.output, "mine\n");
    expect_refusal(with(command.words, command.output), {command.output, kForeign, "--force"});
    EXPECT_EQ(read_text(folder_.file(command.output)), "mine\n");
    run_fine(with(command.words, command.output, true));
    EXPECT_THAT(read_text(folder_.file(command.output)), Not(HasSubstr("mine\n")));
  }
}

TEST_F(OutputRules, RecordingsReplaceRecordingsAndNothingElse) {
  for (const Words& words :
       {Words{"trim", "a.qtrace", "--steps", "3", "--out"}, Words{"whatif", kTuned, "--out"},
        Words{"run", "generated-mlp", "--steps", "2", "--out"}}) {
    SCOPED_TRACE(words.front());
    run_fine(with(words, "o.qtrace"));
    run_fine(with(words, "o.qtrace"));
    write("mine.qtrace", "mine\n");
    expect_refusal(with(words, "mine.qtrace"), {"mine.qtrace: exists"});
  }
  import("m.json", "m.qtrace");
  run_fine({"import", "m.json", "--out", "m.qtrace"});
  expect_refusal({"import", "m.json", "--out", "m.json"}, {"m.json: exists"});
}

TEST_F(OutputRules, AFileThatOnlyMentionsQuintetIsSomebodyElses) {
  const std::vector<std::string> texts = {
      R"({"traceEvents": [{"name": "\"quintet\": {", "ph": "X"}], "quintet": {}})",
      R"({"schemaVersion": 1, "x": {"quintet": {"state": "complete"}}, "traceEvents": []})",
      R"({"schemaVersion": 1, "name": "quintet", "traceEvents": []})",
      R"([{"quintet": {"a": 1}}])",
      "{\"x\": 1,\n  \"schema\": \"quintet.report\"}",
      R"({"note": "schema: quintet.report"})",
      "<!doctype html>\n<html><head><title>quintet report</title></head></html>",
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"generator\" content=\"other\">\n<!-- quintet -->",
      "# written by hand\n# written by quintet\n",
      "\x89PNG\r\n\x1a\n quintet",
      "SQLite format 3",
      "\n\x05quint",
      "quintet.state",
  };
  for (const std::string& text : texts) {
    write("o.json", text);
    expect_refusal({"export", "a.qtrace", "--format", "chrome", "--out", "o.json"}, {kForeign});
    expect_refusal({"report", "a.qtrace", "--html", "o.json"}, {kForeign});
    EXPECT_EQ(read_text(folder_.file("o.json")), text);
  }
}

TEST_F(OutputRules, NothingReplacesWhatARecordingWasImportedFrom) {
  import("m.trace.json", "m.qtrace");
  const std::string source = read_text(folder_.file("m.trace.json"));
  for (const char* format : {"chrome", "perfetto", "csv", "json", "html", "dot", "sql"}) {
    expect_refusal({"export", "m.qtrace", "--format", format, "--out", "m.trace.json"},
                   {"m.trace.json", kForeign});
  }
  expect_refusal({"export", "m.qtrace", "--format", "chrome"}, {"m.trace.json", kForeign});
  EXPECT_EQ(read_text(folder_.file("m.trace.json")), source);

  // Not even where quintet wrote it, by whatever name it is called.
  run_fine({"export", "m.qtrace", "--format", "chrome", "--out", "own.json"});
  fs::create_directory(folder_.file("in, a"));
  fs::rename(folder_.file("own.json"), folder_.file("in, a/x, y.json"));
  run_fine({"import", "m.trace.json", "--out", "n.qtrace"});
  run_fine({"import", "in, a/x, y.json", "--out", "n.qtrace"});
  fs::create_symlink("in, a/x, y.json", folder_.file("link.json"));
  for (const char* name : {"in, a/x, y.json", "./in, a/../in, a/x, y.json", "link.json"}) {
    expect_refusal({"export", "n.qtrace", "--format", "chrome", "--out", name},
                   {"is what the recording was imported from", "--force"});
    expect_refusal({"report", "n.qtrace", "--html", name}, {"imported from"});
    expect_refusal({"compare", "a.qtrace", "n.qtrace", "--html", name}, {"imported from"});
  }
  run_fine({"export", "n.qtrace", "--format", "chrome", "--out", "link.json", "--force"});
  EXPECT_TRUE(fs::is_symlink(folder_.file("link.json")));
}

TEST_F(OutputRules, NoForceReplacesWhatIsRead) {
  for (const char* name : {"a.qtrace", "./a.qtrace"}) {
    expect_refusal({"export", "a.qtrace", "--format", "json", "--out", name, "--force"},
                   {"is the recording itself"});
    expect_refusal({"report", "a.qtrace", "--html", name, "--force"}, {"is the recording itself"});
    expect_refusal({"compare", "b.qtrace", "a.qtrace", "--html", name, "--force"},
                   {"is one of the recordings"});
  }
  fs::create_hard_link(folder_.file("a.qtrace"), folder_.file("same.json"));
  expect_refusal({"export", "a.qtrace", "--out", "same.json", "--force"},
                 {"is the recording itself"});
  expect_refusal({"history", "trend", "--db", "h.sqlite", "--html", "h.sqlite", "--force"},
                 {"is the history itself"});
  expect_refusal({"check", "a.qtrace", "--baseline", "b.qtrace", "--markdown", "x", "--junit", "x"},
                 {"cannot be both"});
}

TEST_F(OutputRules, FoldersAndDevicesAreRefusedAndLinksAreFollowed) {
  fs::create_directory(folder_.file("folder"));
  for (const char* force : {"--json", "--force"}) {
    expect_refusal({"report", "a.qtrace", force, "--html", "folder"}, {"folder: is a folder"});
    expect_refusal({"report", "a.qtrace", force, "--html", "/dev/null"}, {"is no regular file"});
  }
  ASSERT_EQ(mkfifo(folder_.file("pipe").c_str(), 0600), 0);
  expect_refusal({"report", "a.qtrace", "--html", "pipe", "--force"}, {"is no regular file"});

  write("mine.html", "mine\n");
  fs::create_symlink("mine.html", folder_.file("to-mine.html"));
  expect_refusal({"report", "a.qtrace", "--html", "to-mine.html"}, {kForeign});

  fs::create_symlink("folder/new.html", folder_.file("to-new.html"));
  run_fine({"report", "a.qtrace", "--html", "to-new.html"});
  EXPECT_TRUE(fs::is_symlink(folder_.file("to-new.html")));
  EXPECT_TRUE(fs::is_regular_file(folder_.file("folder/new.html")));
  run_fine({"report", "a.qtrace", "--html", "to-new.html"});

  fs::create_symlink("none/new.html", folder_.file("to-nowhere.html"));
  expect_refusal({"report", "a.qtrace", "--html", "to-nowhere.html"}, {"cannot create it"});
}

TEST_F(OutputRules, AnEmptyFileIsTaken) {
  write("o.html", "");
  run_fine({"report", "a.qtrace", "--html", "o.html"});
  EXPECT_GT(fs::file_size(folder_.file("o.html")), 1000U);
}

TEST_F(OutputRules, WhoMayReadTheOldFileMayReadTheNewOne) {
  run_fine({"report", "a.qtrace", "--html", "o.html"});
  fs::permissions(folder_.file("o.html"), fs::perms(0600));
  run_fine({"report", "a.qtrace", "--html", "o.html"});
  EXPECT_EQ(fs::status(folder_.file("o.html")).permissions(), fs::perms(0600));
}

TEST_F(OutputRules, ARefusalComesBeforeTheWork) {
  write("mine.toml", "mine\n");
  // Of a search that would take ten minutes.
  expect_refusal({"tune", kTuned, "--seconds", "600", "--out", "mine.toml"}, {kForeign});
}

TEST_F(OutputRules, CsvGoesIntoAFolderATableAFile) {
  const std::string names = run_fine({"export", "a.qtrace", "--format", "csv", "--out", "tables/"});
  EXPECT_THAT(names, HasSubstr("tables/metrics.csv\ntables/tasks.csv\n"));
  for (const char* table : {"metrics", "tasks", "kernels", "streams", "ranges", "layers",
                            "op_kinds", "waits", "steps", "findings"}) {
    EXPECT_EQ(read_text(folder_.file(std::string("tables/") + table + ".csv")),
              run_fine({"report", "a.qtrace", "--csv", "--table", table}));
  }
  expect_refusal({"export", "a.qtrace", "--format", "csv", "--out", "tables"}, {kForeign});
  run_fine({"export", "a.qtrace", "--format", "csv", "--out", "tables", "--force"});
  EXPECT_EQ(run_fine({"export", "a.qtrace", "--format", "csv", "--table", "tasks"}),
            "a.tasks.csv\n");
  expect_refusal({"export", "a.qtrace", "--format", "csv", "--table", "task"},
                 {"no table 'task'", "did you mean \"tasks\"?"});
  expect_refusal({"export", "a.qtrace", "--format", "json", "--table", "tasks"}, {"has no tables"});
  expect_refusal({"report", "a.qtrace", "--csv", "--table", "kernel"}, {"kernels"});
  expect_refusal({"report", "a.qtrace", "--table", "kernels"}, {"--csv"});
}

}  // namespace
}  // namespace quintet
