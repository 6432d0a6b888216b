/// Training sessions of one run under random policies, of which only those that the proof accepts come
/// out; the others are counted.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "runtime/policy/hazard_proof.h"
#include "tests/support/tiny_session.h"

namespace quintet::test {

/// What became of the policies drawn so far.
struct DrawCounts {
  int accepted = 0;
  int racing = 0;   ///< the proof found races
  int refused = 0;  ///< the planner said no: an issue order or a wait that cannot be
  std::map<std::string, int> accepted_by;  ///< "dataflow", "in_place", "issue", ... -> policies
};

/// Usage: RandomSessions drawn(run, 1); while (...) { auto session = drawn.next(); ... }
class RandomSessions {
 public:
  /// Policies are drawn by seeds from `seed` on.
  RandomSessions(const TinyRun& run, std::uint64_t seed,
                 std::shared_ptr<Backend> backend = std::make_shared<HostBackend>());

  /// Under the next policy that is proved race-free. Null: none of the next thousand is.
  std::unique_ptr<TrainingSession> next();
  /// Under the next policy that the planner takes and the proof rejects. Null: as next().
  std::unique_ptr<TrainingSession> next_racing();
  /// Of the session that was given last.
  [[nodiscard]] const StreamPolicy& policy() const { return policy_; }
  [[nodiscard]] const DrawCounts& counts() const { return counts_; }
  /// "20 policies accepted, 7 race, 3 refused; ..." for the log.
  [[nodiscard]] std::string summary() const;

 private:
  std::unique_ptr<TrainingSession> next_that_is(bool race_free);
  Result<std::unique_ptr<TrainingSession>> draw();
  void count(const ProofReport& proof);

  TinyRun run_;
  std::shared_ptr<Backend> backend_;
  std::uint64_t seed_;
  std::unique_ptr<TrainingSession> model_;  ///< whose tasks rules are drawn from
  StreamPolicy policy_;
  DrawCounts counts_;
};

}  // namespace quintet::test
