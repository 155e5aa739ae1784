# Sourced by ./run and ./test: installs missing packages, configures and builds. Expects to be in the project's folder.

packages=(
  g++ cmake ninja-build       # compiler and build
  libtbb-dev                  # threads
  libhdf5-dev                 # checkpoints
  libopenvdb-dev libboost-dev zlib1g-dev   # volumes (whose headers need Boost), exports
  nlohmann-json3-dev          # scene files
  libcli11-dev                # command line
  libexpected-dev             # result type
  libbullet-dev               # rigid bodies
  libembree-dev libpng-dev    # pictures
  libgtest-dev                # tests
)

install_missing_packages() {
  local missing=() package
  for package in "${packages[@]}"; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  echo "Installing Debian packages: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "Please install these packages as root (sudo is not here): ${missing[*]}" >&2; return 1; }
    as_root=(sudo)
  fi
  export DEBIAN_FRONTEND=noninteractive
  "${as_root[@]}" apt-get update -qq || { echo "apt-get update failed: is the package registry reachable?" >&2; return 1; }
  "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
    { echo "Installing failed: ${missing[*]}" >&2; return 1; }
}

# One compile job takes up to 1 GB: no more jobs than cores, nor than gigabytes.
build_jobs() {
  local cores gigabytes
  cores=$(nproc)
  gigabytes=$(awk '/MemAvailable/ {print int($2 / 1048576)}' /proc/meminfo 2>/dev/null || echo "$cores")
  [ "$gigabytes" -lt 1 ] && gigabytes=1
  [ "$cores" -lt "$gigabytes" ] && echo "$cores" || echo "$gigabytes"
}

# build_preset PRESET [TARGET…]: configures and builds under build/PRESET; quiet unless something fails.
build_preset() {
  local preset=$1 log=build/setup.$1.log
  shift
  [ -e "build/$preset" ] || echo "Building $preset (some minutes the first time)"
  mkdir -p build
  cmake --preset "$preset" >"$log" 2>&1 || { cat "$log" >&2; echo "Configuring failed." >&2; return 1; }
  cmake --build "build/$preset" --target "${@:-all}" -j "$(build_jobs)" >"$log" 2>&1 ||
    { grep -E 'error|Error|FAILED' -A 5 "$log" >&2 || tail -50 "$log" >&2; echo "Building failed; see $log" >&2; return 1; }
}

# build [TARGET…]: the release build.
build() { build_preset release "$@"; }
