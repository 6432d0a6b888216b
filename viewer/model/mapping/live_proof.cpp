#include "viewer/model/mapping/live_proof.h"

#include <algorithm>

namespace quintet {

namespace {

/// Enough for a drag over all streams and back; a plan of ResNet-50 takes some MB.
constexpr std::size_t kRemembered = 8;

}  // namespace

LiveProof::LiveProof(PlanMaker maker, StreamPolicy base, std::function<void()> ready)
    : maker_(std::move(maker)),
      base_(std::move(base)),
      ready_(std::move(ready)),
      thread_([this] { work(); }) {}

LiveProof::~LiveProof() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void LiveProof::ask(const StreamPolicy& policy) {
  std::string text = save_policy(policy);
  bool answered = false;
  {
    const std::lock_guard lock(mutex_);
    if (text == newest_ && (answer_ || open_ || working_)) return;
    if (open_) ++overtaken_;
    newest_ = text;
    answer_ = remembered(text);
    answered = answer_ != nullptr;
    if (answered) {
      last_answer_ = answer_;
      open_.reset();
    } else {
      open_ = Question{policy, std::move(text)};
    }
  }
  if (!answered) {
    changed_.notify_one();
  } else if (ready_) {
    ready_();
  }
}

std::shared_ptr<const MappingVerdict> LiveProof::answer() const {
  const std::lock_guard lock(mutex_);
  return answer_;
}

std::shared_ptr<const MappingVerdict> LiveProof::last_answer() const {
  const std::lock_guard lock(mutex_);
  return last_answer_;
}

std::shared_ptr<const MappingVerdict> LiveProof::base_answer() const {
  const std::lock_guard lock(mutex_);
  return base_answer_;
}

bool LiveProof::busy() const {
  const std::lock_guard lock(mutex_);
  return open_.has_value() || (!newest_.empty() && !answer_);
}

std::uint64_t LiveProof::overtaken() const {
  const std::lock_guard lock(mutex_);
  return overtaken_;
}

LiveProof::Answer LiveProof::remembered(const std::string& text) const {
  const auto found = std::find_if(remembered_.begin(), remembered_.end(),
                                  [&](const auto& entry) { return entry.first == text; });
  return found == remembered_.end() ? nullptr : found->second;
}

void LiveProof::remember(const std::string& text, const Answer& answer) {
  remembered_.emplace_front(text, answer);
  if (remembered_.size() > kRemembered) remembered_.pop_back();
}

void LiveProof::work() {
  const auto base = std::make_shared<const MappingVerdict>(judge(maker_, base_, nullptr));
  {
    const std::lock_guard lock(mutex_);
    base_answer_ = base;
  }
  if (ready_) ready_();
  while (true) {
    Question question;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return stop_ || open_.has_value(); });
      if (stop_) return;
      question = std::move(*open_);
      open_.reset();
      working_ = true;
    }
    const auto answer =
        std::make_shared<const MappingVerdict>(judge(maker_, question.policy, base.get()));
    bool wanted = false;
    {
      const std::lock_guard lock(mutex_);
      working_ = false;
      remember(question.text, answer);
      wanted = question.text == newest_;
      if (wanted) {
        answer_ = answer;
        last_answer_ = answer;
      } else {
        ++overtaken_;
      }
    }
    if (wanted && ready_) ready_();
  }
}

}  // namespace quintet
