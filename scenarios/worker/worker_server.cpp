#include "scenarios/worker/worker_server.h"

#include <array>
#include <cerrno>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <new>
#include <poll.h>
#include <pthread.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "runtime/policy/nearest_name.h"
#include "runtime/policy/stream_policy.h"
#include "scenarios/worker/catalog_answers.h"
#include "scenarios/worker/request_options.h"

namespace quintet {

namespace {

/// How long SIGTERM may go unseen, and the end of a link that is only written to.
constexpr int kPollMs = 100;

std::string machine_name() {
  utsname name{};
  return uname(&name) == 0 ? name.nodename : "unknown";
}

RpcAnswer busy_answer(std::int64_t id) {
  return refusal_of(id, RpcErrorCode::busy,
                    {"a run, a proof or a search goes on", "stop it, or wait for its end", {}, 0});
}

/// What came of a request, or why it could not be done.
template <class Answer>
RpcAnswer answer_of(std::int64_t id, const Result<Answer>& result) {
  if (result) return answer_to(id, result->to_json());
  return refusal_of(id, RpcErrorCode::failed, result.error());
}

/// Calls `work`, whose exceptions become errors.
template <class Work>
std::optional<Error> error_thrown_by(Work work) {
  try {
    work();
    return std::nullopt;
  } catch (const std::bad_alloc&) {
    return Error{"out of memory", "use a smaller batch, network or data set", {}, 0};
  } catch (const std::exception& error) {
    return Error{error.what(), "if this comes again, end the worker and start it anew", {}, 0};
  }
}

}  // namespace

WorkerServer::~WorkerServer() {
  end_job();
}

void WorkerServer::serve(InterruptWatch& watch) {
  greet();
  // The run that goes on watches for the same signals: the one or the other of us sees it.
  const auto signalled = [&] {
    return watch.interrupted() || (stream_ && stream_->ended_by_signal()) ||
           (tuning_ && tuning_->ended_by_signal());
  };
  while (!link_.broken() && !signalled()) {
    pollfd wait{input_, POLLIN, 0};
    poll(&wait, 1, kPollMs);
    if (wait.revents != 0 && !read_input()) break;
  }
  decoder_.end();
  end_job();
}

InputCounts WorkerServer::input() const {
  const FrameCounts& frames = decoder_.counts();
  return {frames, requests_, frames.frames - requests_};
}

void WorkerServer::greet() {
  const HelloMessage hello{kProtocolVersion, "quintet", QUINTET_VERSION, machine_name(), getpid()};
  link_.send(RpcNotification{std::string(HelloMessage::kMethod), hello.to_json()});
}

/// False once the client has gone.
bool WorkerServer::read_input() {
  std::array<std::byte, 65'536> block;  // NOLINT: filled by read
  const ssize_t got = read(input_, block.data(), block.size());
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  if (got == 0) return false;
  decoder_.take(std::span(block).first(static_cast<std::size_t>(got)),
                [this](std::span<const std::byte> payload) { take(payload); });
  return true;
}

void WorkerServer::take(std::span<const std::byte> payload) {
  const Result<RpcMessage> message = decode(payload);
  if (!message) {
    link_.send(refusal_of(std::nullopt, RpcErrorCode::invalid_request, message.error()));
  } else if (const auto* request = std::get_if<RpcRequest>(&*message)) {
    ++requests_;
    take(*request);  // clients tell nothing, and are asked nothing
  }
}

/// True where `request` is of that kind; then it has been answered, or will be by the job that it began.
template <class Request, class Serve>
bool WorkerServer::serve_as(const RpcRequest& request, Serve serve) {
  if (request.method != Request::kMethod) return false;
  const Result<Request> params = Request::from_json(request.params);
  if (!params) {
    link_.send(refusal_of(request.id, RpcErrorCode::invalid_params, params.error()));
    return true;
  }
  std::optional<RpcAnswer> answer;
  const auto error = error_thrown_by([&] { answer = serve(*params); });
  if (error) answer = refusal_of(request.id, RpcErrorCode::failed, *error);
  if (answer) link_.send(std::move(*answer));
  return true;
}

void WorkerServer::take(const RpcRequest& request) {
  const std::int64_t id = request.id;
  const bool known =
      serve_as<DevicesRequest>(
          request, [&](const auto&) { return answer_to(id, devices_answer().to_json()); }) ||
      serve_as<ScenariosRequest>(request,
                                 [&](const auto&) { return answer_of(id, scenarios_answer()); }) ||
      serve_as<PoliciesRequest>(request,
                                [&](const auto&) { return answer_of(id, policies_answer()); }) ||
      serve_as<SetPolicyRequest>(
          request, [&](const auto& params) { return answer_of(id, set_policy(params)); }) ||
      serve_as<RunRequest>(request, [&](const auto& params) { return run(id, params); }) ||
      serve_as<StopRequest>(request,
                            [&](const auto&) { return answer_to(id, stop().to_json()); }) ||
      serve_as<VerifyRequest>(request, [&](const auto& params) { return verify(id, params); }) ||
      serve_as<TuneRequest>(request, [&](const auto& params) { return tune(id, params); });
  if (known) return;
  const std::vector<std::string_view> methods = {
      DevicesRequest::kMethod,   ScenariosRequest::kMethod, PoliciesRequest::kMethod,
      SetPolicyRequest::kMethod, RunRequest::kMethod,       StopRequest::kMethod,
      VerifyRequest::kMethod,    TuneRequest::kMethod};
  link_.send(refusal_of(id, RpcErrorCode::unknown_method,
                        {fmt::format("unknown method '{}'", request.method),
                         suggestion(request.method, methods),
                         {},
                         0}));
}

Result<SetPolicyAnswer> WorkerServer::set_policy(const SetPolicyRequest& request) {
  if (request.toml.empty()) {
    policy_toml_.clear();
    return SetPolicyAnswer{};
  }
  const Result<StreamPolicy> policy = parse_policy(request.toml, "policy");
  if (!policy) return tl::unexpected(policy.error());
  policy_toml_ = request.toml;
  return SetPolicyAnswer{policy->name};
}

StopAnswer WorkerServer::stop() {
  if (!busy() || (!stream_ && !tuning_)) return {false};
  if (stream_) stream_->ask_stop();
  if (tuning_) tuning_->ask_stop();
  return {true};
}

/// On a thread of its own, which inherits that the two signals are blocked. What `job` returns tells the client of
/// the end: when it hears of it, the worker takes the next.
template <class Job>
void WorkerServer::begin_job(Job job) {
  if (job_.joinable()) job_.join();
  job_running_ = true;
  job_ = std::thread([this, job = std::move(job)] {
    pthread_setname_np(pthread_self(), "RUN");
    const std::function<void()> tell = job();
    job_running_ = false;
    tell();
  });
}

void WorkerServer::end_job() {
  if (stream_) stream_->ask_stop();
  if (tuning_) tuning_->ask_stop();
  if (job_.joinable()) job_.join();
}

/// Nothing: it has been answered, before the run could tell of itself.
std::optional<RpcAnswer> WorkerServer::run(std::int64_t id, const RunRequest& request) {
  if (busy()) return busy_answer(id);
  Result<RunOptions> options = options_of(request, policy_toml_);
  if (!options) return refusal_of(id, RpcErrorCode::invalid_params, options.error());
  tuning_.reset();
  stream_ = std::make_shared<RunStream>(link_, ++runs_);
  link_.send(answer_to(id, RunAnswer{runs_}.to_json()));
  begin_job([stream = stream_, options = std::move(*options)]() -> std::function<void()> {
    std::optional<Result<RunOutcome>> outcome;
    std::optional<Error> error =
        error_thrown_by([&] { outcome = run_scenario(options, stream.get()); });
    if (!error && !*outcome) error = outcome->error();
    if (error) return [stream, error] { stream->tell_error(*error); };
    return [stream, outcome] { stream->tell_end(**outcome); };
  });
  return std::nullopt;
}

/// Nothing: it will be answered once the proof is done.
std::optional<RpcAnswer> WorkerServer::verify(std::int64_t id, const VerifyRequest& request) {
  if (busy()) return busy_answer(id);
  Result<RunOptions> options = options_of(request.plan, policy_toml_);
  if (!options) return refusal_of(id, RpcErrorCode::invalid_params, options.error());
  stream_.reset();
  tuning_.reset();
  begin_job([this, id, options = std::move(*options)]() -> std::function<void()> {
    RpcAnswer answer;
    const auto error = error_thrown_by([&] { answer = answer_of(id, verify_answer(options)); });
    if (error) answer = refusal_of(id, RpcErrorCode::failed, *error);
    return [this, answer] { link_.send(answer); };
  });
  return std::nullopt;
}

/// Nothing: it will be answered once the search is done.
std::optional<RpcAnswer> WorkerServer::tune(std::int64_t id, const TuneRequest& request) {
  if (busy()) return busy_answer(id);
  Result<TuneRunOptions> options = options_of(request);
  if (!options) return refusal_of(id, RpcErrorCode::invalid_params, options.error());
  stream_.reset();
  tuning_ = std::make_shared<TuneStream>(link_);
  begin_job([this, id, tuning = tuning_, options = std::move(*options)]() -> std::function<void()> {
    RpcAnswer answer;
    const auto error = error_thrown_by([&] {
      const Result<TuneOutcome> outcome = run_tuning(options, tuning.get());
      answer = outcome ? answer_to(id, answer_of(*outcome).to_json())
                       : refusal_of(id, RpcErrorCode::failed, outcome.error());
    });
    if (error) answer = refusal_of(id, RpcErrorCode::failed, *error);
    return [this, answer] { link_.send(answer); };
  });
  return std::nullopt;
}

}  // namespace quintet
