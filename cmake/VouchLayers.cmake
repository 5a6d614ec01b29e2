# vouch_layer(<name> [DEPS layers...] [LIBS libraries...] [OPTIMIZE] [ALONE] [PROGRAM])
#
# Makes the static library vouch_<name> from src/<name>/*.c. DEPS are the layers
# that it may use. OPTIMIZE compiles it with -O3. An ALONE layer sees no header
# but its own and the C standard's. Of a PROGRAM only the list of sources
# VOUCH_<name>_SOURCES is made; its executable is made elsewhere.
function(vouch_layer name)
  cmake_parse_arguments(LAYER "OPTIMIZE;ALONE;PROGRAM" "" "DEPS;LIBS" ${ARGN})
  set(folder "${PROJECT_SOURCE_DIR}/src/${name}")
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/*.c")
  if(LAYER_PROGRAM)
    set(VOUCH_${name}_SOURCES ${sources} PARENT_SCOPE)
    return()
  endif()
  list(FILTER sources EXCLUDE REGEX "/main\\.c$")
  list(TRANSFORM LAYER_DEPS PREPEND vouch_)

  set(target vouch_${name})
  if(NOT sources)
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE ${LAYER_DEPS} ${LAYER_LIBS})
    target_include_directories(${target} INTERFACE
      "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
    return()
  endif()

  add_library(${target} STATIC ${sources})
  target_link_libraries(${target} PRIVATE vouch_flags PUBLIC ${LAYER_DEPS} ${LAYER_LIBS})
  if(LAYER_ALONE)
    target_include_directories(${target} INTERFACE "${PROJECT_SOURCE_DIR}/src")
  else()
    target_include_directories(${target} PUBLIC
      "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
    target_compile_definitions(${target} PRIVATE VOUCH_BUILDING _XOPEN_SOURCE=700)
  endif()
  if(LAYER_OPTIMIZE)
    target_compile_options(${target} PRIVATE
      $<$<CONFIG:RelWithDebInfo>:-O3> $<$<CONFIG:Release>:-O3>)
  endif()
  # Only what reads foreign bytes is instrumented for the fuzzer: it makes the
  # numerical layers twice as slow and teaches it nothing.
  if(VOUCH_FUZZER AND name MATCHES "^(base|model|read|verify)$")
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  elseif(VOUCH_FUZZER AND name STREQUAL methods)
    set_source_files_properties("${folder}/motion_file.c" "${folder}/rigid_motion.c"
      "${folder}/motion_quaternion.c" PROPERTIES COMPILE_OPTIONS -fsanitize=fuzzer-no-link)
  endif()
  set_property(GLOBAL APPEND PROPERTY VOUCH_LAYER_TARGETS ${target})
endfunction()
