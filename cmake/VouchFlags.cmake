# Compiler flags for everything. The floating-point rules are part of every
# proof: no contraction, no fast-math of any kind, no machine-wide AVX (faster
# paths are chosen at run time inside the sources).

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Asserts stay in: none of them is slow, and none of them is the proof.
string(REPLACE "-DNDEBUG" "" CMAKE_C_FLAGS_RELWITHDEBINFO "${CMAKE_C_FLAGS_RELWITHDEBINFO}")
string(REPLACE "-DNDEBUG" "" CMAKE_C_FLAGS_RELEASE "${CMAKE_C_FLAGS_RELEASE}")

foreach(flags IN ITEMS "${CMAKE_C_FLAGS}" "${CMAKE_C_FLAGS_${CMAKE_BUILD_TYPE}}" "$ENV{CFLAGS}")
  if(flags MATCHES "-ffast-math|-Ofast|-funsafe-math|-fassociative-math|-freciprocal-math|-ffinite-math")
    message(FATAL_ERROR "vouch: fast-math flags are set (${flags}); every proof would be void. Remove them.")
  endif()
endforeach()

set(VOUCH_FP_FLAGS -ffp-contract=off -fno-fast-math)
set(VOUCH_WARNINGS
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wmissing-prototypes -Wstrict-prototypes -Wvla)
if(VOUCH_WERROR)
  list(APPEND VOUCH_WARNINGS -Werror)
endif()

# Linked privately by every target of ours that is written in C.
add_library(vouch_flags INTERFACE)
target_compile_options(vouch_flags INTERFACE
  $<$<COMPILE_LANGUAGE:C>:${VOUCH_FP_FLAGS}>
  $<$<COMPILE_LANGUAGE:C>:${VOUCH_WARNINGS}>
  -fvisibility=hidden)
foreach(fault IN LISTS VOUCH_FAULT)
  target_compile_definitions(vouch_flags INTERFACE VOUCH_FAULT_${fault})
  message(WARNING "vouch: built with the planted fault ${fault}; for mutation tests only.")
endforeach()

set(VOUCH_FUZZER OFF)
if(VOUCH_SANITIZE)
  set(sanitize -fsanitize=${VOUCH_SANITIZE} -fno-omit-frame-pointer)
  if(VOUCH_SANITIZE MATCHES "undefined")
    list(APPEND sanitize -fno-sanitize-recover=all)
  endif()
  target_compile_options(vouch_flags INTERFACE ${sanitize})
  target_link_options(vouch_flags INTERFACE ${sanitize})
  if(CMAKE_C_COMPILER_ID MATCHES "Clang" AND VOUCH_SANITIZE MATCHES "address")
    set(VOUCH_FUZZER ON)
  endif()
endif()
