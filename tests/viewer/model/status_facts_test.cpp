#include "viewer/model/status_facts.h"

#include <gtest/gtest.h>

#include "tests/support/tiny_trace.h"

namespace quintet::viewer {
namespace {

Document document_with(const Provenance& provenance) {
  Trace trace = tiny_trace();
  trace.provenance = provenance;
  Document document;
  document.trace = std::make_shared<const Trace>(std::move(trace));
  return document;
}

std::string line_of(const std::vector<StatusFact>& facts) {
  std::string line;
  for (const StatusFact& fact : facts)
    line += (line.empty() ? "" : ", ") + fact.text;
  return line;
}

TEST(StatusFacts, TellDeviceDateTimesLossesAndProof) {
  const Document document = document_with({{"gpu", "NVIDIA H200"},
                                           {"cpu", "some processor"},
                                           {"started", "2026-11-29T10:00:00Z"},
                                           {"untraced_step_ns", "6710000"},
                                           {"traced_step_ns", "6950000"},
                                           {"dropped_spans", "0"},
                                           {"verdict", "race-free"}});
  const Report report = build_report(*document.trace);
  const std::string line = line_of(status_facts(document, &report));
  EXPECT_EQ(line.rfind("NVIDIA H200, measured 2026-11-29, untraced 6.71 ms, traced 6.95 ms (1.04x)"
                       ", 0 dropped",
                       0),
            0U)
      << line;
  EXPECT_TRUE(line.ends_with("race-free")) << line;
}

TEST(StatusFacts, ASlowRecorderAndALossStandOut) {
  const Document document = document_with({{"untraced_step_ns", "1000"},
                                           {"traced_step_ns", "2000"},
                                           {"dropped_spans", "3"},
                                           {"verdict", "2 races"}});
  const Report report = build_report(*document.trace);
  int bad = 0;
  int warned = 0;
  for (const StatusFact& fact : status_facts(document, &report)) {
    bad += fact.tone == StatusTone::bad ? 1 : 0;
    warned += fact.tone == StatusTone::warn ? 1 : 0;
  }
  EXPECT_EQ(bad, 2) << "the drops and the verdict";
  EXPECT_EQ(warned, 1) << "the slowed steps";
}

TEST(StatusFacts, OfARecordingThatSaysNothingAreStillTrue) {
  const std::string line = line_of(status_facts(document_with({}), nullptr));
  EXPECT_EQ(line, "device unknown, not proved");
}

}  // namespace
}  // namespace quintet::viewer
