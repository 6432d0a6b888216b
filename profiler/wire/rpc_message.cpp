#include "profiler/wire/rpc_message.h"

#include <utility>

#include "profiler/trace/utf8.h"
#include "profiler/wire/cbor_check.h"
#include "profiler/wire/field_reader.h"

namespace quintet {

namespace {

constexpr const char* kVersion = "2.0";

/// CBOR's text must be UTF-8. As deep as what we send, which is little.
void mend_text(WireJson& json) {
  if (json.is_string()) {
    auto& text = json.get_ref<std::string&>();
    text = valid_utf8(text);
  } else if (json.is_structured()) {
    for (WireJson& inner : json)
      mend_text(inner);
  }
}

WireJson envelope(RpcRequest&& request) {
  return {{"jsonrpc", kVersion},
          {"id", request.id},
          {"method", std::move(request.method)},
          {"params", std::move(request.params)}};
}

WireJson envelope(RpcNotification&& notification) {
  return {{"jsonrpc", kVersion},
          {"method", std::move(notification.method)},
          {"params", std::move(notification.params)}};
}

WireJson envelope(RpcAnswer&& answer) {
  WireJson json = {{"jsonrpc", kVersion}, {"id", or_null(answer.id)}};
  if (!answer.error) {
    json["result"] = std::move(answer.result);
  } else {
    const RpcError& error = *answer.error;
    json["error"] = {
        {"code", error.code}, {"message", error.error.message}, {"data", error_json(error.error)}};
  }
  return json;
}

Result<RpcError> rpc_error_of(const WireJson& json) {
  FieldReader reader(json, "error");
  RpcError error;
  error.code = reader.integer("code");
  error.error.message = reader.text("message");
  if (const WireJson* data = reader.find("data"); data != nullptr && data->is_object()) {
    if (Result<Error> told = error_from_json(*data)) error.error = std::move(*told);
  }
  return reader.result(std::move(error));
}

WireJson params_of(WireJson& json) {
  const auto found = json.find("params");
  return found == json.end() ? WireJson::object() : std::move(*found);
}

Result<RpcMessage> answer_of(WireJson& json, std::optional<std::int64_t> id) {
  const bool has_result = json.contains("result");
  if (has_result == json.contains("error")) {
    return fail("is no message: neither a method, nor a result or an error");
  }
  RpcAnswer answer;
  answer.id = id;
  if (has_result) {
    answer.result = std::move(json["result"]);
  } else {
    Result<RpcError> error = rpc_error_of(json["error"]);
    if (!error) return tl::unexpected(error.error());
    answer.error = std::move(*error);
  }
  return answer;
}

}  // namespace

RpcAnswer answer_to(std::int64_t id, WireJson result) {
  return {id, std::move(result), std::nullopt};
}

RpcAnswer refusal_of(std::optional<std::int64_t> id, RpcErrorCode code, Error error) {
  return {id, {}, RpcError{static_cast<std::int64_t>(code), std::move(error)}};
}

WireJson error_json(const Error& error) {
  WireJson json = {{"message", error.message}};
  if (!error.cure.empty()) json["cure"] = error.cure;
  if (!error.file.empty()) json["file"] = error.file;
  if (error.line != 0) json["line"] = error.line;
  return json;
}

Result<Error> error_from_json(const WireJson& json) {
  FieldReader reader(json, "error");
  Error error;
  error.message = reader.text("message");
  error.cure = reader.optional_text("cure");
  error.file = reader.optional_text("file");
  error.line = static_cast<int>(
      reader.optional_integer("line", 0, std::numeric_limits<int>::max()).value_or(0));
  return reader.result(std::move(error));
}

std::vector<std::byte> encode(RpcMessage message) {
  WireJson json =
      std::visit([](auto& alternative) { return envelope(std::move(alternative)); }, message);
  mend_text(json);
  std::vector<std::uint8_t> bytes;
  WireJson::to_cbor(json, bytes);
  std::vector<std::byte> payload(bytes.size());
  std::memcpy(payload.data(), bytes.data(), bytes.size());
  return payload;
}

Result<RpcMessage> decode(std::span<const std::byte> payload) {
  if (auto checked = check_cbor(payload); !checked) return tl::unexpected(checked.error());
  const auto* first = static_cast<const std::uint8_t*>(static_cast<const void*>(payload.data()));
  WireJson json = WireJson::from_cbor(first, first + payload.size(), true, false);
  if (json.is_discarded()) return fail("is no message: not CBOR");
  FieldReader reader(json, "message");
  if (reader.text("jsonrpc") != kVersion) reader.refuse("jsonrpc", "is not 2.0");
  const std::optional<std::int64_t> id = reader.optional_integer("id");
  const bool has_method = reader.find("method") != nullptr;
  std::string method = reader.optional_text("method");
  if (auto read = reader.result(true); !read) return tl::unexpected(read.error());
  if (!has_method) return answer_of(json, id);
  if (id) return RpcRequest{*id, std::move(method), params_of(json)};
  return RpcNotification{std::move(method), params_of(json)};
}

}  // namespace quintet
