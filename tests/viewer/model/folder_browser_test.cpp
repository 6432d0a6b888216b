#include "viewer/model/folder_browser.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "tests/profiler/trace/sample_trace.h"
#include "tests/viewer/model/part_bench.h"

namespace quintet::viewer {
namespace {

std::string names_of(const FolderListing& listing) {
  std::string names;
  for (const FolderEntry& entry : listing.entries)
    names += (names.empty() ? "" : " ") + entry.name + (entry.folder ? "/" : "");
  return names;
}

TEST(FolderListing, HasFoldersThenRecordingsThenOtherTraces) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("older"));
  for (const char* name : {"z.qtrace", "a.qtrace.gz", "trace.json", "notes.txt", ".hidden"})
    std::ofstream(folder.file(name)) << "12345";
  const FolderListing listing = list_folder(folder.path() + "/");
  EXPECT_EQ(names_of(listing), "older/ a.qtrace.gz z.qtrace trace.json");
  EXPECT_EQ(listing.hidden, 1U);
  EXPECT_EQ(listing.entries[1].bytes, 5U);
  EXPECT_EQ(listing.folder, folder.path());
  EXPECT_EQ(listing.parent, std::filesystem::path(folder.path()).parent_path().string());
}

TEST(FolderListing, TheRootHasNoParent) {
  EXPECT_EQ(list_folder("/").parent, "");
  EXPECT_EQ(list_folder("/").error, "");
}

TEST(FolderListing, WhatCannotBeReadSaysWhyAndStillHasAParent) {
  const TemporaryFolder folder;
  const FolderListing listing = list_folder(folder.file("missing"));
  EXPECT_FALSE(listing.error.empty());
  EXPECT_EQ(listing.parent, folder.path());
}

TEST(FolderBrowser, ListsTheFolderOfWhatIsOpenWhenTheDialogShows) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("run.qtrace")) << "";
  PartBench<FolderBrowser> bench;
  bench.open({}, Side::a, folder.file("run.qtrace"));
  bench.frame();
  EXPECT_EQ(bench.part().generation(), 0U) << "nobody asked";
  bench.send(command_id::kOpen);
  bench.frame();
  EXPECT_EQ(bench.part().listing().folder, folder.path());
  bench.send(command_id::kBrowse, std::string("/"));
  EXPECT_EQ(bench.part().listing().folder, "/");
}

}  // namespace
}  // namespace quintet::viewer
