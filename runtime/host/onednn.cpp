#include "runtime/host/onednn.h"

#include <cassert>
#include <dnnl.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

namespace quintet {

namespace {

using dnnl::memory;
using Tag = memory::format_tag;

memory::desc dense(const memory::dims& dims, Tag tag) {
  return {dims, memory::data_type::f32, tag};
}

dnnl::primitive_attr attributes_with_user_scratch() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

/// The descriptors of a convolution: oneDNN counts dimensions as NCHW and OIHW whatever the layout.
struct ConvDescs {
  explicit ConvDescs(const ConvProblem& p)
      : x(dense({p.batch, p.in_channels, p.in_h, p.in_w}, Tag::nhwc)),
        w(dense({p.out_channels, p.in_channels, p.window.kernel_h, p.window.kernel_w}, Tag::hwio)),
        b(dense({p.out_channels}, Tag::x)),
        y(dense({p.batch, p.out_channels, p.out_h, p.out_w}, Tag::nhwc)),
        strides{p.window.stride_h, p.window.stride_w},
        pads{p.window.pad_h, p.window.pad_w} {}

  memory::desc x, w, b, y;
  memory::dims strides, pads;
};

/// A descriptor with the argument number it goes by in a call.
struct Argument {
  int number;
  memory::desc desc;
};

[[noreturn]] void rethrow(const char* doing, const dnnl::error& error) {
  throw std::runtime_error(std::string("oneDNN: ") + doing + ": " + error.what());
}

}  // namespace

struct OneDnnCall::State {
  template <class PrimitiveDesc>
  State(dnnl::engine on, const PrimitiveDesc& plan, const std::vector<Argument>& inputs,
        const Argument& output)
      : engine(std::move(on)),
        stream(engine),
        primitive(plan),
        implementation(plan.impl_info_str()),
        scratch_bytes(plan.scratchpad_desc().get_size()) {
    for (const Argument& input : inputs)
      add(input);
    add(output);
    if (scratch_bytes > 0) add({DNNL_ARG_SCRATCHPAD, plan.scratchpad_desc()});
  }

  void add(const Argument& argument) {
    memories.emplace_back(argument.desc, engine, nullptr);  // no buffer until a run
    arguments.push_back({argument.number, memories.back().get()});
  }

