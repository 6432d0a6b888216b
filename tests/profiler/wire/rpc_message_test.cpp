#include "profiler/wire/rpc_message.h"

#include <gtest/gtest.h>
#include <string>

#include "profiler/wire/cbor_check.h"

namespace quintet {
namespace {

template <class Message>
Message sent_rpc(Message message) {
  const Result<RpcMessage> decoded = decode(encode(std::move(message)));
  if (!decoded) throw std::runtime_error(decoded.error().message);
  return std::get<Message>(*decoded);
}

Result<RpcMessage> decode_json(const WireJson& json) {
  const std::vector<std::uint8_t> bytes = WireJson::to_cbor(json);
  return decode(std::as_bytes(std::span(bytes)));
}

TEST(RpcMessage, RequestsComeBackWhole) {
  const RpcRequest request = sent_rpc(RpcRequest{7, "run", {{"scenario", "fashion-lenet"}}});
  EXPECT_EQ(request.id, 7);
  EXPECT_EQ(request.method, "run");
  EXPECT_EQ(request.params.at("scenario"), "fashion-lenet");
}

TEST(RpcMessage, NotificationsComeBackWhole) {
  const RpcNotification note = sent_rpc(RpcNotification{"log", {{"text", "x"}}});
  EXPECT_EQ(note.method, "log");
  EXPECT_EQ(note.params.at("text"), "x");
}

TEST(RpcMessage, AnswersComeBackWhole) {
  const RpcAnswer answer = sent_rpc(answer_to(3, {{"run", 1}}));
  EXPECT_EQ(answer.id, 3);
  EXPECT_EQ(answer.result.at("run"), 1);
}

TEST(RpcMessage, ErrorsComeBackWithCureFileAndLine) {
  const RpcAnswer answer =
      sent_rpc(refusal_of(std::nullopt, RpcErrorCode::failed, {"no", "do", "a.toml", 12}));
  EXPECT_FALSE(answer.id.has_value());
  ASSERT_TRUE(answer.error);
  EXPECT_EQ(answer.error->code, -32000);
  EXPECT_EQ(to_string(answer.error->error), "a.toml:12: no; do");
}

TEST(RpcMessage, TextThatIsNoUtf8IsMendedOnTheWay) {
  const RpcNotification note = sent_rpc(RpcNotification{"log", {{"text", "bad \xFF byte"}}});
  EXPECT_EQ(note.params.at("text"), "bad \xEF\xBF\xBD byte");
}

TEST(RpcMessage, RefusesWhatIsNoJsonRpc) {
  for (const WireJson& json : std::initializer_list<WireJson>{
           WireJson::object(),
           WireJson::array({1}),
           WireJson("text"),
           {{"jsonrpc", "1.0"}, {"method", "run"}},
           {{"method", "run"}},
           {{"jsonrpc", "2.0"}, {"method", 5}},
           {{"jsonrpc", "2.0"}, {"id", "x"}, {"method", "run"}},
           {{"jsonrpc", "2.0"}, {"id", 1}},
           {{"jsonrpc", "2.0"}, {"id", 1}, {"result", 1}, {"error", 2}},
           {{"jsonrpc", "2.0"}, {"id", 1}, {"error", {{"code", "x"}, {"message", "m"}}}},
           {{"jsonrpc", "2.0"}, {"id", 1e300}, {"method", "run"}}}) {
    EXPECT_FALSE(decode_json(json)) << json;
  }
}

TEST(RpcMessage, AMissingParamsIsAnEmptyObject) {
  const Result<RpcMessage> message =
      decode_json({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "devices"}});
  ASSERT_TRUE(message);
  EXPECT_EQ(std::get<RpcRequest>(*message).params, WireJson::object());
}

TEST(RpcMessage, EveryChangedByteIsRefusedOrReadAndNothingElse) {
  const std::vector<std::byte> payload =
      encode(RpcRequest{7, "run", {{"scenario", "x"}, {"delays", {"a=1", "b=2"}}, {"batch", 64}}});
  for (std::size_t at = 0; at < payload.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      std::vector<std::byte> changed = payload;
      changed[at] = static_cast<std::byte>(value);
      const Result<RpcMessage> message = decode(changed);  // must return
      if (!message) {
        EXPECT_FALSE(message.error().message.empty());
      }
    }
  }
}

}  // namespace
}  // namespace quintet
