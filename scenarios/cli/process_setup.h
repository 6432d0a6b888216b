/// What the process asks of the system before anything else.
#pragma once

namespace quintet {

/// Call first in main.
/// - SIGXFSZ is ignored: a write beyond the file-size limit then fails like one on a full disk, and
///   the run goes on without its recording instead of being killed with it.
/// - SIGPIPE is ignored: a reader that has seen enough (`| head`) ends the output, not the command,
///   whose exit status still tells what it found.
/// - Standard descriptors that are closed are opened on /dev/null the wrong way round, so that no
///   file the command opens gets their numbers, and using them is still an error.
void prepare_process();

}  // namespace quintet
