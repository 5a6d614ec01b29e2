# The C tests. A file that is dropped into its folder becomes a test:
#   test/unit/test_*.c      one cmocka program each                    label unit
#   test/threads/test_*.c   likewise; also run under ThreadSanitizer   label threads
#   test/fuzz/fuzz_*.c      LLVMFuzzerTestOneInput; a short seeded run label fuzz
#   test/cpp/test_*.cpp     against FCL, Bullet (where found)          label cpp
#   test/long/test_*.c      not part of `make test`                    label long
#   test/build/test_*       scripts about the build itself             label build
# test/support/*.c is linked to all of them.

set(test_dir "${PROJECT_SOURCE_DIR}/test")
get_filename_component(test_data "${VOUCH_TEST_DATA}" ABSOLUTE)

pkg_check_modules(CMOCKA IMPORTED_TARGET cmocka)
if(NOT CMOCKA_FOUND)
  message(WARNING "vouch: LEFT OUT: all C tests, because cmocka was not found")
  return()
endif()

add_library(vouch_test_settings INTERFACE)
target_include_directories(vouch_test_settings INTERFACE "${test_dir}")
target_compile_definitions(vouch_test_settings INTERFACE
  _XOPEN_SOURCE=700
  VOUCH_TEST_DATA="${test_data}"
  VOUCH_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
  VOUCH_BINARY_DIR="${PROJECT_BINARY_DIR}")
target_link_libraries(vouch_test_settings INTERFACE
  ${VOUCH_LAYERS} vouch_verify Threads::Threads m PkgConfig::JANSSON PkgConfig::YAML)

# Arb, the reference for every rounding claim. Newer FLINT contains it.
find_path(ARB_INCLUDE_DIR NAMES arb.h PATH_SUFFIXES flint)
find_library(ARB_LIBRARY NAMES flint-arb arb flint)
find_library(FLINT_LIBRARY NAMES flint)
find_library(MPFR_LIBRARY NAMES mpfr)
find_library(GMP_LIBRARY NAMES gmp)
if(ARB_INCLUDE_DIR AND ARB_LIBRARY AND FLINT_LIBRARY)
  # System headers: their warnings are not ours.
  target_include_directories(vouch_test_settings SYSTEM INTERFACE "${ARB_INCLUDE_DIR}")
  target_link_libraries(vouch_test_settings INTERFACE ${ARB_LIBRARY} ${FLINT_LIBRARY})
  target_compile_definitions(vouch_test_settings INTERFACE VOUCH_HAVE_ARB)
else()
  message(WARNING "vouch: LEFT OUT: tests against Arb, which was not found")
endif()
if(MPFR_LIBRARY AND GMP_LIBRARY)
  target_link_libraries(vouch_test_settings INTERFACE ${MPFR_LIBRARY} ${GMP_LIBRARY})
  target_compile_definitions(vouch_test_settings INTERFACE VOUCH_HAVE_MPFR)
endif()

# How sanitizers behave under ctest. The C++ libraries of the peers are not
# instrumented, so their containers must not be watched.
set(test_environment
  "UBSAN_OPTIONS=print_stacktrace=1"
  "TSAN_OPTIONS=halt_on_error=1"
  "ASAN_OPTIONS=allocator_may_return_null=1:detect_stack_use_after_return=1:detect_container_overflow=0")

file(GLOB support_sources CONFIGURE_DEPENDS "${test_dir}/support/*.c")
if(support_sources)
  add_library(vouch_test_support STATIC ${support_sources})
  target_link_libraries(vouch_test_support PRIVATE vouch_flags PUBLIC vouch_test_settings)
else()
  add_library(vouch_test_support INTERFACE)
  target_link_libraries(vouch_test_support INTERFACE vouch_test_settings)
endif()

