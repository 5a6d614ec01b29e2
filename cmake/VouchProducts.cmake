# What the layers are put together to: libvouch.so, vouch, vouch-verify, the examples.

# The layers from the top down, as the linker wants them.
set(VOUCH_LAYERS vouch_report vouch_stream vouch_plan vouch_check vouch_methods vouch_search vouch_kernel vouch_read
  vouch_model vouch_geometry vouch_base)

# The target is not called vouch because rosidl takes that name for the messages.
get_property(layer_targets GLOBAL PROPERTY VOUCH_LAYER_TARGETS)
set(library_objects)
foreach(target IN LISTS layer_targets)
  list(APPEND library_objects $<TARGET_OBJECTS:${target}>)
endforeach()
if(library_objects)
  add_library(vouch_library SHARED ${library_objects})
  target_link_libraries(vouch_library PRIVATE vouch_flags Threads::Threads m
    PkgConfig::EXPAT PkgConfig::YAML PkgConfig::JANSSON PkgConfig::QHULL ${VOUCH_ASSIMP_TARGET})
  set_target_properties(vouch_library PROPERTIES
    OUTPUT_NAME vouch EXPORT_NAME vouch LINKER_LANGUAGE C
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  if(VOUCH_WITH_ROS)
    set(VOUCH_INCLUDE_DESTINATION include/${PROJECT_NAME})
  else()
    set(VOUCH_INCLUDE_DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  endif()
  target_include_directories(vouch_library PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${VOUCH_INCLUDE_DESTINATION}>)
  add_library(vouch::vouch ALIAS vouch_library)
endif()

# Programs find the shared libraries beside them, wherever the tree is moved to.
function(vouch_program target)
  target_link_libraries(${target} PRIVATE vouch_flags)
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin"
    INSTALL_RPATH "$ORIGIN/../lib;$ORIGIN/.." INSTALL_RPATH_USE_LINK_PATH ON)
endfunction()

if(VOUCH_cli_SOURCES)
  add_executable(vouch_cli ${VOUCH_cli_SOURCES})
  target_link_libraries(vouch_cli PRIVATE ${VOUCH_LAYERS} vouch_verify)
  target_compile_definitions(vouch_cli PRIVATE _XOPEN_SOURCE=700)
  set_target_properties(vouch_cli PROPERTIES OUTPUT_NAME vouch)
  vouch_embed_three(vouch_cli)
  vouch_program(vouch_cli)
endif()

if(EXISTS "${PROJECT_SOURCE_DIR}/src/verify/main.c")
  add_executable(vouch_verify_program src/verify/main.c)
  target_link_libraries(vouch_verify_program PRIVATE vouch_verify)
  target_include_directories(vouch_verify_program PRIVATE src)
  set_target_properties(vouch_verify_program PROPERTIES OUTPUT_NAME vouch-verify)
  vouch_program(vouch_verify_program)
endif()

# Beside the others, as where it is installed.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/audit/vouch-audit"
  "${PROJECT_BINARY_DIR}/bin/vouch-audit" SYMBOLIC)

file(GLOB example_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.c")
if(TARGET vouch_library)
  foreach(source IN LISTS example_sources)
    get_filename_component(name "${source}" NAME_WE)
    add_executable(example_${name} "${source}")
    target_link_libraries(example_${name} PRIVATE vouch_library m)
    vouch_program(example_${name})
  endforeach()
endif()
