# Third parties. The reasons for each are in docs/dependencies.md.

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(EXPAT REQUIRED IMPORTED_TARGET expat)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(QHULL REQUIRED IMPORTED_TARGET qhull_r)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)

# Optional: COLLADA meshes.
pkg_check_modules(ASSIMP IMPORTED_TARGET assimp)
set(VOUCH_ASSIMP_TARGET "")
if(ASSIMP_FOUND)
  set(VOUCH_ASSIMP_TARGET PkgConfig::ASSIMP)
  target_compile_definitions(vouch_flags INTERFACE VOUCH_HAVE_ASSIMP)
else()
  message(STATUS "vouch: LEFT OUT: COLLADA (.dae) meshes, because assimp was not found")
endif()

# Optional: three.js, which the pages of `vouch check --report` are drawn with. It becomes part of the
# program; pages fetch nothing.
find_file(VOUCH_THREE three.min.js PATHS /usr/share/javascript/three
  PATH_SUFFIXES build NO_DEFAULT_PATH DOC "three.js, minified, as libjs-three has it")
find_file(VOUCH_THREE_CONTROLS OrbitControls.js PATHS /usr/share/javascript/three/examples/js/controls
  NO_DEFAULT_PATH DOC "OrbitControls.js of the same release")
if(NOT VOUCH_THREE OR NOT VOUCH_THREE_CONTROLS)
  message(STATUS "vouch: LEFT OUT: reports for a browser (--report), because three.js was not found")
endif()

if(NOT VOUCH_ROS MATCHES "^(ON|OFF|AUTO)$")
  message(FATAL_ERROR "vouch: VOUCH_ROS is '${VOUCH_ROS}'; it must be ON, OFF or AUTO.")
endif()
set(VOUCH_WITH_ROS OFF)
if(VOUCH_ROS STREQUAL "ON")
  find_package(ament_cmake REQUIRED)
elseif(VOUCH_ROS STREQUAL "AUTO")
  find_package(ament_cmake QUIET)
endif()
if(ament_cmake_FOUND)
  set(VOUCH_WITH_ROS ON)
else()
  message(STATUS "vouch: LEFT OUT: messages and node, because this is a build without ROS 2")
endif()
