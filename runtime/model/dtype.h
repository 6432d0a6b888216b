/// Element types of tensors. BF16 and FP8 have sizes and names already; which ops take them is the
/// ops' affair.
#pragma once

#include <cstdint>
#include <string_view>

namespace quintet {

enum class DType : std::uint8_t { F64, F32, F16, BF16, F8E4M3, F8E5M2, I64, I32, U8 };

constexpr std::uint64_t bytes_of(DType dtype) {
  switch (dtype) {
    case DType::F64:
    case DType::I64:
      return 8;
    case DType::F32:
    case DType::I32:
      return 4;
    case DType::F16:
    case DType::BF16:
      return 2;
    case DType::F8E4M3:
    case DType::F8E5M2:
    case DType::U8:
      return 1;
  }
  return 0;
}

constexpr std::string_view name_of(DType dtype) {
  switch (dtype) {
    case DType::F64:
      return "f64";
    case DType::F32:
      return "f32";
    case DType::F16:
      return "f16";
    case DType::BF16:
      return "bf16";
    case DType::F8E4M3:
      return "f8e4m3";
    case DType::F8E5M2:
      return "f8e5m2";
    case DType::I64:
      return "i64";
    case DType::I32:
      return "i32";
    case DType::U8:
      return "u8";
  }
  return {};
}

}  // namespace quintet
