# SPDX-License-Identifier: MIT
# Planted defects in a copy of source files. Each is a text of a file and a wrong one in its place. The
# copy has `cumsum_planted == number ? wrong : right` wherever such a text stood, and so all of them,
# one at a time. A text that ends with ; is a statement. It has to stand in its file once; where code
# changed, the test names the texts that are lost.
#
# Before this file is included, planted_files is set to files of the folder PLANTED_FROM. After the
# defects cumsum_write_planted writes the copy to the folder PLANTED_TO, with planted_defects.inc: a
# row for each defect, its name, its file, and whether its text stands there.
foreach(file IN LISTS planted_files)
  file(READ ${PLANTED_FROM}/${file} text)
  set("text_${file}" "extern int cumsum_planted;\n${text}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PLANTED_FROM}/${file})
endforeach()
set(planted_count 0)
set(planted_rows "")

# cumsum_plant(name file right wrong...): one text, or several that are wrong at once
function(cumsum_plant name file)
  math(EXPR number "${planted_count} + 1")
  set(text "${text_${file}}")
  set(there true)
  math(EXPR last "${ARGC} - 1")
  foreach(i RANGE 2 ${last} 2)
    math(EXPR next "${i} + 1")
    set(right "${ARGV${i}}")
    set(wrong "${ARGV${next}}")
    string(REPLACE "${right}" "" without "${text}")
    string(LENGTH "${text}" length)
    string(LENGTH "${without}" length_without)
    string(LENGTH "${right}" length_right)
    math(EXPR length_once "${length} - ${length_right}")
    if(NOT length_without EQUAL length_once)
      set(there false)
      continue()
    endif()
    set(both "(cumsum_planted == ${number} ? (${wrong}) : (${right}))")
    if(right MATCHES ";$")
      set(both "{ if (cumsum_planted == ${number}) { ${wrong} } else { ${right} } }")
    endif()
    string(REPLACE "${right}" "${both}" text "${text}")
  endforeach()
  if(there)
    set("text_${file}" "${text}" PARENT_SCOPE)
  endif()
  set(planted_count ${number} PARENT_SCOPE)
  set(planted_rows "${planted_rows}    {\"${name}\", \"${file}\", ${there}},\n" PARENT_SCOPE)
endfunction()

macro(cumsum_write_planted)
  foreach(file IN LISTS planted_files)
    file(CONFIGURE OUTPUT ${PLANTED_TO}/${file} CONTENT "${text_${file}}" @ONLY)
  endforeach()
  file(CONFIGURE OUTPUT ${PLANTED_TO}/planted_defects.inc CONTENT "${planted_rows}" @ONLY)
endmacro()
