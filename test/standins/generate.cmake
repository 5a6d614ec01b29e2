# Makes one package of messages from msg/ and action/ beside its CMakeLists.txt.
# The arguments are the packages that the messages mention.
function(standin_package)
  foreach(package IN ITEMS ament_cmake rosidl_default_generators ${ARGN})
    find_package(${package} REQUIRED)
  endforeach()
  file(GLOB interfaces CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}"
    "${CMAKE_CURRENT_SOURCE_DIR}/msg/*.msg" "${CMAKE_CURRENT_SOURCE_DIR}/action/*.action")
  rosidl_generate_interfaces(${PROJECT_NAME} ${interfaces} DEPENDENCIES ${ARGN})
  ament_export_dependencies(rosidl_default_runtime ${ARGN})
  ament_package()
endfunction()
