#include <cstdlib>
#include <filesystem>
#include <gmock/gmock.h>
#include <string>

#include "tests/profiler/import/nsys_export.h"
#include "tests/scenarios/cli/cli_test.h"

namespace quintet {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

/// `quintet import` of reports that only `nsys` reads, beside a script of that name.
class NsysReport : public CliTest {
 protected:
  NsysReport() {
    for (const char* folder : {"bin", "tmp", "in"})
      fs::create_directory(folder_.file(folder));
    NsysExport exported;
    exported.kernel({1000, 2000, 1}).kernel({3000, 4000, 2}).save(folder_.file("in/made.sqlite"));
    write("in/rank3.nsys-rep", "NSYS report\n");
    setenv("TMPDIR", folder_.file("tmp").c_str(), 1);
    set_path();
  }
  ~NsysReport() override {
    setenv("PATH", path_.c_str(), 1);
    unsetenv("TMPDIR");
  }

  /// A program `nsys` that does this. Its arguments: export --type sqlite --output FILE REPORT.
  void nsys(const std::string& script) const {
    write("bin/nsys", "#!/bin/sh\n" + script);
    fs::permissions(folder_.file("bin/nsys"), fs::perms(0755));
  }
  [[nodiscard]] std::string left_behind() const {
    std::string names;
    for (const auto& entry : fs::recursive_directory_iterator(folder_.file("tmp")))
      names += entry.path().string() + "\n";
    return names;
  }
  void set_path() const { setenv("PATH", (folder_.file("bin") + ":/usr/bin:/bin").c_str(), 1); }

 private:
  std::string path_ = std::getenv("PATH");
};

TEST_F(NsysReport, IsConvertedByAnInstalledNsys) {
  nsys(
      "test \"$1 $2 $3 $4\" = 'export --type sqlite --output' || exit 9\n"
      "test -r \"$6\" || exit 8\necho 'Processing events...'\ncp in/made.sqlite \"$5\"\n");
  const Json told = run_json({"import", "in/rank3.nsys-rep", "--json"});
  EXPECT_EQ(told.at("recording"), "rank3.qtrace");
  EXPECT_EQ(told.at("files").at(0).at("file"), "in/rank3.nsys-rep");
  EXPECT_EQ(told.at("spans"), 2);
  const Json report = run_json({"report", "rank3.qtrace", "--json"});
  EXPECT_EQ(report.at("provenance").at("source_file"), "in/rank3.nsys-rep");
  EXPECT_EQ(left_behind(), "");
  EXPECT_FALSE(fs::exists(folder_.file("in/rank3.sqlite")));
}

TEST_F(NsysReport, SeveralOfOneNameAreConvertedApart) {
  nsys("cp in/made.sqlite \"$5\"\n");
  fs::create_directory(folder_.file("other"));
  write("other/rank4.nsys-rep", "NSYS report\n");
  write("in/-x.qdrep", "NSYS report\n");
  const CommandResult result =
      run({"import", "in/rank3.nsys-rep", "other/rank4.nsys-rep", "--out", "o.qtrace"});
  EXPECT_THAT(result.out + result.err, Not(HasSubstr(folder_.file("tmp"))));
  EXPECT_THAT(result.out + result.err, HasSubstr("other/rank4.nsys-rep"));
  run_fine({"import", "in/-x.qdrep", "--out", "x.qtrace"});
  EXPECT_EQ(left_behind(), "");
}

TEST_F(NsysReport, WithoutNsysSaysWhatToRun) {
  setenv("PATH", folder_.file("bin").c_str(), 1);
  expect_refusal({"import", "in/rank3.nsys-rep"},
                 {"in/rank3.nsys-rep: is a report of Nsight Systems", "nsys is not on PATH",
                  "nsys export --type sqlite --output rank3.sqlite in/rank3.nsys-rep",
                  "quintet import rank3.sqlite"});
  EXPECT_EQ(left_behind(), "");
}

TEST_F(NsysReport, SaysWhatNsysFailedAt) {
  nsys("echo 'Generated:'\necho 'the report is too new' >&2\necho >&2\nexit 4\n");
  expect_refusal({"import", "in/rank3.nsys-rep"},
                 {"nsys export failed with exit status 4: the report is too new"});
  nsys("exit 0\n");
  expect_refusal({"import", "in/rank3.nsys-rep"}, {"nsys export wrote no file"});
  nsys("kill -9 $$\n");
  expect_refusal({"import", "in/rank3.nsys-rep"}, {"was ended by signal 9"});
  nsys("echo nonsense > \"$5\"\n");
  const std::string error =
      expect_refusal({"import", "in/rank3.nsys-rep"}, {"in/rank3.nsys-rep: "});
  EXPECT_THAT(error, Not(HasSubstr(folder_.file("tmp"))));
  EXPECT_EQ(left_behind(), "");
}

TEST_F(NsysReport, ThatIsSqliteOrEmptyIsNotGivenToNsys) {
  nsys("exit 7\n");
  fs::copy_file(folder_.file("in/made.sqlite"), folder_.file("renamed.nsys-rep"));
  run_fine({"import", "renamed.nsys-rep", "--out", "r.qtrace"});
  write("empty.nsys-rep", "");
  expect_refusal({"import", "empty.nsys-rep"}, {"is empty"});
  expect_refusal({"import", "missing.nsys-rep"}, {"missing.nsys-rep"});
}

TEST_F(NsysReport, AnInterruptEndsNsysToo) {
  nsys("echo $$ > pid\nexec sleep 600\n");
  CommandProcess process(setup({"import", "in/rank3.nsys-rep"}));
  ASSERT_TRUE(wait_for_file("pid", process));
  process.send(SIGINT);
  const CommandResult result = process.wait();
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("cancelled"));
  EXPECT_EQ(left_behind(), "");
}

TEST_F(NsysReport, HelpNamesEveryFormat) {
  const std::string help = run_fine({"import", "--help"});
  for (const TraceFormat& format : trace_format_catalog())
    EXPECT_THAT(help, HasSubstr(std::string(format.description.substr(0, 12)))) << format.name;
  EXPECT_THAT(help, HasSubstr(".nsys-rep"));
}

}  // namespace
}  // namespace quintet
