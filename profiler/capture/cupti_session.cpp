#include "profiler/capture/cupti_session.h"

#include <array>
#include <atomic>
#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <pthread.h>
#include <utility>

#include "profiler/capture/cupti_calls.h"
#include "profiler/capture/cupti_records.h"

namespace quintet {

namespace {

/// CUPTI's buffer callbacks carry no user data, so the one session of the process is found here.
std::atomic<CuptiSession*>& the_session() {
  static std::atomic<CuptiSession*> session{nullptr};
  return session;
}

constexpr std::array kNodeKinds = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                   CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMSET,
                                   CUPTI_ACTIVITY_KIND_OVERHEAD};

std::string text_of(CUptiResult status) {
  const char* text = nullptr;
  if (cuptiGetErrorMessage(status, &text) != CUPTI_SUCCESS || text == nullptr) text = "unknown";
  return fmt::format("{} ({})", text, static_cast<int>(status));
}

/// The driver's own call by way of the runtime, so that this starts where there is no driver.
CUcontext current_context() {
  using Get = CUresult (*)(CUcontext*);
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found{};
  if (cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", &entry, 4000, cudaEnableDefault,
                                       &found) != cudaSuccess ||
      found != cudaDriverEntryPointSuccess) {
    return nullptr;
  }
  CUcontext context = nullptr;
  return reinterpret_cast<Get>(entry)(&context) == CUDA_SUCCESS ? context : nullptr;
}

}  // namespace

CuptiSession::CuptiSession(DeviceListener& listener, const CuptiSessionOptions& options)
    : listener_(listener), options_(options) {
  const std::size_t words = options_.buffer_bytes / sizeof(std::uint64_t);
  memory_ = std::make_unique<std::uint64_t[]>(options_.buffers * words);
  for (std::size_t index = 0; index < options_.buffers; ++index)
    free_.push_back(reinterpret_cast<std::uint8_t*>(memory_.get() + index * words));
}

Result<std::unique_ptr<CuptiSession>> CuptiSession::open(DeviceListener& listener,
                                                         const CuptiSessionOptions& options) {
  std::uint32_t version = 0;
  if (const CUptiResult status = cuptiGetVersion(&version); status != CUPTI_SUCCESS)
    return fail("CUPTI does not answer: " + text_of(status), "install the CUDA driver");
  if (version != kCuptiRecordsVersion) {
    return fail(fmt::format("CUPTI {} writes other records than CUPTI {}, for which this was built",
                            version, kCuptiRecordsVersion),
                "put the libcupti of the toolkit it was built with first in LD_LIBRARY_PATH");
  }
  std::unique_ptr<CuptiSession> session(new CuptiSession(listener, options));
  CuptiSession* none = nullptr;
  if (!the_session().compare_exchange_strong(none, session.get()))
    return fail("this process records a device already", "end that recording first");
  if (auto subscribed = session->subscribe(); !subscribed) {
    the_session() = nullptr;
    return tl::unexpected(subscribed.error());
  }
  session->thread_ = std::thread([self = session.get()] { self->decode_buffers(); });
  return session;
}

Result<void> CuptiSession::subscribe() {
  std::array<char, CUPTI_OLD_SUBSCRIBER_NAME_MIN_LEN> holder{};
  CUpti_SubscriberParams params{};
  params.structSize = CUpti_SubscriberParams_STRUCT_SIZE;
  params.subscriberName = "quintet";
  params.oldSubscriberName = holder.data();
  params.oldSubscriberSize = holder.size();
  const CUptiResult status = cuptiSubscribe_v2(&subscriber_, &on_callback, this, &params);
  if (status == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) {
    const std::string name = holder[0] == '\0' ? "another profiler or debugger" : holder.data();
    return fail(name + " is attached to the driver, which serves one profiler at a time",
                "run without it to record what the GPU does");
  }
  if (status != CUPTI_SUCCESS)
    return fail("CUPTI refuses a subscription: " + text_of(status), "look at the driver's version");
  note(cuptiActivityRegisterCallbacks(&on_buffer_requested, &on_buffer_completed),
       "registering buffers");
  enable_callbacks();
  return {};
}

