#include "runtime/observe/nvtx_observer.h"

#include <filesystem>
#include <fstream>
#include <nvtx3/nvToolsExt.h>
#include <string>
#include <unistd.h>

namespace quintet {

namespace {

/// Threads have all begun and named themselves once the work of these steps is done; that steps were issued
/// would not say so.
constexpr std::int64_t kLastNamingStep = 2;

nvtxEventAttributes_t attributes_of(NvtxCategory category, nvtxStringHandle_t name,
                                    std::int64_t step) {
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.category = static_cast<std::uint32_t>(category);
  attributes.payloadType = NVTX_PAYLOAD_TYPE_INT64;
  attributes.payload.llValue = step;
  attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  attributes.message.registered = name;
  return attributes;
}

/// As pthread_setname_np set it; empty where the thread is gone.
std::string thread_name(const std::filesystem::path& task) {
  std::string name;
  std::getline(std::ifstream(task / "comm"), name);
  return name;
}

}  // namespace

std::unique_ptr<NvtxObserver> NvtxObserver::attach() {
  const nvtxDomainHandle_t domain = nvtxDomainCreateA("quintet");
  if (domain == nullptr) return nullptr;
  return std::unique_ptr<NvtxObserver>(new NvtxObserver(domain));
}

NvtxObserver::NvtxObserver(Domain domain) : domain_(domain) {
  for (std::uint32_t number = 1; number <= kNvtxCategoryCount; ++number) {
    const std::string name(name_of(static_cast<NvtxCategory>(number)));
    nvtxDomainNameCategoryA(domain_, number, name.c_str());
  }
  step_name_ = nvtxDomainRegisterStringA(domain_, "step");
  sync_name_ = nvtxDomainRegisterStringA(domain_, "host_sync");
  wait_name_ = nvtxDomainRegisterStringA(domain_, "host_wait");
}

NvtxObserver::~NvtxObserver() {
  NvtxObserver::on_end();
  nvtxDomainDestroy(domain_);
}

void NvtxObserver::on_plan(const ExecutionPlan& plan) {
  tasks_.clear();
  for (const Task& task : plan.tasks)
    tasks_.push_back(nvtxDomainRegisterStringA(domain_, task.name.c_str()));
  graphs_.clear();
  for (const auto& [key, graph] : plan.graphs)
    graphs_[key] = nvtxDomainRegisterStringA(domain_, plan.name(key).c_str());
  const std::lock_guard lock(mutex_);
  const int self = static_cast<int>(gettid());
  if (named_threads_.insert(self).second)
    nvtxNameOsThreadA(static_cast<std::uint32_t>(self), "MAIN");
}

void NvtxObserver::push(NvtxCategory category, String name, std::int64_t step) const {
  const nvtxEventAttributes_t attributes = attributes_of(category, name, step);
  nvtxDomainRangePushEx(domain_, &attributes);
}

void NvtxObserver::pop() const {
  nvtxDomainRangePop(domain_);
}

void NvtxObserver::on_enqueue(TaskId task, StreamKind /*stream*/) {
  push(NvtxCategory::capture, tasks_.at(task.value()), -1);
}

void NvtxObserver::on_enqueued(TaskId /*task*/, StreamKind /*stream*/) {
  pop();
}

void NvtxObserver::on_task_begin(TaskId task, std::int64_t step) {
  push(NvtxCategory::host_task, tasks_.at(task.value()), step);
}

void NvtxObserver::on_task(const TaskRun& /*run*/) {
  pop();
}

void NvtxObserver::on_launch_begin(const GraphKey& graph, StreamKind /*stream*/,
                                   std::int64_t step) {
  push(NvtxCategory::launch, graphs_.at(graph), step);
}

void NvtxObserver::on_launch(const LaunchRun& /*run*/) {
  pop();
}

void NvtxObserver::on_host_wait_begin(HostActor /*actor*/, CommandKind kind, std::int64_t step) {
  push(NvtxCategory::wait, kind == CommandKind::host_sync ? sync_name_ : wait_name_, step);
}

void NvtxObserver::on_host_wait(const HostWaitRun& /*run*/) {
  pop();
}

void NvtxObserver::on_step_begin(std::int64_t step) {
  const nvtxEventAttributes_t attributes = attributes_of(NvtxCategory::step, step_name_, step);
  const std::lock_guard lock(mutex_);
  open_steps_[step] = nvtxDomainRangeStartEx(domain_, &attributes);
}

void NvtxObserver::on_step(const StepRun& run) {
  if (run.step <= kLastNamingStep) name_threads();
  const std::lock_guard lock(mutex_);
  const auto open = open_steps_.find(run.step);
  if (open == open_steps_.end()) return;
  nvtxDomainRangeEnd(domain_, open->second);
  open_steps_.erase(open);
}

/// A run that failed leaves steps that never ended.
void NvtxObserver::on_end() {
  const std::lock_guard lock(mutex_);
  for (const auto& [step, range] : open_steps_)
    nvtxDomainRangeEnd(domain_, range);
  open_steps_.clear();
}

/// A thread that has not named itself is called what the process is.
void NvtxObserver::name_threads() {
  const std::filesystem::path tasks = "/proc/self/task";
  const std::string process = thread_name(tasks / std::to_string(getpid()));
  const std::lock_guard lock(mutex_);
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(tasks, error)) {
    const std::string name = thread_name(entry.path());
    if (name.empty() || name == process) continue;
    const int thread = std::stoi(entry.path().filename().string());
    if (named_threads_.insert(thread).second)
      nvtxNameOsThreadA(static_cast<std::uint32_t>(thread), name.c_str());
  }
}

}  // namespace quintet
