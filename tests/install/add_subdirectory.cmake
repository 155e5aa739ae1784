# cmake -DSOURCE=… -DWORK=… -DBUILD_TYPE=… -DCXX=… -DPARALLEL=… [-DWHOLE=ON -DLAUNCHER=…] -P add_subdirectory.cmake
# Another project adds treacle with add_subdirectory. Always: it configures, gets no tests, no program and no flags, and
# a file compiles. WHOLE: everything is built and the example runs.
file(REMOVE_RECURSE ${WORK})
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

run(${CMAKE_COMMAND} -S ${SOURCE}/tests/install/consumer -B ${WORK} -G Ninja -DTREACLE=${SOURCE} -DCMAKE_BUILD_TYPE=${BUILD_TYPE}
  -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} -DTREACLE_PARALLEL=${PARALLEL}
  -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
run(${CMAKE_COMMAND} --build ${WORK} --target help)
foreach(unwanted test_ bench_ treacle_render treacle_io treacle_claims)
  if(output MATCHES "\n${unwanted}")
    message(FATAL_ERROR "the consumer gets targets ${unwanted}…")
  endif()
endforeach()
if(NOT output MATCHES "\nlibtreacle: " OR NOT output MATCHES "\ntreacle_core: ")
  message(FATAL_ERROR "there is no library among\n${output}")
endif()

file(READ ${WORK}/compile_commands.json commands)
string(JSON count LENGTH "${commands}")
math(EXPR last "${count} - 1")
foreach(n RANGE ${last})
  string(JSON file GET "${commands}" ${n} file)
  string(JSON command GET "${commands}" ${n} command)
  if(file MATCHES "examples/pour" AND command MATCHES "-march|-ffp-contract|-Wall|/src ")
    message(FATAL_ERROR "flags of treacle come to those who link it:\n${command}")
  elseif(file MATCHES "src/core/json.cpp" AND NOT command MATCHES "-ffp-contract=off.*-fPIC|-fPIC.*-ffp-contract=off")
    message(FATAL_ERROR "treacle's own sources miss their flags:\n${command}")
  endif()
endforeach()

if(NOT WHOLE)
  run(${CMAKE_COMMAND} --build ${WORK} --target treacle/src/math/CMakeFiles/treacle_math.dir/rotation.cpp.o)
else()
  run(${CMAKE_COMMAND} --build ${WORK} --target pour)
  run(${WORK}/pour)
  if(NOT output MATCHES "thin   t 0.80 s")
    message(FATAL_ERROR "the example printed\n${output}")
  endif()
endif()
