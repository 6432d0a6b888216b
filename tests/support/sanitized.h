/// Whether a sanitizer watches this build. What a test repeats with other data over the same code
/// it may repeat less there; what it asserts stays.
#pragma once

namespace quintet {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace quintet
