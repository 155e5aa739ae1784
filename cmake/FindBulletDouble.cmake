# Bullet in double precision as the target BulletDouble::BulletDouble. Bullet's own CMake package and its pkg-config file
# give the float build with soft bodies. The installed package of treacle uses this file too.
find_path(BulletDouble_INCLUDE_DIR btBulletDynamicsCommon.h PATH_SUFFIXES bullet)
find_library(BulletDouble_DYNAMICS BulletDynamics-float64)
find_library(BulletDouble_COLLISION BulletCollision-float64)
find_library(BulletDouble_MATH LinearMath-float64)
mark_as_advanced(BulletDouble_INCLUDE_DIR BulletDouble_DYNAMICS BulletDouble_COLLISION BulletDouble_MATH)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(BulletDouble
  REQUIRED_VARS BulletDouble_DYNAMICS BulletDouble_COLLISION BulletDouble_MATH BulletDouble_INCLUDE_DIR)

if(BulletDouble_FOUND AND NOT TARGET BulletDouble::BulletDouble)
  add_library(BulletDouble::BulletDouble INTERFACE IMPORTED)
  set_target_properties(BulletDouble::BulletDouble PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES ${BulletDouble_INCLUDE_DIR}
    INTERFACE_COMPILE_DEFINITIONS BT_USE_DOUBLE_PRECISION
    INTERFACE_LINK_LIBRARIES "${BulletDouble_DYNAMICS};${BulletDouble_COLLISION};${BulletDouble_MATH}")
endif()
