/// Images made from a seed, for tests and throughput. Always named as generated, never a stand-in
/// for real data.
#pragma once

#include "runtime/data/data_source.h"
#include "runtime/data/image_dataset.h"
#include "runtime/model/result.h"

namespace quintet {

/// A coarse random pattern per class plus noise on every pixel: a network that works learns it, one
/// with a broken gradient does not. The same bytes for the same seed and sizes on every machine.
/// Errors: a size below 1, more than 256 classes.
Result<DatasetPair> open_generated_images(const DataSource& source);

}  // namespace quintet