function(vouch_test_programs folder pattern label timeout)
  file(GLOB sources CONFIGURE_DEPENDS "${test_dir}/${folder}/${pattern}")
  foreach(source IN LISTS sources)
    get_filename_component(name "${source}" NAME_WE)
    set(target ${label}_${name})
    add_executable(${target} "${source}")
    target_link_libraries(${target} PRIVATE
      vouch_test_support PkgConfig::CMOCKA ${ARGN} vouch_flags)
    set_target_properties(${target} PROPERTIES
      RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/test" OUTPUT_NAME ${target})
    add_test(NAME ${label}.${name} COMMAND ${target})
    set_tests_properties(${label}.${name} PROPERTIES
      LABELS ${label} TIMEOUT ${timeout} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
      ENVIRONMENT "${test_environment}")
  endforeach()
endfunction()

vouch_test_programs(threads test_*.c threads 600)
if(VOUCH_SANITIZE MATCHES "thread")
  return()  # nothing else has threads
endif()
vouch_test_programs(unit test_*.c unit 600)
vouch_test_programs(long test_*.c long 7200)

# Fuzzing: libFuzzer with clang and AddressSanitizer, else a small driver that
# replays the corpus and seeded mutations of it.
file(GLOB fuzz_sources CONFIGURE_DEPENDS "${test_dir}/fuzz/fuzz_*.c")
foreach(source IN LISTS fuzz_sources)
  get_filename_component(name "${source}" NAME_WE)
  string(REPLACE "fuzz_" "" short "${name}")
  add_executable(${name} "${source}")
  target_link_libraries(${name} PRIVATE vouch_test_support vouch_flags)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/test")
  set(corpus "${test_dir}/fuzz/corpus/${short}")
  if(VOUCH_FUZZER)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    set(found "${PROJECT_BINARY_DIR}/fuzz-found/${short}")
    file(MAKE_DIRECTORY "${found}")
    set(command ${name} -seed=1 -max_total_time=${VOUCH_FUZZ_SECONDS} -timeout=20 -rss_limit_mb=4096
      -print_final_stats=1 -artifact_prefix=${PROJECT_BINARY_DIR}/fuzz-${short}- "${found}")
    if(IS_DIRECTORY "${corpus}")
      list(APPEND command "${corpus}")
    endif()
  else()
    target_sources(${name} PRIVATE "${test_dir}/fuzz/driver.c")
    set(command ${name} "${corpus}" ${VOUCH_FUZZ_SECONDS})
  endif()
  add_test(NAME fuzz.${short} COMMAND ${command})
  math(EXPR fuzz_timeout "${VOUCH_FUZZ_SECONDS} * 3 + 120")
  set_tests_properties(fuzz.${short} PROPERTIES LABELS fuzz TIMEOUT ${fuzz_timeout}
    ENVIRONMENT "${test_environment}")
endforeach()

# Other people's libraries, in C++, as a second opinion.
file(GLOB cpp_sources CONFIGURE_DEPENDS "${test_dir}/cpp/test_*.cpp")
if(cpp_sources)
  pkg_check_modules(FCL IMPORTED_TARGET fcl)
  pkg_check_modules(BULLET IMPORTED_TARGET bullet)
  set(peers)
  if(FCL_FOUND)
    list(APPEND peers PkgConfig::FCL)
  endif()
  if(BULLET_FOUND)
    list(APPEND peers PkgConfig::BULLET)
  endif()
  if(peers)
    enable_language(CXX)
    add_library(vouch_peers INTERFACE)
    target_link_libraries(vouch_peers INTERFACE ${peers})
    target_compile_features(vouch_peers INTERFACE cxx_std_17)
    target_compile_definitions(vouch_peers INTERFACE
      $<$<BOOL:${FCL_FOUND}>:VOUCH_HAVE_FCL> $<$<BOOL:${BULLET_FOUND}>:VOUCH_HAVE_BULLET>)
    vouch_test_programs(cpp test_*.cpp cpp 600 vouch_peers)
  else()
    message(WARNING "vouch: LEFT OUT: tests against FCL and Bullet, which were not found")
  endif()
endif()

# The build itself. Only in the main tree: sanitizers have nothing to add.
# test_determinism.* builds the core four times; tools/test runs it apart.
if(NOT VOUCH_SANITIZE)
  find_package(Python3 QUIET COMPONENTS Interpreter)
  file(GLOB scripts CONFIGURE_DEPENDS "${test_dir}/build/test_*.sh" "${test_dir}/build/test_*.py")
  list(FILTER scripts EXCLUDE REGEX "/test_determinism\\.")
  foreach(script IN LISTS scripts)
    get_filename_component(name "${script}" NAME_WE)
    if(script MATCHES "\\.py$")
      set(command ${Python3_EXECUTABLE} "${script}")
    else()
      set(command bash "${script}")
    endif()
    add_test(NAME build.${name} COMMAND ${command} "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
    set_tests_properties(build.${name} PROPERTIES LABELS build TIMEOUT 300 SKIP_RETURN_CODE 77
      ENVIRONMENT "CC=${CMAKE_C_COMPILER}")
  endforeach()
endif()