  dnnl::engine engine;
  dnnl::stream stream;
  dnnl::primitive primitive;
  std::string implementation;
  std::uint64_t scratch_bytes;
  std::vector<memory> memories;  ///< inputs, output, scratch if any; the order of `arguments`
  std::vector<dnnl_exec_arg_t> arguments;
};

OneDnnCall::OneDnnCall(std::unique_ptr<State> state) : state_(std::move(state)) {}
OneDnnCall::OneDnnCall(OneDnnCall&&) noexcept = default;
OneDnnCall& OneDnnCall::operator=(OneDnnCall&&) noexcept = default;
OneDnnCall::~OneDnnCall() = default;

OneDnnCall OneDnnCall::conv_forward(const ConvProblem& problem) {
  try {
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    const ConvDescs d(problem);
    // A bias descriptor without dimensions is how oneDNN says that there is none.
    const dnnl::convolution_forward::desc desc(
        dnnl::prop_kind::forward_training, dnnl::algorithm::convolution_direct, d.x, d.w,
        problem.bias ? d.b : memory::desc(), d.y, d.strides, d.pads, d.pads);
    const dnnl::convolution_forward::primitive_desc plan(desc, attributes_with_user_scratch(),
                                                         engine);
    std::vector<Argument> inputs = {{DNNL_ARG_SRC, d.x}, {DNNL_ARG_WEIGHTS, d.w}};
    if (problem.bias) inputs.push_back({DNNL_ARG_BIAS, d.b});
    return OneDnnCall(std::make_unique<State>(engine, plan, inputs, Argument{DNNL_ARG_DST, d.y}));
  } catch (const dnnl::error& error) {
    rethrow("planning a convolution", error);
  }
}

OneDnnCall OneDnnCall::conv_input_gradient(const ConvProblem& problem) {
  try {
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    const ConvDescs d(problem);
    // Backward primitives want the forward one as a hint.
    const dnnl::convolution_forward::desc forward(dnnl::prop_kind::forward_training,
                                                  dnnl::algorithm::convolution_direct, d.x, d.w,
                                                  d.y, d.strides, d.pads, d.pads);
    const dnnl::convolution_forward::primitive_desc hint(forward, engine);
    const dnnl::convolution_backward_data::desc desc(dnnl::algorithm::convolution_direct, d.x, d.w,
                                                     d.y, d.strides, d.pads, d.pads);
    const dnnl::convolution_backward_data::primitive_desc plan(desc, attributes_with_user_scratch(),
                                                               engine, hint);
    return OneDnnCall(std::make_unique<State>(
        engine, plan, std::vector<Argument>{{DNNL_ARG_DIFF_DST, d.y}, {DNNL_ARG_WEIGHTS, d.w}},
        Argument{DNNL_ARG_DIFF_SRC, d.x}));
  } catch (const dnnl::error& error) {
    rethrow("planning a convolution's input gradient", error);
  }
}

OneDnnCall OneDnnCall::conv_weight_gradient(const ConvProblem& problem) {
  try {
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    const ConvDescs d(problem);
    const dnnl::convolution_forward::desc forward(dnnl::prop_kind::forward_training,
                                                  dnnl::algorithm::convolution_direct, d.x, d.w,
                                                  d.y, d.strides, d.pads, d.pads);
    const dnnl::convolution_forward::primitive_desc hint(forward, engine);
    const dnnl::convolution_backward_weights::desc desc(dnnl::algorithm::convolution_direct, d.x,
                                                        d.w, d.y, d.strides, d.pads, d.pads);
    const dnnl::convolution_backward_weights::primitive_desc plan(
        desc, attributes_with_user_scratch(), engine, hint);
    return OneDnnCall(std::make_unique<State>(
        engine, plan, std::vector<Argument>{{DNNL_ARG_SRC, d.x}, {DNNL_ARG_DIFF_DST, d.y}},
        Argument{DNNL_ARG_DIFF_WEIGHTS, d.w}));
  } catch (const dnnl::error& error) {
    rethrow("planning a convolution's weight gradient", error);
  }
}

OneDnnCall OneDnnCall::matmul(const MatmulProblem& problem) {
  try {
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    const memory::desc a =
        dense({problem.rows, problem.inner}, problem.transposed_a ? Tag::ba : Tag::ab);
    const memory::desc b =
        dense({problem.inner, problem.columns}, problem.transposed_b ? Tag::ba : Tag::ab);
    const memory::desc bias = dense({1, problem.columns}, Tag::ab);
    const memory::desc c = dense({problem.rows, problem.columns}, Tag::ab);
    dnnl::primitive_attr attributes = attributes_with_user_scratch();
    if (problem.accumulate) {
      dnnl::post_ops sum;
      sum.append_sum(1.0F);
      attributes.set_post_ops(sum);
    }
    std::vector<Argument> inputs = {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}};
    if (problem.bias) inputs.push_back({DNNL_ARG_BIAS, bias});
    const dnnl::matmul::desc desc =
        problem.bias ? dnnl::matmul::desc(a, b, bias, c) : dnnl::matmul::desc(a, b, c);
    const dnnl::matmul::primitive_desc plan(desc, attributes, engine);
    return OneDnnCall(std::make_unique<State>(engine, plan, inputs, Argument{DNNL_ARG_DST, c}));
  } catch (const dnnl::error& error) {
    rethrow("planning a matrix product", error);
  }
}

std::uint64_t OneDnnCall::scratch_bytes() const {
  return state_->scratch_bytes;
}

const std::string& OneDnnCall::implementation() const {
  return state_->implementation;
}

void OneDnnCall::run(std::span<const float* const> inputs, float* output, std::byte* scratch) {
  State& state = *state_;
  assert(inputs.size() + 1 + (state.scratch_bytes > 0 ? 1 : 0) == state.memories.size());
  try {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      // oneDNN's handles are not const, inputs of a primitive are.
      state.memories[i].set_data_handle(
          const_cast<float*>(inputs[i]));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
    }
    state.memories[inputs.size()].set_data_handle(output);
    if (state.scratch_bytes > 0) state.memories.back().set_data_handle(scratch);
    // The C call takes the argument list as it stands; the C++ one would build it anew each time.
    dnnl::error::wrap_c_api(
        dnnl_primitive_execute(state.primitive.get(), state.stream.get(),
                               static_cast<int>(state.arguments.size()), state.arguments.data()),
        "could not execute a primitive");
    state.stream.wait();
  } catch (const dnnl::error& error) {
    rethrow("running", error);
  }
}

std::string onednn_version() {
  const dnnl_version_t* version = dnnl::version();
  const auto isa = static_cast<unsigned>(dnnl::get_effective_cpu_isa());
  return std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
         std::to_string(version->patch) + " (isa " + std::to_string(isa) + ")";
}

}  // namespace quintet
