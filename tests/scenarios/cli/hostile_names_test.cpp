#include <array>
#include <filesystem>
#include <gmock/gmock.h>
#include <string>

#include "profiler/trace/trace_file.h"
#include "tests/scenarios/cli/cli_test.h"
#include "tests/scenarios/cli/example_recording.h"

namespace quintet {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A title for the terminal's window, a colour by an 8-bit control, DEL, a turn of the text's direction,
/// bytes that are no UTF-8, and a line of its own.
const std::string kHostileName =
    "e\x1b]0;t\x07\xc2\x9b"
    "31m\x7f\xe2\x80\xae\xff\nquintet: fine\r";

/// Control characters but for line ends and tabs, raw C1, turns of direction.
void expect_harmless(const std::string& text) {
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    EXPECT_TRUE((byte >= 0x20 && byte != 0x7F) || each == '\n' || each == '\t')
        << static_cast<int>(byte) << " in " << text;
  }
  for (const char* hidden : {"\xc2\x9b", "\xe2\x80\xae", "\xff"})
    EXPECT_THAT(text, Not(HasSubstr(hidden)));
  EXPECT_THAT(text, Not(HasSubstr("\nquintet: fine")));
}

class HostileNames : public CliTest {
 protected:
  HostileNames() {
    for (const auto& [file, seed] : {std::pair{"a.qtrace", 1}, std::pair{"b.qtrace", 2}}) {
      ExampleOptions options;
      options.seed = static_cast<std::uint64_t>(seed);
      options.train_steps = 30;
      options.slow_layer = "conv2";
      options.slow_ns = seed == 2 ? 100000 : 0;
      Trace trace = example_trace(options);
      for (TraceTask& task : trace.tasks) {
        task.name += kHostileName;
        task.layer += kHostileName;
        task.op_kind += kHostileName;
      }
      for (TraceGraph& graph : trace.graphs)
        graph.name += kHostileName;
      for (std::size_t lane = 0; lane < trace.lanes.size(); ++lane)
        trace.lanes[lane].name += kHostileName;
      for (const char* key : {"scenario", "policy", "title", "memo", "cpu", "machine", "gpu"})
        trace.provenance[key] += kHostileName;
      trace.findings.push_back({Severity::notice, "odd", "about " + kHostileName, 1});
      EXPECT_TRUE(write_trace(trace, folder_.file(file), TraceForm::plain));
    }
  }
};

TEST_F(HostileNames, ReachNoTerminalFromAnyCommand) {
  run_fine(
      {"history", "add", "a.qtrace", "b.qtrace", "--db", "h.sqlite", "--commit", kHostileName});
  for (const Words& words : {
           Words{"report", "a.qtrace"},
           Words{"report", "a.qtrace", "--json"},
           Words{"compare", "a.qtrace", "b.qtrace"},
           Words{"compare", "a.qtrace", "b.qtrace", "--json"},
           Words{"check", "a.qtrace", "--baseline", "b.qtrace"},
           Words{"history", "list", "--db", "h.sqlite"},
           Words{"history", "trend", "--db", "h.sqlite"},
           Words{"trim", "a.qtrace", "--steps", "2", "--out", "t" + kHostileName + ".qtrace"},
       }) {
    SCOPED_TRACE(words.front());
    expect_harmless(run_fine(words));
  }
}

TEST_F(HostileNames, InDocumentsStayUnlessTheyGoToATerminal) {
  for (const Words& words : {
           Words{"report", "a.qtrace", "--csv", "--table", "tasks"},
           Words{"export", "a.qtrace", "--format", "dot", "--out", "-"},
           Words{"export", "a.qtrace", "--format", "html", "--out", "-"},
           Words{"export", "a.qtrace", "--format", "chrome", "--out", "-"},
       }) {
    SCOPED_TRACE(words[2]);
    CommandSetup terminal = setup(words);
    terminal.output = OutputKind::terminal;
    const CommandResult result = CommandProcess(terminal).wait();
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.out, Not(testing::IsEmpty()));
    for (const char* hidden : {"\x1b", "\x07", "\x7f", "\xc2\x9b", "\xe2\x80\xae"})
      EXPECT_THAT(result.out, Not(HasSubstr(hidden)));
  }
  const Json chrome = run_json({"export", "a.qtrace", "--format", "chrome", "--out", "-"});
  EXPECT_TRUE(std::any_of(
      chrome.at("traceEvents").begin(), chrome.at("traceEvents").end(), [](const Json& event) {
        return std::string(event.value("name", "")).find("\x1b]0;t\x07\u009b") != std::string::npos;
      }));
}

TEST_F(HostileNames, OfFilesAreEscapedInErrors) {
  for (const Words& words :
       {Words{"report", kHostileName}, Words{"import", kHostileName},
        Words{"trim", kHostileName, "--out", "x"},
        Words{"export", "a.qtrace", "--format", kHostileName},
        Words{"export", "a.qtrace", "--graph", kHostileName, "--format", "dot"},
        Words{"report", "a.qtrace", "--html", kHostileName + "/x"}, Words{"run", kHostileName},
        Words{"verify", kHostileName}, Words{"advise", kHostileName}, Words{kHostileName},
        Words{"report", "a.qtrace", kHostileName}}) {
    SCOPED_TRACE(words.front());
    const CommandResult result = run(words);
    EXPECT_EQ(result.status, 2);
    expect_harmless(result.err);
    EXPECT_THAT(result.err, HasSubstr("e\\x1b]0;t\\x07"));
  }
}

TEST_F(HostileNames, OfAnImportAreEscaped) {
  write(
      "t.json",
      R"([{"ph":"X","cat":"kernel\u001b[2J","pid":0,"tid":7,"name":"e\u001b]0;t\u0007","ts":1,"dur":1},)"
      R"({"ph":"X","cat":"kernel","pid":0,"tid":7,"name":"e\u001b]0;t\u0007\u009b\u202e","ts":2,"dur":1}])");
  expect_harmless(run({"import", "t.json"}).out);
  const std::string text = run_fine({"report", "t.qtrace"});
  expect_harmless(text);
  EXPECT_THAT(text, HasSubstr("e\\x1b]0;t\\x07\\u009b\\u202e"));
}

TEST_F(HostileNames, LeaveXmlWellFormedAndMarkdownTablesWhole) {
  const CommandResult result = run(
      {"check", "b.qtrace", "--baseline", "a.qtrace", "--markdown", "c.md", "--junit", "c.xml"});
  EXPECT_EQ(result.status, 1) << result.err;
  const std::string markdown = read_text(folder_.file("c.md"));
  expect_harmless(markdown);
  EXPECT_THAT(markdown, HasSubstr("conv2e\\\\x1b"));
  std::string xml = read_text(folder_.file("c.xml"));
  expect_harmless(xml);
  const CommandResult drawn = run({"export", "a.qtrace", "--out", "a.svg"});
  if (drawn.status == 0) {
    const std::string svg = read_text(folder_.file("a.svg"));
    for (const char* hidden : {"\x1b", "\x07", "\x7f", "\xc2\x9b", "\xe2\x80\xae", "\xff"})
      EXPECT_THAT(svg, Not(HasSubstr(hidden)));
  }
}

}  // namespace
}  // namespace quintet
