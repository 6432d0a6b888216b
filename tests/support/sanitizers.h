/// Which sanitizer watches this build. What a test repeats with other data over the same code it may
/// repeat less there; what it asserts stays.
#pragma once

namespace quintet {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif

#if defined(__SANITIZE_THREAD__)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif

}  // namespace quintet
