// The tree speaks of the project only: no path of one person's machine, no unfinished business.

#include <gtest/gtest.h>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "tests/architecture/source_tree.h"

namespace quintet {
namespace {

struct ForbiddenWording {
  std::regex pattern;
  std::string_view why;
  bool documents_only = false;
};

/// Written in pieces, so that this file does not match itself.
const std::vector<ForbiddenWording>& forbidden_wordings() {
  const auto words = std::regex::ECMAScript | std::regex::icase;
  static const std::vector<ForbiddenWording> kForbidden = {
      {std::regex("/wor"
                  "k/|/roo"
                  "t/|/hom"
                  "e/[a-z]"),
       "a path of one machine"},
      {std::regex("/tm"
                  "p/"),
       "a path of one machine", true},
      {std::regex("\\bTO"
                  "DO\\b|\\bFIX"
                  "ME\\b|\\bXX"
                  "X\\b"),
       "unfinished business"},
      {std::regex("\\b(sub)?age"
                  "nts?\\b|\\b(this|last|next|another) sess"
                  "ion\\b",
                  words),
       "about who wrote it, not about the project"},
  };
  return kForbidden;
}

std::vector<std::string> wording_faults(const SourceFile& file) {
  std::vector<std::string> faults;
  if (file.text.find('\0') != std::string::npos || file.path == "LICENSE") return faults;
  const bool document = file.path.ends_with(".md");
  for (const std::string_view line : lines_of(file.text)) {
    for (const ForbiddenWording& forbidden : forbidden_wordings()) {
      if (forbidden.documents_only && !document) continue;
      if (std::regex_search(line.begin(), line.end(), forbidden.pattern)) {
        faults.push_back(file.path + ": " + std::string(forbidden.why) + ": " + std::string(line));
      }
    }
  }
  return faults;
}

TEST(Wording, SpeaksOfTheProjectOnly) {
  for (const SourceFile& file : source_tree()) {
    for (const std::string& fault : wording_faults(file))
      ADD_FAILURE() << fault;
  }
}

TEST(Wording, ReportsAMachinePathAndUnfinishedBusiness) {
  EXPECT_EQ(wording_faults({"a.cpp", std::string("// TO") + "DO: later\n"}).size(), 1U);
  EXPECT_EQ(wording_faults({"a.md", std::string("see /tm") + "p/x\n"}).size(), 1U);
  EXPECT_TRUE(wording_faults({"a.cpp", std::string("open(\"/tm") + "p/x\")\n"}).empty());
  EXPECT_TRUE(wording_faults({"a.cpp", "// a CUPTI session\n"}).empty());
}

}  // namespace
}  // namespace quintet
