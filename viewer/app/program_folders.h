/// Where the program finds what was installed or built with it.
#pragma once

#include <string>

namespace quintet::viewer {

/// The folder of this program's file.
std::string program_folder();

/// The folder of the recordings that come with it: that of the environment variable
/// QUINTET_RECORDED, or the one that was built or installed with it. It need not exist.
std::string recorded_folder();

/// The command `quintet` beside this program; empty where there is none.
std::string quintet_program();

}  // namespace quintet::viewer
