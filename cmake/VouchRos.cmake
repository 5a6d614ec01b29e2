# The ROS 2 face: messages, services and the node. src/node/ is the only folder that knows ROS.

enable_language(CXX)  # rosidl generates C++ type support beside the C one
if(NOT CMAKE_CXX_STANDARD)
  set(CMAKE_CXX_STANDARD 17)
endif()
foreach(package IN ITEMS
  builtin_interfaces std_msgs geometry_msgs sensor_msgs trajectory_msgs shape_msgs
  visualization_msgs diagnostic_msgs rcl_interfaces action_msgs unique_identifier_msgs)
  find_package(${package} REQUIRED)
endforeach()

file(GLOB interfaces CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
  "${PROJECT_SOURCE_DIR}/msg/*.msg" "${PROJECT_SOURCE_DIR}/srv/*.srv"
  "${PROJECT_SOURCE_DIR}/action/*.action")
set(VOUCH_TYPESUPPORT "")
if(interfaces)
  find_package(rosidl_default_generators REQUIRED)
  # Generated code is not ours to warn about.
  rosidl_generate_interfaces(${PROJECT_NAME} ${interfaces}
    DEPENDENCIES action_msgs builtin_interfaces std_msgs geometry_msgs sensor_msgs trajectory_msgs
    shape_msgs)
  rosidl_get_typesupport_target(VOUCH_TYPESUPPORT ${PROJECT_NAME} rosidl_typesupport_c)
  ament_export_dependencies(rosidl_default_runtime)
  # Our node and our tests are C and Python: the C++ type support only has to
  # exist. Not optimising it halves the time that the messages take to build.
  if(VOUCH_QUICK_MESSAGES)
    foreach(part IN ITEMS cpp introspection_cpp fastrtps_cpp)
      if(TARGET ${PROJECT_NAME}__rosidl_typesupport_${part})
        target_compile_options(${PROJECT_NAME}__rosidl_typesupport_${part} PRIVATE -O0 -g0)
      endif()
    endforeach()
  endif()
  # numpy's headers may be in .venv/, inside the source tree, which CMake will
  # not let us export. Whoever uses the Python messages brings their own numpy.
  if(TARGET ${PROJECT_NAME}__rosidl_generator_py)
    get_target_property(includes ${PROJECT_NAME}__rosidl_generator_py INTERFACE_INCLUDE_DIRECTORIES)
    list(FILTER includes EXCLUDE REGEX "^${PROJECT_SOURCE_DIR}/\\.venv/")
    set_target_properties(${PROJECT_NAME}__rosidl_generator_py PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${includes}")
  endif()
endif()

if(VOUCH_node_SOURCES AND interfaces)
  foreach(package IN ITEMS rcl rcl_action rcl_yaml_param_parser rcutils rosidl_runtime_c)
    find_package(${package} REQUIRED)
  endforeach()
  # What every node is made of, and the sources that look different with a soft dependency.
  set(soft_sources ${VOUCH_node_SOURCES})
  list(FILTER soft_sources INCLUDE REGEX "/(convert_moveit|convert_control|gate_types|sim_time|type_description)\\.c$")
  list(REMOVE_ITEM VOUCH_node_SOURCES ${soft_sources})
  add_library(vouch_node_common OBJECT ${VOUCH_node_SOURCES})
  target_compile_definitions(vouch_node_common PUBLIC _XOPEN_SOURCE=700)
  target_link_libraries(vouch_node_common PRIVATE vouch_flags PUBLIC
    ${VOUCH_LAYERS} vouch_verify ${VOUCH_TYPESUPPORT}
    rcl::rcl rcl_action::rcl_action rcl_yaml_param_parser::rcl_yaml_param_parser rcutils::rcutils
    rosidl_runtime_c::rosidl_runtime_c)
  function(vouch_link_messages target scope package)
    if(TARGET ${package}::${package}__rosidl_typesupport_c)
      target_link_libraries(${target} ${scope}
        ${package}::${package}__rosidl_generator_c ${package}::${package}__rosidl_typesupport_c)
    else()
      target_link_libraries(${target} ${scope} ${${package}_TARGETS})
    endif()
  endfunction()
  foreach(package IN ITEMS
    builtin_interfaces std_msgs geometry_msgs sensor_msgs trajectory_msgs shape_msgs
    visualization_msgs diagnostic_msgs rcl_interfaces action_msgs unique_identifier_msgs)
    vouch_link_messages(vouch_node_common PUBLIC ${package})
  endforeach()

  function(vouch_node_program target)
    add_executable(${target} ${soft_sources})
    target_link_libraries(${target} PRIVATE vouch_node_common)
    foreach(package IN LISTS ARGN)
      string(TOUPPER ${package} macro)
      target_compile_definitions(${target} PRIVATE VOUCH_HAVE_${macro})
      vouch_link_messages(${target} PRIVATE ${package})
    endforeach()
    vouch_program(${target})
  endfunction()

  # Soft dependencies.
  set(soft_found)
  set(soft_missing)
  foreach(package IN ITEMS
    rosgraph_msgs type_description_interfaces moveit_msgs control_msgs)
    find_package(${package} QUIET)
    if(${package}_FOUND)
      list(APPEND soft_found ${package})
    else()
      list(APPEND soft_missing ${package})
      message(STATUS "vouch: LEFT OUT: what needs ${package}, which was not found")
    endif()
  endforeach()
  vouch_node_program(vouch_node ${soft_found})

  # For tests alone: the same node with test/standins/ in the place of what is missing.
  if(VOUCH_STANDINS AND soft_missing)
    set(prefix_path "${CMAKE_PREFIX_PATH}")
    list(PREPEND CMAKE_PREFIX_PATH "${VOUCH_STANDINS}")
    foreach(package IN LISTS soft_missing)
      find_package(${package} REQUIRED)
    endforeach()
    set(CMAKE_PREFIX_PATH "${prefix_path}")
    # MoveIt's response adapter, with headers in the place of MoveIt's.
    if(BUILD_TESTING AND TARGET moveit_msgs::moveit_msgs__rosidl_generator_cpp)
      add_executable(test_moveit_adapter test/standins/test_moveit_adapter.cpp
        moveit/src/certifier.cpp moveit/src/certify_trajectory.cpp)
      target_include_directories(test_moveit_adapter PRIVATE
        test/standins/moveit_core/include moveit/src)
      target_compile_options(test_moveit_adapter PRIVATE -Wall -Wextra -Wpedantic)
      target_link_libraries(test_moveit_adapter PRIVATE vouch_library
        moveit_msgs::moveit_msgs__rosidl_generator_cpp
        visualization_msgs::visualization_msgs__rosidl_generator_cpp)
      add_test(NAME moveit.adapter COMMAND test_moveit_adapter)
      set_tests_properties(moveit.adapter PROPERTIES LABELS cpp TIMEOUT 120)
    endif()
    vouch_node_program(vouch_node_standins ${soft_found} ${soft_missing})
    foreach(package IN LISTS soft_missing ITEMS octomap_msgs)
      unset(${package}_DIR CACHE)   # the next configuration must not take it for the real one
    endforeach()
  endif()

  if(NOT VOUCH_EXECUTOR MATCHES "^(auto|rclc|rcl)$")
    message(FATAL_ERROR "vouch: VOUCH_EXECUTOR is '${VOUCH_EXECUTOR}'; it must be auto, rclc or rcl.")
  endif()
  if(VOUCH_EXECUTOR STREQUAL "rclc")
    find_package(rclc REQUIRED)
  elseif(VOUCH_EXECUTOR STREQUAL "auto")
    find_package(rclc QUIET)
  endif()
  set(executor rcl)
  if(rclc_FOUND)
    set(executor rclc)
    target_compile_definitions(vouch_node_common PUBLIC VOUCH_EXECUTOR_RCLC)
    target_link_libraries(vouch_node_common PUBLIC rclc::rclc)
  endif()
  message(STATUS "vouch: the node waits with ${executor}")

  # Clients in C.
  function(vouch_client target source)
    add_executable(${target} "${source}")
    target_compile_definitions(${target} PRIVATE _XOPEN_SOURCE=700)
    target_link_libraries(${target} PRIVATE ${VOUCH_TYPESUPPORT}
      trajectory_msgs::trajectory_msgs__rosidl_generator_c rcl::rcl rcutils::rcutils
      rosidl_runtime_c::rosidl_runtime_c)
    vouch_program(${target})
  endfunction()
  file(GLOB ros_examples CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/ros/*.c")
  foreach(source IN LISTS ros_examples)
    get_filename_component(name "${source}" NAME_WE)
    vouch_client(example_${name} "${source}")
    install(TARGETS example_${name} RUNTIME DESTINATION lib/${PROJECT_NAME})
  endforeach()
  # tools/bench builds and runs it.
  vouch_client(bench_round_trip bench/ros/round_trip.c)
  set_target_properties(bench_round_trip PROPERTIES EXCLUDE_FROM_ALL ON)
else()
  message(STATUS "vouch: LEFT OUT: the node, because it has no sources yet")
endif()
