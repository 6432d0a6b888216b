#include "profiler/capture/cupti_session.h"
#include "profiler/capture/device_provenance.h"
#include "profiler/capture/quintet_recorder.h"
#include "profiler/capture/recorder_handle.h"

/// The one function of the C interface that needs CUPTI.
quintet_status quintet_recorder_open(std::uint32_t version, const char* path,
                                     const quintet_options* options, quintet_recorder** recorder) {
  using namespace quintet;
  const auto open = [](DeviceListener& listener) -> Result<std::unique_ptr<DeviceSource>> {
    CuptiSessionOptions session;
    session.watch_work = true;
    return CuptiSession::open(listener, session);
  };
  Provenance known;
  try {
    known = device_provenance();
  } catch (const std::exception&) {
    // A recording that does not name its GPU is still one.
    known.clear();
  }
  return open_recorder(version, path, options, open, known, recorder);
}
