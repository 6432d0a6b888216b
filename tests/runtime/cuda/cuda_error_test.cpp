#include "runtime/cuda/cuda_error.h"

#include <gtest/gtest.h>

#include "runtime/cuda/noted_failures.h"

namespace quintet {
namespace {

TEST(NotedFailures, AreCountedByKindAndPrintedOnceEach) {
  const int before = noted_failures();
  testing::internal::CaptureStderr();
  note_failure(cudaSuccess, "destroying nothing");
  note_failure(cudaErrorCudartUnloading, "destroying a stream at the end of the process");
  note_failure(cudaErrorInvalidValue, "destroying a test's stream");
  note_failure(cudaErrorInvalidValue, "destroying a test's stream");
  note_failure(cudaErrorInvalidValue, "destroying a test's event");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "quintet: destroying a test's stream: invalid argument\n"
            "quintet: destroying a test's event: invalid argument\n");
  EXPECT_EQ(noted_failures() - before, 3);
  const auto kinds = noted_failure_kinds();
  EXPECT_EQ(kinds.at("destroying a test's stream: invalid argument"), 2);
  EXPECT_EQ(kinds.at("destroying a test's event: invalid argument"), 1);
  EXPECT_FALSE(kinds.contains("destroying nothing: no error"));
}

TEST(CudaErrors, SayWhatWasBeingDoneAndWhere) {
  try {
    check(cudaErrorInvalidValue, "starting a test");
    FAIL() << "no exception";
  } catch (const CudaError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.substr(0, 57), "starting a test: invalid argument (cudaErrorInvalidValue)");
    EXPECT_NE(text.find("cuda_error_test.cpp:"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace quintet
