#include "tests/support/access_audit.h"

#include <fmt/format.h>

#include "tests/support/task_arena.h"

namespace quintet {

namespace {

/// How a task declares one byte of the arena.
struct ByteUse {
  bool read = false;
  bool output = false;   ///< written or updated
  bool partial = false;  ///< output of a range that need not be wholly written
  bool scratch = false;
};

using Bytes = std::vector<std::byte>;

class Audit {
 public:
  Audit(const Task& task, StreamKind stream, const TensorTable& tensors, const MemoryPlan& plan,
        const ArenaRun& run_task, std::uint64_t seed)
      : task_(task),
        plan_(plan),
        run_task_(run_task),
        random_(seed),
        arena_(tensors, plan),
        uses_(arena_.all().size()) {
    for (const Access& access : resolve_accesses(task, stream, plan))
      declare(access);
    arena_.scramble(random_);
    fill_inputs(arena_, task, tensors, random_);
  }

  std::vector<std::string> judge() {
    const Bytes first_before = snapshot();
    const Bytes first_after = run();
    restore(first_before);
    change_what_is_not_read();
    const Bytes second_before = snapshot();
    const Bytes second_after = run();
    report_undeclared_writes(first_before, first_after);
    report_undeclared_writes(second_before, second_after);
    report_unstable_outputs(first_before, first_after, second_before, second_after);
    return findings_;
  }

 private:
  void declare(const Access& access) {
    const std::uint64_t region = arena_.begin_of(access.region);
    for (std::uint64_t piece = 0; piece < access.count; ++piece) {
      const std::uint64_t begin = region + access.offset + piece * access.stride;
      for (std::uint64_t i = begin; i < begin + access.bytes; ++i) {
        ByteUse& use = uses_[i];
        use.read |= reads(access.mode);
        const bool scratch = access.mode == AccessMode::scratch;
        use.scratch |= scratch;
        use.output |= writes(access.mode) && !scratch;
        use.partial |= use.output && access.bound == AccessBound::upper;
      }
    }
  }

  Bytes snapshot() { return {arena_.all().begin(), arena_.all().end()}; }
  void restore(const Bytes& bytes) { std::copy(bytes.begin(), bytes.end(), arena_.all().begin()); }
  Bytes run() {
    run_task_(arena_);
    return snapshot();
  }

  void change_what_is_not_read() {
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      std::byte& byte = arena_.all()[i];
      if (uses_[i].read || uses_[i].partial) continue;
      byte = uses_[i].output ? ~byte : static_cast<std::byte>(random_.engine()());
    }
  }

  void report_undeclared_writes(const Bytes& before, const Bytes& after) {
    report_first("changes {}, which it does not declare as written", [&](std::size_t i) {
      return !uses_[i].output && !uses_[i].scratch && before[i] != after[i];
    });
  }

  void report_unstable_outputs(const Bytes& first_before, const Bytes& first_after,
                               const Bytes& second_before, const Bytes& second_after) {
    const auto kept = [&](std::size_t i) {
      return first_after[i] == first_before[i] && second_after[i] == second_before[i];
    };
    const auto differs = [&](std::size_t i) {
      return uses_[i].output && first_after[i] != second_after[i];
    };
    report_first("leaves {} as it was, though it declares the range as wholly written",
                 [&](std::size_t i) { return differs(i) && kept(i); });
    report_first("writes to {} what depends on bytes that it does not declare as read",
                 [&](std::size_t i) { return differs(i) && !kept(i); });
  }

  template <class Guilty>
  void report_first(fmt::format_string<std::string> text, Guilty guilty) {
    for (std::size_t i = 0; i < uses_.size(); ++i) {
      if (!guilty(i)) continue;
      findings_.push_back(task_.name + " " + fmt::format(text, place_of(i)));
      return;
    }
  }

  std::string place_of(std::size_t index) const {
    for (const Region& region : plan_.regions()) {
      const std::uint64_t begin = arena_.begin_of(region.id);
      if (index >= begin && index < begin + region.bytes)
        return fmt::format("byte {} of {}", index - begin, region.name());
    }
    return "a byte outside all regions";
  }

  const Task& task_;
  const MemoryPlan& plan_;
  const ArenaRun& run_task_;
  TestRandom random_;
  TaskArena arena_;
  std::vector<ByteUse> uses_;
  std::vector<std::string> findings_;
};

}  // namespace

std::vector<std::string> audit_accesses(const Task& task, StreamKind stream,
                                        const TensorTable& tensors, const MemoryPlan& plan,
                                        const ArenaRun& run, std::uint64_t seed) {
  return Audit(task, stream, tensors, plan, run, seed).judge();
}

std::vector<std::string> audit_accesses(const Task& task, StreamKind stream,
                                        const TensorTable& tensors, const MemoryPlan& plan,
                                        HostKernel& kernel, std::uint64_t seed) {
  const ArenaRun run = [&](TaskArena& arena) { arena.run(task, stream, kernel); };
  return audit_accesses(task, stream, tensors, plan, run, seed);
}

}  // namespace quintet
