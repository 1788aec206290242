# SPDX-License-Identifier: MIT
# Planted defects of threads inside a line in the sequential order, in a copy of the chained scan and
# of the portable kernels (planted_defects.cmake). check_segments is the checker with this copy. What
# begins with `right-` is no defect, and nothing may come of it.
set(PLANTED_FROM ${PROJECT_SOURCE_DIR}/src/cpu)
set(PLANTED_TO ${CMAKE_CURRENT_BINARY_DIR}/planted_cpu)
file(GLOB planted_files RELATIVE ${PLANTED_FROM} ${PLANTED_FROM}/kernels/*.h)
set(planted_sources chained_scan.c plan.c kernels/kernels_portable.c)
list(APPEND planted_files ${planted_sources})
include(${PROJECT_SOURCE_DIR}/tests/common/planted_defects.cmake)

# cumsum_change(file right wrong): a change for all defects
function(cumsum_change file right wrong)
  string(REPLACE "${right}" "${wrong}" text "${text_${file}}")
  if("${text}" STREQUAL "${text_${file}}")
    message(FATAL_ERROR "segment_defects.cmake: ${file} lacks '${right}'")
  endif()
  set("text_${file}" "${text}" PARENT_SCOPE)
endfunction()

# Whether another thread is there in time decides which segments are guessed. With `guesses_always`
# all are, also with a single thread. The portable kernels scan binades, and all outputs fit into the
# caches.
cumsum_change(chained_scan.c "typedef struct segment {"
              "extern int cumsum_guesses_always;\ntypedef struct segment {")
foreach(text "!atomic_exchange(&scan->direct, true)" "carry_in_ready(scan, s) ||")
  cumsum_change(chained_scan.c "${text}" "!cumsum_guesses_always && ${text}")
endforeach()
cumsum_change(kernels/vocabulary_portable.h "SCANS_BINADES 0" "SCANS_BINADES 1")
cumsum_change(plan.c "problem->element_size > cumsum_last_cache_size()" "problem->element_size == 0")

set(SEQUENTIAL kernels/sequential_segments.h)

# Any guess gives the same outputs.
cumsum_plant(right-guess chained_scan.c
             [[memcpy(&tally, &scan->carry.sequential, sizeof tally);]]
             [[memcpy(&tally, &scan->carry.sequential, sizeof tally); tally ^= 0x00800000;]])

# Whether a guess holds.
cumsum_plant(guess-binade ${SEQUENTIAL} [[part->from != (bits & 0xFF800000u)]] false)
cumsum_plant(guess-below ${SEQUENTIAL} [[above + part->least <= 0]] false)
cumsum_plant(guess-above ${SEQUENTIAL}
             [[above + part->greatest > (int32_t)binade_span(kind, bits)]] false)

# Parts composed.
cumsum_plant(sum-parity ${SEQUENTIAL} [[(bits & 1 ? part->odd : 0)]] 0)
cumsum_plant(sum-of-even ${SEQUENTIAL} [[(part->from & 1 ? part->odd : 0)]] 0)
cumsum_plant(sum-tie-place ${SEQUENTIAL} [[part->tie + line.exclusive]] [[part->tie]])
cumsum_plant(sum-carry-kept ${SEQUENTIAL} [[carry->sequential = sums->sequential.tally = state.tally;]]
             [[sums->sequential.tally = state.tally;]])
cumsum_plant(sum-end-of-line ${SEQUENTIAL} [[state.tally = sums->sequential.tally;]] "")

# Parts scanned again.
cumsum_plant(redo-corrected ${SEQUENTIAL} [[part->from = 0;]] "")
cumsum_plant(redo-forgotten ${SEQUENTIAL}
             [[sequential_elements(kind, part_of(kind, w, i, CUMSUM_PART, &copy), &state);]] "")
cumsum_plant(redo-from-guess ${SEQUENTIAL}
             [[sequential_elements(kind, part_of(kind, w, i, CUMSUM_PART, &copy), &state);]]
             [[sequential_state guessed = state; guessed.tally = sums->sequential.tally;
               sequential_elements(kind, part_of(kind, w, i, CUMSUM_PART, &copy), &guessed);
               state.tally = guessed.tally;]])

# Segments that a thread writes directly, and what it hands over.
cumsum_plant(direct-piece-lost chained_scan.c [[k < s->count]] [[k + most < s->count]])
cumsum_plant(direct-piece-place chained_scan.c [[s->first + k]] [[s->first]])
cumsum_plant(direct-carry-stale chained_scan.c
             [[write_piece(scan, s, k, s->count - k < most ? s->count - k : most);]]
             [[const cumsum_carry before = scan->carry;
               write_piece(scan, s, k, s->count - k < most ? s->count - k : most);
               if (s->count - k <= most)
                   scan->carry = before;]])
cumsum_plant(direct-line-start chained_scan.c [[memset(&scan->carry, 0, sizeof scan->carry);]] "")
cumsum_write_planted()

# Kernels that are compiled quickly, and an object in the place of each that has a copy.
list(TRANSFORM planted_sources PREPEND ${PLANTED_TO}/)
add_executable(
  check_segments
  planted_segments.c ${planted_sources} $<TARGET_OBJECTS:kernel_checker>
  $<TARGET_OBJECTS:cumsum_oracle> $<TARGET_OBJECTS:cumsum_tensor>
  "$<FILTER:$<TARGET_OBJECTS:cumsum_cpu>,EXCLUDE,/(chained_scan|plan|kernels_portable)\\.c>")
set_source_files_properties(${planted_sources} PROPERTIES COMPILE_OPTIONS "-w;-O1")
target_compile_definitions(check_segments PRIVATE CUMSUM_SMALL_KERNELS)
target_include_directories(
  check_segments PRIVATE ${PLANTED_TO} ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src/cpu
                         ${PROJECT_SOURCE_DIR}/src/tensor)
target_link_libraries(check_segments PRIVATE mutants cumsum_flags pthreadpool::pthreadpool m
                                             Threads::Threads)
string(REGEX MATCHALL "{\"[a-z-]+" names "${planted_rows}")
string(REPLACE "{\"" "" names "${names}")
foreach(name IN LISTS names)
  set(test kernels.segment-defect.${name})
  if(name MATCHES "^right-") # the kernels without a copy, too
    add_test(NAME ${test} COMMAND check_segments --group segments --share 3)
  else()
    add_test(NAME ${test} COMMAND check_segments --group segments --kernel portable)
    set_tests_properties(${test} PROPERTIES PASS_REGULAR_EXPRESSION "FAIL  segments, kernel portable")
  endif()
  set_tests_properties(${test} PROPERTIES ENVIRONMENT CUMSUM_PLANTED=${name})
endforeach()
