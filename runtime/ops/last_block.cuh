/// The block of a grid that arrives last: what it then does comes after all that the others did
/// before they arrived. Saves the launch that would do it.
#pragma once

namespace quintet {

/// True for the last of the grid's blocks to call it, each once, by one thread after a barrier of
/// its block. `arrived` is 0 before the grid, is left at 0, and no other grid uses it meanwhile.
__device__ inline bool arrives_last(unsigned* arrived) {
  const unsigned last = gridDim.x * gridDim.y - 1;
  __threadfence();  // what this block read and wrote comes before its arrival
  return atomicInc(arrived, last) == last;
}

}  // namespace quintet
