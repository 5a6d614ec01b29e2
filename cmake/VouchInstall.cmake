# Installs programs, library, headers, data, and the package files by which
# others find them: CMake (vouch::vouch) and pkg-config (vouch).

include(CMakePackageConfigHelpers)

install(DIRECTORY include/ DESTINATION ${VOUCH_INCLUDE_DESTINATION} FILES_MATCHING PATTERN "*.h")
foreach(program IN ITEMS vouch_cli vouch_verify_program)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endforeach()

# Manual pages and completion, written by the program from its own table of options.
if(TARGET vouch_cli AND NOT CMAKE_CROSSCOMPILING)
  set(manual "${PROJECT_BINARY_DIR}/manual")
  set(manual_files "")
  foreach(page IN ITEMS "" check batch verify inspect plan repair motion)
    if(page)
      set(file "${manual}/vouch-${page}.1")
    else()
      set(file "${manual}/vouch.1")
    endif()
    add_custom_command(OUTPUT "${file}" DEPENDS vouch_cli VERBATIM
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${manual}"
      COMMAND $<TARGET_FILE:vouch_cli> manual ${page} > "${file}")
    list(APPEND manual_files "${file}")
  endforeach()
  foreach(shell IN ITEMS bash zsh)
    add_custom_command(OUTPUT "${manual}/completion.${shell}" DEPENDS vouch_cli VERBATIM
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${manual}"
      COMMAND $<TARGET_FILE:vouch_cli> completion ${shell} > "${manual}/completion.${shell}")
  endforeach()
  add_custom_target(vouch_manual ALL
    DEPENDS ${manual_files} "${manual}/completion.bash" "${manual}/completion.zsh")
  install(FILES ${manual_files} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  install(FILES "${manual}/completion.bash" RENAME vouch
    DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${manual}/completion.zsh" RENAME _vouch
    DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
endif()
# The auditor shares nothing with the programs but the documents of the formats.
install(PROGRAMS audit/vouch-audit DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY audit/vouch_auditor DESTINATION share/${PROJECT_NAME}/audit
  FILES_MATCHING PATTERN "*.py")
foreach(folder IN ITEMS launch config)
  if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/${folder}")
    install(DIRECTORY ${folder} DESTINATION share/${PROJECT_NAME})
  endif()
endforeach()
if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/examples")
  install(DIRECTORY examples DESTINATION share/${PROJECT_NAME} USE_SOURCE_PERMISSIONS
    PATTERN "__pycache__" EXCLUDE PATTERN "*.pyc" EXCLUDE)
endif()

set(VOUCH_PC_INCLUDEDIR "\${prefix}/${VOUCH_INCLUDE_DESTINATION}")
if(VOUCH_WITH_ROS)
  set(library_destination lib)
else()
  set(library_destination ${CMAKE_INSTALL_LIBDIR})
endif()
file(RELATIVE_PATH VOUCH_PC_UP "/${library_destination}/pkgconfig" "/")
set(VOUCH_PC_LIBDIR "\${prefix}/${library_destination}")
configure_file(cmake/vouch.pc.in vouch.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/vouch.pc" DESTINATION ${library_destination}/pkgconfig)

if(TARGET vouch_library)
  install(TARGETS vouch_library EXPORT export_vouch
    LIBRARY DESTINATION ${library_destination})
endif()

if(VOUCH_WITH_ROS)
  if(TARGET vouch_node)
    install(TARGETS vouch_node RUNTIME DESTINATION lib/${PROJECT_NAME})
  endif()
  if(TARGET vouch_library)
    ament_export_targets(export_vouch HAS_LIBRARY_TARGET)
  endif()
  ament_package()
elseif(TARGET vouch_library)
  set(config_destination ${CMAKE_INSTALL_LIBDIR}/cmake/${PROJECT_NAME})
  install(EXPORT export_vouch NAMESPACE vouch:: FILE vouchTargets.cmake
    DESTINATION ${config_destination})
  configure_package_config_file(cmake/vouchConfig.cmake.in vouchConfig.cmake
    INSTALL_DESTINATION ${config_destination})
  write_basic_package_version_file(vouchConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/vouchConfig.cmake" "${PROJECT_BINARY_DIR}/vouchConfigVersion.cmake"
    DESTINATION ${config_destination})
endif()
