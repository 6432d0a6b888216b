/// Four neighbouring floats of an array in registers: what one thread takes of each array that an
/// element-wise step works on.
#pragma once

#include <type_traits>

#include "runtime/ops/cuda_vector.cuh"

namespace quintet {

inline constexpr unsigned kFloatLanes = kVectorWidth<float>;

/// T is const float where a step only reads the array.
template <class T>
class FourFloats {
 public:
  __device__ explicit FourFloats(T* at) : lanes(load_floats<kFloatLanes>(at)), at_(at) {}
  __device__ void store() const {
    if constexpr (!std::is_const_v<T>) store_floats(at_, lanes);
  }

  Floats<kFloatLanes> lanes;

 private:
  T* at_;
};

/// Calls step(float&, ...) for each lane and stores what is not const.
template <class Step, class... T>
__device__ void step_four(const Step& step, FourFloats<T>... fours) {
#pragma unroll
  for (unsigned lane = 0; lane < kFloatLanes; ++lane)
    step(fours.lanes.values[lane]...);
  (fours.store(), ...);
}

}  // namespace quintet
