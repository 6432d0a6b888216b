/// Plan and proof of a policy under edit, in a thread of its own: the newest question wins.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "viewer/model/mapping/mapping_verdict.h"

namespace quintet {

/// Owns a thread. Threads: members from one, the maker is called in the thread of its own, `ready`
/// too. A question that was overtaken is dropped, at the latest when its answer is there: an answer
/// is only ever shown for the newest. Usage:
///   LiveProof proof(maker, base, wake);  proof.ask(draft.policy());  if (auto v = proof.answer())
class LiveProof {
 public:
  /// `base`: what answers are held against, planned and proved first. `ready` (may be empty) is
  /// called when an answer has come.
  LiveProof(PlanMaker maker, StreamPolicy base, std::function<void()> ready = {});
  ~LiveProof();
  LiveProof(const LiveProof&) = delete;
  LiveProof& operator=(const LiveProof&) = delete;

  /// Asks about a policy. One that was answered lately is answered at once.
  void ask(const StreamPolicy& policy);
  /// What the newest question's answer is; null before it is there.
  [[nodiscard]] std::shared_ptr<const MappingVerdict> answer() const;
  /// The last answer that was there, to be shown as old until the next one comes; null before the
  /// first.
  [[nodiscard]] std::shared_ptr<const MappingVerdict> last_answer() const;
  /// Of the base; null before it is there.
  [[nodiscard]] std::shared_ptr<const MappingVerdict> base_answer() const;
  /// True while a question is open.
  [[nodiscard]] bool busy() const;
  /// Questions whose answer nobody wanted any more.
  [[nodiscard]] std::uint64_t overtaken() const;

 private:
  struct Question {
    StreamPolicy policy;
    std::string text;  ///< save_policy: what answers are remembered by
  };
  using Answer = std::shared_ptr<const MappingVerdict>;

  void work();
  [[nodiscard]] Answer remembered(const std::string& text) const;
  void remember(const std::string& text, const Answer& answer);

  PlanMaker maker_;
  StreamPolicy base_;
  std::function<void()> ready_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  std::optional<Question> open_;  ///< asked, not yet begun
  std::string newest_;            ///< text of the newest question
  Answer answer_;
  Answer last_answer_;
  Answer base_answer_;
  std::deque<std::pair<std::string, Answer>> remembered_;  ///< the newest in front
  std::uint64_t overtaken_ = 0;
  bool working_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace quintet
