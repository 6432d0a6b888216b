/// The commit of the source that a person works in.
#pragma once

#include <string>

namespace quintet {

/// What git says of the current folder: the hash, with "-dirty" behind it where files were changed;
/// empty where there is no repository or no git.
std::string source_commit();

}  // namespace quintet