void CuptiSession::enable_callbacks() {
  const auto enable = [this](CUpti_CallbackDomain domain, CUpti_CallbackId id) {
    note(cuptiEnableCallback(1, subscriber_, domain, id), "enabling a callback");
  };
  enable(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED);
  enable(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED);
  for (const auto id : kLaunchCalls)
    enable(CUPTI_CB_DOMAIN_DRIVER_API, static_cast<CUpti_CallbackId>(id));
  for (const auto id : kAllocationCalls)
    enable(CUPTI_CB_DOMAIN_DRIVER_API, static_cast<CUpti_CallbackId>(id));
  for (const auto id : kSyncCalls)
    enable(CUPTI_CB_DOMAIN_DRIVER_API, static_cast<CUpti_CallbackId>(id));
  if (!options_.watch_work) return;
  for (const auto id : kWorkCalls)
    enable(CUPTI_CB_DOMAIN_DRIVER_API, static_cast<CUpti_CallbackId>(id));
}

CuptiSession::~CuptiSession() {
  if (subscriber_ != nullptr) {
    stop_nodes();
    stop_graphs();
    flush(true);
    note(cuptiUnsubscribe(subscriber_), "unsubscribing");
  }
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  CuptiSession* self = this;
  the_session().compare_exchange_strong(self, nullptr);
}

void CuptiSession::note(CUptiResult status, const char* what) {
  if (status == CUPTI_SUCCESS) return;
  const std::lock_guard lock(mutex_);
  failures_.push_back(fmt::format("{}: {}", what, text_of(status)));
}

void CuptiSession::start_nodes() {
  for (const CUpti_ActivityKind kind : kNodeKinds)
    note(cuptiActivityEnable(kind), "starting to record nodes");
}

void CuptiSession::stop_nodes() {
  for (const CUpti_ActivityKind kind : kNodeKinds)
    note(cuptiActivityDisable(kind), "stopping to record nodes");
}

void CuptiSession::start_graphs() {
  note(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_GRAPH_TRACE), "starting to record graphs");
}

void CuptiSession::stop_graphs() {
  note(cuptiActivityDisable(CUPTI_ACTIVITY_KIND_GRAPH_TRACE), "stopping to record graphs");
}

void CuptiSession::flush(bool all) {
  note(cuptiActivityFlushAll(all ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0), "flushing");
  const CUcontext context = current_context();
  if (!all || context == nullptr) return;  // without a context the next call crashes
  std::size_t dropped = 0;
  const CUptiResult counted = cuptiActivityGetNumDroppedRecords(context, 0, &dropped);
  note(counted, "counting dropped records");
  const std::lock_guard lock(mutex_);
  if (counted != CUPTI_SUCCESS) dropped_.reset();
  if (dropped_) *dropped_ += static_cast<std::int64_t>(dropped);
}

void CuptiSession::drain() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return full_.empty() && !decoding_; });
}

void CuptiSession::synchronize() {
  static_cast<void>(cudaDeviceSynchronize());
}

std::int64_t CuptiSession::clock_ns() const {
  std::uint64_t now = 0;
  return cuptiGetTimestamp(&now) == CUPTI_SUCCESS ? static_cast<std::int64_t>(now) : 0;
}

std::optional<std::uint32_t> CuptiSession::legacy_stream_id() const {
  const CUcontext context = current_context();
  std::uint32_t id = 0;
  if (context == nullptr ||
      cuptiGetStreamIdEx(context, CU_STREAM_LEGACY, 0, &id) != CUPTI_SUCCESS) {
    return std::nullopt;
  }
  return id;
}

MultiprocessorLimits CuptiSession::limits() const {
  int device = 0;
  cudaDeviceProp properties{};
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
    return {};
  }
  const auto number = [](int value) { return static_cast<std::uint32_t>(value); };
  return {number(properties.multiProcessorCount),
          number(properties.warpSize),
          number(properties.maxThreadsPerMultiProcessor),
          number(properties.maxBlocksPerMultiProcessor),
          number(properties.regsPerMultiprocessor),
          properties.sharedMemPerMultiprocessor,
          properties.reservedSharedMemPerBlock};
}

std::optional<std::uint64_t> CuptiSession::node_id(void* node) {
  std::uint64_t id = 0;
  const CUptiResult status = cuptiGetGraphNodeId(static_cast<CUgraphNode>(node), &id);
  return status == CUPTI_SUCCESS ? std::optional(id) : std::nullopt;
}

std::optional<std::int64_t> CuptiSession::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

