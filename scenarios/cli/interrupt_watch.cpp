#include "scenarios/cli/interrupt_watch.h"

#include <csignal>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace quintet {

namespace {

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

InterruptWatch::InterruptWatch() {
  const sigset_t set = watched_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  descriptor_ = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

InterruptWatch::~InterruptWatch() {
  interrupted();  // a pending signal must not kill the process when it is let through again
  const sigset_t set = watched_signals();
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  if (descriptor_ >= 0) close(descriptor_);
}

bool InterruptWatch::interrupted() {
  signalfd_siginfo info{};
  while (descriptor_ >= 0 && read(descriptor_, &info, sizeof info) == sizeof info)
    seen_ = true;
  return seen_;
}

}  // namespace quintet
