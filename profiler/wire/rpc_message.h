/// JSON-RPC 2.0 messages, encoded as CBOR: what lies in a frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "runtime/model/result.h"

namespace quintet {

using WireJson = nlohmann::json;

/// Codes of JSON-RPC 2.0, and of our own from -32000 down.
enum class RpcErrorCode : std::int32_t {
  invalid_request = -32600,
  unknown_method = -32601,
  invalid_params = -32602,
  failed = -32000,  ///< understood, and could not be done: see message and cure
  busy = -32001,    ///< not while a run goes on
};

struct RpcRequest {
  std::int64_t id = 0;
  std::string method;
  WireJson params = WireJson::object();
};

struct RpcError {
  std::int64_t code = 0;
  Error error;
};

/// `id` is that of the request; nothing where that could not be read.
struct RpcAnswer {
  std::optional<std::int64_t> id;
  WireJson result;  ///< where there is no error
  std::optional<RpcError> error;
};

struct RpcNotification {
  std::string method;
  WireJson params = WireJson::object();
};

RpcAnswer answer_to(std::int64_t id, WireJson result);
RpcAnswer refusal_of(std::optional<std::int64_t> id, RpcErrorCode code, Error error);

using RpcMessage = std::variant<RpcRequest, RpcAnswer, RpcNotification>;

/// The payload of a frame. Text that is no UTF-8 gets replacement characters.
std::vector<std::byte> encode(RpcMessage message);
/// Errors: bytes that check_cbor refuses, or that are no JSON-RPC 2.0. Batches of messages are none: there
/// is a frame for each.
Result<RpcMessage> decode(std::span<const std::byte> payload);

/// {message, cure, file, line}; the last three only where they say something.
WireJson error_json(const Error& error);
Result<Error> error_from_json(const WireJson& json);

}  // namespace quintet