std::int64_t CuptiSession::invalid() const {
  const std::lock_guard lock(mutex_);
  return invalid_;
}

std::vector<std::string> CuptiSession::failures() const {
  const std::lock_guard lock(mutex_);
  return failures_;
}

void CUPTIAPI CuptiSession::on_callback(void* self, CUpti_CallbackDomain domain,
                                        CUpti_CallbackId id, const void* data) {
  auto& session = *static_cast<CuptiSession*>(self);
  if (domain == CUPTI_CB_DOMAIN_RESOURCE)
    return session.on_resource(id, *static_cast<const CUpti_ResourceData*>(data));
  if (domain != CUPTI_CB_DOMAIN_DRIVER_API) return;
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  if (call.callbackSite != CUPTI_API_ENTER) return;
  session.on_driver_call(id, call.correlationId);
}

void CuptiSession::on_driver_call(CUpti_CallbackId id, std::uint32_t correlation) {
  if (among(kLaunchCalls, id)) return listener_.graph_launched(correlation);
  if (options_.watch_work && among(kWorkCalls, id)) listener_.work_enqueued(correlation);
  if (among(kAllocationCalls, id)) return listener_.driver_called(DriverCall::allocation);
  if (among(kSyncCalls, id)) listener_.driver_called(DriverCall::host_sync);
}

void CuptiSession::on_resource(CUpti_CallbackId id, const CUpti_ResourceData& data) {
  const auto& graph = *static_cast<const CUpti_GraphData*>(data.resourceDescriptor);
  std::uint64_t node = 0;
  if (cuptiGetGraphNodeId(graph.node, &node) != CUPTI_SUCCESS) return;
  if (id == CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED) return listener_.node_created(node);
  std::uint64_t original = 0;
  if (cuptiGetGraphNodeId(graph.originalNode, &original) == CUPTI_SUCCESS)
    listener_.node_cloned(original, node);
}

void CUPTIAPI CuptiSession::on_buffer_requested(std::uint8_t** buffer, std::size_t* bytes,
                                                std::size_t* most_records) {
  *buffer = nullptr;
  *bytes = 0;
  *most_records = 0;
  if (CuptiSession* session = the_session().load()) session->hand_out(buffer, bytes);
}

/// Without a free buffer the driver drops records and counts them: better than a step that waits.
void CuptiSession::hand_out(std::uint8_t** buffer, std::size_t* bytes) {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return;
  *buffer = free_.back();
  *bytes = options_.buffer_bytes;
  free_.pop_back();
}

void CUPTIAPI CuptiSession::on_buffer_completed(CUcontext /*context*/, std::uint32_t /*stream*/,
                                                std::uint8_t* buffer, std::size_t /*bytes*/,
                                                std::size_t valid) {
  if (CuptiSession* session = the_session().load()) session->take_back(buffer, valid);
}

void CuptiSession::take_back(std::uint8_t* buffer, std::size_t valid) {
  {
    const std::lock_guard lock(mutex_);
    full_.push_back({buffer, valid});
  }
  changed_.notify_all();
}

void CuptiSession::decode_buffers() {
  pthread_setname_np(pthread_self(), "CUPTI_DECODER");
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return closed_ || !full_.empty(); });
    if (full_.empty()) return;
    const Buffer buffer = full_.front();
    full_.pop_front();
    decoding_ = true;
    lock.unlock();
    decode(buffer);
    lock.lock();
    decoding_ = false;
    free_.push_back(buffer.data);
    changed_.notify_all();
  }
}

void CuptiSession::decode(const Buffer& buffer) {
  std::vector<DeviceRecord> records;
  std::vector<OverheadRecord> overhead;
  CUpti_Activity* record = nullptr;
  CUptiResult status = CUPTI_SUCCESS;
  while (buffer.bytes > 0) {
    status = cuptiActivityGetNextRecord(buffer.data, buffer.bytes, &record);
    if (status != CUPTI_SUCCESS) break;
    if (const auto known = device_record_of(*record, names_)) records.push_back(*known);
    if (const auto known = overhead_record_of(*record)) overhead.push_back(*known);
  }
  if (status == CUPTI_ERROR_INVALID_KIND) {
    const std::lock_guard lock(mutex_);
    ++invalid_;
  }
  if (!records.empty()) listener_.recorded(records);
  if (!overhead.empty()) listener_.overhead(overhead);
}

}  // namespace quintet
