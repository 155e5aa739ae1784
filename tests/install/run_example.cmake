# cmake -DBUILD=… -DSOURCE=… -DWORK=… -DBUILD_TYPE=… -DCXX=… -P run_example.cmake
# Installs the library to a folder of its own, builds examples/pour against it, and runs it there. Nothing of the
# project's own build is on the way.
file(REMOVE_RECURSE ${WORK})
set(prefix ${WORK}/prefix)
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

run(${CMAKE_COMMAND} --install ${BUILD} --component library --prefix ${prefix})

# Headers are those of the front alone, and include none but each other and the standard library's.
file(GLOB_RECURSE headers RELATIVE ${prefix}/include ${prefix}/include/*)
list(SORT headers)
set(expected treacle/error.h treacle/export.h treacle/frame.h treacle/simulation.h treacle/version.h)
if(NOT headers STREQUAL expected)
  message(FATAL_ERROR "installed headers are ${headers}")
endif()

# A consumer with warnings as errors, to whom no flag of ours comes.
run(${CMAKE_COMMAND} -S ${SOURCE}/examples/pour -B ${WORK}/build -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_BUILD_TYPE=${BUILD_TYPE}
  -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror")
file(READ ${WORK}/build/compile_commands.json commands)
if(commands MATCHES "-march|-ffp-contract|-fno-math-errno|/src ")
  message(FATAL_ERROR "flags of treacle come to those who link it:\n${commands}")
endif()
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/pour)
message("${output}")

if(NOT output MATCHES "t 0.40 s  ([0-9]+) particles  height ([0-9.]+) mm\nthick  t 0.80 s  height ([0-9.]+) mm\nthin   t 0.80 s  height ([0-9.]+) mm\n")
  message(FATAL_ERROR "the example printed something else")
endif()
set(particles ${CMAKE_MATCH_1})
set(poured ${CMAKE_MATCH_2})
set(thick ${CMAKE_MATCH_3})
set(thin ${CMAKE_MATCH_4})
# Thick syrup hardly sinks, thin syrup halves its height.
if(particles LESS 200 OR thick GREATER poured OR NOT thick GREATER thin)
  message(FATAL_ERROR "${particles} particles, heights ${poured}, ${thick} and ${thin} mm")
endif()
