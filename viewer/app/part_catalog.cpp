#include "viewer/app/part_catalog.h"

#include <array>

#include "viewer/model/document_loader.h"

namespace quintet::viewer {

namespace {

template <class T>
std::unique_ptr<Part> make(const AppOptions& /*options*/) {
  return std::make_unique<T>();
}

}  // namespace

std::span<const MakePart> part_catalog() {
  static constexpr auto kParts = std::to_array<MakePart>({
      &make<DocumentLoader>,
  });
  return kParts;
}

}  // namespace quintet::viewer
