#include "profiler/compare/task_alignment.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace quintet {

namespace {

/// Sets of ids that some task of some recording covers together.
class IdSets {
 public:
  void unite(const std::vector<std::string>& ids) {
    for (const std::string& id : ids) {
      const std::size_t first = root(index(ids.front()));
      parent_[root(index(id))] = first;
    }
  }
  std::size_t set_of(const std::string& id) { return root(index(id)); }

 private:
  std::size_t index(const std::string& id) {
    const auto [found, fresh] = index_.try_emplace(id, parent_.size());
    if (fresh) parent_.push_back(parent_.size());
    return found->second;
  }
  std::size_t root(std::size_t node) {
    while (parent_[node] != node)
      node = parent_[node] = parent_[parent_[node]];
    return node;
  }

  std::unordered_map<std::string, std::size_t> index_;
  std::vector<std::size_t> parent_;
};

void add_name(std::vector<std::string>& names, const std::string& name) {
  const auto place = std::lower_bound(names.begin(), names.end(), name);
  if (place == names.end() || *place != name) names.insert(place, name);
}

class Aligner {
 public:
  void unite(const std::vector<RecordingSample>& side) {
    for (const RecordingSample& recording : side) {
      for (const TaskSample& task : recording.tasks)
        sets_.unite(task.ids);
    }
  }

  void collect(const std::vector<RecordingSample>& side, bool second, std::size_t recordings_a,
               std::size_t recordings_b) {
    for (std::size_t recording = 0; recording < side.size(); ++recording) {
      const std::vector<TaskSample>& tasks = side[recording].tasks;
      for (std::size_t index = 0; index < tasks.size(); ++index) {
        const auto [found, fresh] =
            position_.try_emplace(sets_.set_of(tasks[index].ids.front()), aligned_.size());
        if (fresh) {
          aligned_.emplace_back();
          aligned_.back().members_a.resize(recordings_a);
          aligned_.back().members_b.resize(recordings_b);
        }
        AlignedTask& task = aligned_[found->second];
        add_name(second ? task.names_b : task.names_a, tasks[index].name);
        (second ? task.members_b : task.members_a)[recording].push_back(index);
        describe(task, tasks[index]);
      }
    }
  }

  std::vector<AlignedTask> take() {
    for (AlignedTask& task : aligned_)
      choose_name(task);
    return std::move(aligned_);
  }

 private:
  void describe(AlignedTask& task, const TaskSample& sample) {
    if (!task.shape.empty()) return;
    task.layer = sample.layer;
    task.shape = sample.shape;
    task.span_class = sample.span_class;
  }

  static void choose_name(AlignedTask& task) {
    const bool from_a = task.names_b.empty() ||
                        (!task.names_a.empty() && task.names_a.size() < task.names_b.size());
    task.name = (from_a ? task.names_a : task.names_b).front();
  }

  IdSets sets_;
  std::unordered_map<std::size_t, std::size_t> position_;
  std::vector<AlignedTask> aligned_;
};

}  // namespace

std::vector<AlignedTask> align_tasks(const std::vector<RecordingSample>& a,
                                     const std::vector<RecordingSample>& b) {
  Aligner aligner;
  aligner.unite(a);
  aligner.unite(b);
  aligner.collect(b, true, a.size(), b.size());
  aligner.collect(a, false, a.size(), b.size());
  return aligner.take();
}

}  // namespace quintet
