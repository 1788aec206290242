# SPDX-License-Identifier: MIT
# Planted defects in a copy of source files. A defect is a text of a file and a wrong text that
# replaces it. The copy contains all defects: it has `cumsum_planted == number ? wrong : right` in
# the place of each text, and cumsum_planted chooses one of them at run time. A text that ends with
# ; is a statement. Each text must occur exactly once in its file. If the code has changed so that
# one does not, the test reports it.
#
# Set planted_files to files of the folder PLANTED_FROM before you include this file. After all
# calls of cumsum_plant, cumsum_write_planted writes the copy to the folder PLANTED_TO, and beside
# it planted_defects.inc: for each defect a row with its name, its file, and whether its text was
# found.
foreach(file IN LISTS planted_files)
  file(READ ${PLANTED_FROM}/${file} text)
  set("text_${file}" "extern int cumsum_planted;\n${text}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PLANTED_FROM}/${file})
endforeach()
set(planted_count 0)
set(planted_rows "")

# cumsum_plant(name file right wrong...): a defect of one text, or of several together
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
