/// Turns Ctrl-C and SIGTERM into a question the run asks between steps, so that the recording ends
/// whole.
#pragma once

namespace quintet {

/// Blocks both signals in this thread and all that it starts later; construct before any thread. A
/// second Ctrl-C does nothing more: the run ends within a step.
class InterruptWatch {
 public:
  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  /// True once a signal has come.
  bool interrupted();

 private:
  int descriptor_;
  bool seen_ = false;
};

}  // namespace quintet
