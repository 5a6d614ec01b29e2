# Copyright 2026 The vouch authors
# SPDX-License-Identifier: Apache-2.0
#
# vouch_embed(<file.c> SYMBOL FILE [SYMBOL FILE ...])
#
# Makes a source file with a constant of type vouch_asset_t for each file. A file
# that is not there (or an empty name) becomes an asset of size 0.
# The same file is the script that the build runs: cmake -DOUTPUT=... -DPAIRS=... -P VouchEmbed.cmake

if(CMAKE_SCRIPT_MODE_FILE)
  set(text "// Made by cmake/VouchEmbed.cmake.\n#include \"report/page.h\"\n")
  while(PAIRS)
    list(POP_FRONT PAIRS symbol file)
    string(APPEND text "extern const vouch_asset_t ${symbol};\n")
    if(file STREQUAL "-")
      string(APPEND text "const vouch_asset_t ${symbol} = {0, 0};\n")
      continue()
    endif()
    file(READ "${file}" bytes HEX)
    string(LENGTH "${bytes}" size)
    math(EXPR size "${size} / 2")
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND text
      "static const unsigned char ${symbol}_bytes[] = {\n${bytes}0};\n"
      "const vouch_asset_t ${symbol} = {${symbol}_bytes, ${size}};\n")
  endwhile()
  file(WRITE "${OUTPUT}" "${text}")
  return()
endif()

# The pages' own templates, styles and scripts become part of a layer.
function(vouch_embed_pages target)
  set(pages "${PROJECT_SOURCE_DIR}/src/report/page")
  vouch_embed("${PROJECT_BINARY_DIR}/pages.c"
    vouch_asset_page_html "${pages}/page.html" vouch_asset_index_html "${pages}/index.html"
    vouch_asset_style_css "${pages}/style.css" vouch_asset_scene_js "${pages}/scene.js"
    vouch_asset_chart_js "${pages}/chart.js" vouch_asset_panels_js "${pages}/panels.js"
    vouch_asset_index_js "${pages}/index.js")
  target_sources(${target} PRIVATE "${PROJECT_BINARY_DIR}/pages.c")
endfunction()

# three.js becomes part of a program, where it was found.
function(vouch_embed_three target)
  set(three "-")
  set(controls "-")
  if(VOUCH_THREE AND VOUCH_THREE_CONTROLS)
    set(three "${VOUCH_THREE}")
    set(controls "${VOUCH_THREE_CONTROLS}")
  endif()
  vouch_embed("${PROJECT_BINARY_DIR}/three.c"
    vouch_asset_three_js "${three}" vouch_asset_orbit_controls_js "${controls}")
  target_sources(${target} PRIVATE "${PROJECT_BINARY_DIR}/three.c")
endfunction()

set(VOUCH_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")
function(vouch_embed output)
  set(files ${ARGN})
  set(depends "${VOUCH_EMBED_SCRIPT}")
  foreach(file IN LISTS files)
    if(IS_ABSOLUTE "${file}")
      list(APPEND depends "${file}")
    endif()
  endforeach()
  string(REPLACE ";" "$<SEMICOLON>" pairs "${files}")
  add_custom_command(OUTPUT "${output}" DEPENDS ${depends} VERBATIM
    COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DPAIRS=${pairs}" -P "${VOUCH_EMBED_SCRIPT}")
endfunction()
