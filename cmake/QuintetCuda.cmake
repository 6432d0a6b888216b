# The CUDA language and its libraries, for QUINTET_ENABLE_CUDA=ON. What is missing is an error.
foreach(part QUINTET_NVCC QUINTET_CUDNN_INCLUDE QUINTET_CUDNN_LIBRARY QUINTET_NCCL_LIBRARY)
  if(NOT ${part})
    message(FATAL_ERROR "QUINTET_ENABLE_CUDA is on and ${part} was not found: "
      "install the CUDA toolkit with cuDNN 9 and NCCL, or configure with -DQUINTET_ENABLE_CUDA=OFF")
  endif()
endforeach()

if(NOT CMAKE_CUDA_COMPILER)
  set(CMAKE_CUDA_COMPILER "${QUINTET_NVCC}")
endif()
# One architecture keeps the build short; others by -DCMAKE_CUDA_ARCHITECTURES.
if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 90)
endif()
enable_language(CUDA)
# CMake 3.25 does not know yet that nvcc takes C++20.
if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
endif()
set(CMAKE_CUDA_STANDARD 20)
set(CMAKE_CUDA_STANDARD_REQUIRED ON)
set(CMAKE_CUDA_EXTENSIONS OFF)
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
find_package(CUDAToolkit REQUIRED)
