// An NVTX tool for tests: loaded by NVTX itself, it writes each call as a line of tab-separated fields
// (what, thread, domain, category, payload, name) to the file that QUINTET_NVTX_LOG names.

#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <mutex>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <string>
#include <unistd.h>

namespace {

/// Handles that the tool gives out are texts of its own, which live as long as the process.
template <class Handle>
Handle handle_of(const char* text) {
  return reinterpret_cast<Handle>(new std::string(text));
}

template <class Handle>
const std::string& text_of(Handle handle) {
  return *reinterpret_cast<const std::string*>(handle);
}

void write(const char* what, const std::string& domain, std::uint32_t category,
           std::int64_t payload, const std::string& name) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  const char* path = std::getenv("QUINTET_NVTX_LOG");
  std::FILE* file = path == nullptr ? nullptr : std::fopen(path, "a");
  if (file == nullptr) return;
  std::fputs(fmt::format("{}\t{}\t{}\t{}\t{}\t{}\n", what, static_cast<int>(gettid()), domain,
                         category, payload, name)
                 .c_str(),
             file);
  static_cast<void>(std::fclose(file));
}

void write_event(const char* what, nvtxDomainHandle_t domain,
                 const nvtxEventAttributes_t* attributes) {
  const bool registered = attributes->messageType == NVTX_MESSAGE_TYPE_REGISTERED;
  const bool counted = attributes->payloadType == NVTX_PAYLOAD_TYPE_INT64;
  write(what, text_of(domain), attributes->category, counted ? attributes->payload.llValue : -99,
        registered ? text_of(attributes->message.registered) : "not registered");
}

nvtxDomainHandle_t domain_create(const char* name) {
  return handle_of<nvtxDomainHandle_t>(name);
}

void domain_destroy(nvtxDomainHandle_t domain) {
  write("destroy", text_of(domain), 0, 0, "");
}

nvtxStringHandle_t register_string(nvtxDomainHandle_t /*domain*/, const char* text) {
  return handle_of<nvtxStringHandle_t>(text);
}

void name_category(nvtxDomainHandle_t domain, std::uint32_t category, const char* name) {
  write("category", text_of(domain), category, 0, name);
}

int push(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  write_event("push", domain, attributes);
  return 0;
}

int pop(nvtxDomainHandle_t domain) {
  write("pop", text_of(domain), 0, 0, "");
  return 0;
}

/// The id of a range is its step, so that its end can be told from others.
nvtxRangeId_t start(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* attributes) {
  write_event("start", domain, attributes);
  return static_cast<nvtxRangeId_t>(attributes->payload.llValue);
}

void end(nvtxDomainHandle_t domain, nvtxRangeId_t range) {
  write("end", text_of(domain), 0, static_cast<std::int64_t>(range), "");
}

void name_thread(std::uint32_t thread, const char* name) {
  write("thread", "", 0, thread, name);
}

void name_stream(nvtx_cudaStream_t stream, const char* name) {
  write("stream", "", 0, static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(stream)), name);
}

template <class Function>
void replace(NvtxFunctionTable table, unsigned int size, unsigned int id, Function function) {
  if (id < size) *table[id] = reinterpret_cast<NvtxFunctionPointer>(function);
}

}  // namespace

/// NVTX calls it once, before its first own call returns.
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    NvtxGetExportTableFunc_t get_table) {
  const auto* callbacks =
      static_cast<const NvtxExportTableCallbacks*>(get_table(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable table = nullptr;
  unsigned int size = 0;
  if (callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size) == 0) return 0;
  replace(table, size, NVTX_CBID_CORE_NameOsThreadA, &name_thread);
  if (callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CUDART, &table, &size) == 0) return 0;
  replace(table, size, NVTX_CBID_CUDART_NameCudaStreamA, &name_stream);
  if (callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) == 0) return 0;
  replace(table, size, NVTX_CBID_CORE2_DomainCreateA, &domain_create);
  replace(table, size, NVTX_CBID_CORE2_DomainDestroy, &domain_destroy);
  replace(table, size, NVTX_CBID_CORE2_DomainRegisterStringA, &register_string);
  replace(table, size, NVTX_CBID_CORE2_DomainNameCategoryA, &name_category);
  replace(table, size, NVTX_CBID_CORE2_DomainRangePushEx, &push);
  replace(table, size, NVTX_CBID_CORE2_DomainRangePop, &pop);
  replace(table, size, NVTX_CBID_CORE2_DomainRangeStartEx, &start);
  replace(table, size, NVTX_CBID_CORE2_DomainRangeEnd, &end);
  return 1;
}
