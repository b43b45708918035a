# Set-up: read by ./workbook when something has to be found, fetched or built. Defines set_up.
#
# Each step says in a line what it found or does. Downloads go to a temporary name and are moved into place whole,
# and the stamp is written last, so an interrupted set-up is simply continued by the next call.
# shellcheck shell=bash disable=SC2154

nvcc_packages=(nvidia-cuda-nvcc==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96
               nvidia-cuda-cccl==13.0.85 nvidia-nvvm==13.0.88 nvidia-nvtx==13.0.85 nvidia-cuda-cupti==13.0.85)
tool_packages=(cmake==3.31.6 ninja==1.11.1.4)
# One header of each library, and the Debian package that brings it.
libraries=(fmt/core.h:libfmt-dev nlohmann/json.hpp:nlohmann-json3-dev toml++/toml.h:libtomlplusplus-dev
           CLI/CLI.hpp:libcli11-dev gtest/gtest.h:libgtest-dev gmock/gmock.h:libgmock-dev zstd.h:libzstd-dev lz4.h:liblz4-dev)
# What only grading a class needs; `./workbook grade` and `./workbook test` bring it.
grade_libraries=(pugixml.hpp:libpugixml-dev seccomp.h:libseccomp-dev)

say() { printf '  %-13s %s\n' "$1" "$2" >&2; }
stop() {   # message, then what to do
  printf '\n%s\n' "$1" >&2
  shift
  local line
  for line in "$@"; do printf '  %s\n' "$line" >&2; done
  return 3
}

# Runs a command with its output in the log; after a second it says what goes on, and goes on saying it.
quietly() {
  local what=$1 began=$SECONDS shown=0 pid code
  shift
  printf '\n$ %s\n' "$*" >>"$log"
  "$@" >>"$log" 2>&1 </dev/null 9>&- &
  pid=$!
  trap 'kill -INT $pid 2>/dev/null; wait $pid 2>/dev/null; trap - INT TERM; kill -INT $$' INT TERM
  while kill -0 $pid 2>/dev/null; do
    sleep 0.1
    if [ $((SECONDS - began)) -ge 1 ] && { [ -t 2 ] || [ $((SECONDS - began)) -ge $((shown * 15 + 1)) ]; }; then
      shown=$((shown + 1))
      if [ -t 2 ]; then printf '\r  %-60s %4d s ' "$what$(progress_of_log)" $((SECONDS - began)) >&2
      else printf '  %s%s (%d s)\n' "$what" "$(progress_of_log)" $((SECONDS - began)) >&2; fi
    fi
  done
  wait $pid
  code=$?
  trap - INT TERM
  [ -t 2 ] && [ $shown -gt 0 ] && printf '\r%-75s\r' '' >&2
  return $code
}

# Ninja and make say how far they are; the last such word of the log is worth showing.
progress_of_log() {
  tail -c 400 "$log" 2>/dev/null | grep -oE '^\[ *[0-9]+(/[0-9]+|%)\]' | tail -n 1 | sed 's/^/ /'
}

show_log() {   # the lines of the log that matter, never the whole
  grep -nE 'error:|Error|FAILED|fatal|No space|cannot|CMake Error' "$log" | tail -n 12 | cut -c1-200 | sed 's/^/  /' >&2
  printf '  the whole log: %s\n' "$log" >&2
}

is_root() { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; }

apt_install() {   # as root
  quietly "installing $*" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" && return 0
  quietly "updating the package lists" apt-get update
  quietly "installing $*" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

version_at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

find_compiler() {
  local candidate version
  for candidate in ${CXX:-} g++ g++-14 g++-13 g++-12 g++-11; do
    command -v "$candidate" >/dev/null 2>&1 || continue
    version=$("$candidate" -dumpfullversion 2>/dev/null) || continue
    version_at_least "$version" 11 && { compiler=$candidate; say compiler "$candidate $version"; return 0; }
  done
  return 1
}

step_system() {   # what only the system's package manager can give
  local missing=()
  find_compiler || missing+=(g++)
  command -v python3 >/dev/null 2>&1 || missing+=(python3)
  [ ${#missing[@]} -eq 0 ] && return 0
  if is_root; then
    apt_install "${missing[@]}" && find_compiler && return 0
    stop "Installing ${missing[*]} failed." "The log says why: $log"
    return 3
  fi
  stop "This machine lacks ${missing[*]}, and only its package manager can bring that. Type:" \
       "sudo apt-get install ${missing[*]} python3-venv"
}

# A Python that can install packages, in .toolchain/venv.
need_python() {
  python=$toolchain/venv/bin/python
  "$python" -m pip --version >/dev/null 2>&1 && return 0
  rm -rf "$toolchain/venv"
  mkdir -p "$toolchain"
  quietly "making a Python environment in .toolchain/" python3 -m venv "$toolchain/venv" && return 0
  if is_root && apt_install python3-venv && quietly "making a Python environment" python3 -m venv "$toolchain/venv"; then
    return 0
  fi
  rm -rf "$toolchain/venv"
  stop "Python's venv module is missing, and only the package manager can bring it. Type:" \
       "sudo apt-get install python3-venv"
}

find_cmake() {
  local candidate version
  for candidate in cmake "$toolchain/venv/bin/cmake"; do
    version=$("$candidate" --version 2>/dev/null | sed -n '1s/[^0-9]*//p')
    [ -n "$version" ] && version_at_least "$version" 3.25 && { cmake=$candidate; return 0; }
  done
  return 1
}
find_builder() {
  local candidate
  for candidate in ninja "$toolchain/venv/bin/ninja"; do
    "$candidate" --version >/dev/null 2>&1 && { builder=(-G Ninja "-DCMAKE_MAKE_PROGRAM=$(command -v "$candidate")"); return 0; }
  done
  return 1
}

step_cmake() {
  if ! find_cmake && is_root; then apt_install cmake; fi
  if ! find_builder && is_root; then apt_install ninja-build; fi
  if ! find_cmake || ! find_builder; then
    need_python || return 3
    quietly "fetching CMake and Ninja into .toolchain/" "$python" -m pip install --quiet "${tool_packages[@]}" ||
      { show_log; stop "CMake could not be fetched from the Python index." "Is there a network? Else: sudo apt-get install cmake ninja-build"; return 3; }
    find_cmake && find_builder || { stop "The fetched CMake does not run." "See $log"; return 3; }
  fi
  say cmake "$("$cmake" --version | head -n 1 | sed 's/.* //') ($cmake)"
}

# One run of the preprocessor asks for all headers.
missing_libraries() {
  local entry wanted=("${libraries[@]}")
  [ "$want" = ready ] || wanted+=("${grade_libraries[@]}")
  missing=($(for entry in "${wanted[@]}"; do
    printf '#if !__has_include(<%s>)\nmissing %s\n#endif\n' "${entry%%:*}" "${entry##*:}"
  done | "$compiler" -std=c++20 -I"$deps/usr/include" -E -P -x c++ - 2>>"$log" | sed -n 's/^ *missing *//p' | tr -d ' '))
}

step_libraries() {
  local missing
  missing_libraries
  if [ ${#missing[@]} -gt 0 ] && is_root; then
    apt_install "${missing[@]}"
    missing_libraries
  fi
  if [ ${#missing[@]} -gt 0 ]; then
    unpack_packages "${missing[@]}"
    missing_libraries
  fi
  if [ ${#missing[@]} -gt 0 ]; then
    stop "These libraries could not be found or fetched: ${missing[*]}. Type:" "sudo apt-get install ${missing[*]}"
    return 3
  fi
  # The build has to look again once these have come.
  grade_here=$(printf '#if __has_include(<pugixml.hpp>) && __has_include(<seccomp.h>)\nyes\n#endif\n' |
    "$compiler" -std=c++20 -I"$deps/usr/include" -E -P -x c++ - 2>/dev/null | grep -c yes)
  if [ -d "$deps/usr" ]; then say libraries "fmt, json, toml++, CLI11, GoogleTest, zstd, lz4 (some in .deps/)"
  else say libraries "fmt, json, toml++, CLI11, GoogleTest, zstd, lz4"; fi
}

# Without root: the packages, and the shared libraries some of them need at run time, unpacked beside the sources.
unpack_packages() {
  command -v apt-get >/dev/null 2>&1 && command -v dpkg >/dev/null 2>&1 || return 1
  local all=("$@") name into=$deps.part.$$
  for name in "$@"; do
    # shellcheck disable=SC2207
    all+=($(apt-cache depends "$name" 2>/dev/null | sed -n 's/^ *Depends: \(lib[a-z]*[0-9]*[a-z0-9.+-]*\)$/\1/p' | grep -E '^lib(fmt|tomlplusplus|gtest|gmock|zstd|lz4|pugixml|seccomp)'))
    [ "$name" = libgtest-dev ] && all+=(googletest)
  done
  mkdir -p "$into/debs" "$deps" || return 1
  ( cd "$into/debs" && quietly "fetching ${#all[@]} packages into .deps/" apt-get download "${all[@]}" ) || { rm -rf "$into"; return 1; }
  for name in "$into"/debs/*.deb; do dpkg -x "$name" "$into/root" >>"$log" 2>&1 || { rm -rf "$into"; return 1; }; done
  cp -a "$into/root/." "$deps/" && rm -rf "$into"
}

# The sandbox of a grading. Without it `grade` takes the next best and says so.
step_sandbox() {
  [ "$want" = ready ] && return 0
  command -v bwrap >/dev/null 2>&1 && return 0
  if is_root && apt_install bubblewrap && command -v bwrap >/dev/null 2>&1; then return 0; fi
  say sandbox "bubblewrap is missing; to isolate what is graded: sudo apt-get install bubblewrap"
}

# An nvcc that runs and is of CUDA 13 or newer. A link left behind by a removed toolkit is no nvcc.
usable_nvcc() {
  local version
  version=$("$1" --version 2>/dev/null | sed -n 's/.*release [0-9.]*, V\([0-9.]*\).*/\1/p')
  [ -n "$version" ] || return 1
  if ! version_at_least "$version" 13; then say nvcc "$version at $1 is older than CUDA 13: not used"; return 1; fi
  [ -f "$(dirname -- "$(readlink -f -- "$1")")/../include/cuda_runtime_api.h" ] ||
    [ -f "$(dirname -- "$(readlink -f -- "$1")")/../targets/x86_64-linux/include/cuda_runtime_api.h" ] || return 1
  nvcc=$(readlink -f -- "$1")
  say nvcc "$version ($nvcc)"
}

find_nvcc() {
  local candidate
  for candidate in "${WORKBOOK_NVCC:-}" "$(command -v nvcc 2>/dev/null)" "${CUDA_HOME:+$CUDA_HOME/bin/nvcc}" \
      /usr/local/cuda/bin/nvcc $(ls -d /usr/local/cuda-*/bin/nvcc 2>/dev/null | sort -rV) "$toolchain/cuda/nvidia/cu13/bin/nvcc"; do
    [ -n "$candidate" ] && usable_nvcc "$candidate" && return 0
  done
  return 1
}

step_nvcc() {
  find_nvcc && return 0
  need_python || return 3
  local into=$toolchain/cuda.part.$$
  rm -rf "$toolchain"/cuda.part.* "$toolchain/cuda"
  quietly "fetching nvcc 13.0 (315 MB unpacked) into .toolchain/" \
      "$python" -m pip install --quiet --no-deps --target "$into" "${nvcc_packages[@]}" || {
    rm -rf "$into"; show_log
    stop "There is no nvcc here, and it could not be fetched from the Python index." \
         "Is there a network? Else install the CUDA Toolkit 13, or set CUDA_HOME to it."
    return 3
  }
  # The wheels hold what runs; nvcc and the linker also look for lib64 and for names without a version.
  local top=$into/nvidia/cu13 name
  ln -sfn lib "$top/lib64"
  for name in cudart:libcudart.so.13 cupti:libcupti.so.13 nvvm:libnvvm.so.4; do
    [ -e "$top/lib/${name##*:}" ] && ln -sfn "${name##*:}" "$top/lib/lib${name%%:*}.so"
  done
  mv "$into" "$toolchain/cuda" || return 3
  find_nvcc && return 0
  stop "The fetched nvcc does not run on this machine." "See $log"
}

configure() {
  local wanted="$compiler|$cmake|${builder[*]}|$nvcc|$deps|$grade_here"
  if [ -f "$build/CMakeCache.txt" ] && [ "$(cat "$build/.configured" 2>/dev/null)" = "$wanted" ]; then return 0; fi
  rm -rf "$build/CMakeCache.txt" "$build/CMakeFiles" "$build/build.ninja" "$build/Makefile"
  quietly "configuring" "$cmake" -S "$root" -B "$build" "${builder[@]}" \
      -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_COMPILER=$(command -v "$compiler")" "-DWORKBOOK_NVCC=$nvcc" \
      "-DCMAKE_PREFIX_PATH=$deps/usr" || {
    show_log; stop "CMake could not configure the build." "If you changed nothing, please report it, with the log."; return 3; }
  printf %s "$wanted" >"$build/.configured"
}

build_targets() {
  local targets=()
  [ "$want" = ready ] && targets=(--target workbook_ready)
  [ "$want" = grade ] && targets=(--target workbook_grade_ready)
  quietly "building" "$cmake" --build "$build" -j "$(nproc 2>/dev/null || echo 2)" "${targets[@]}"
}

# A set-up that was cut off can leave build files that the builder cannot read; it says so before it compiles
# anything. Those are made anew, once; what was compiled is kept.
build_files_are_broken() {
  ! grep -qE '^FAILED: |Error [0-9]+$' "$log" &&
    grep -qE 'ninja: error: |No rule to make target|missing separator|could not load cache' "$log"
}

step_build() {
  local cuda_home
  cuda_home=$(dirname -- "$(dirname -- "$nvcc")")
  local -x CUDA_HOME=$cuda_home PATH="$(dirname -- "$nvcc"):$PATH"
  configure || return 3
  build_targets && return 0
  if build_files_are_broken; then
    rm -f "$build/.configured"
    configure || return 3
    build_targets && return 0
  fi
  show_log
  if ! [ "$(df -Pk "$build" | awk 'NR==2 {print $4}')" -gt 20000 ]; then
    stop "The disk is full." "Free some space under $build; then call again."
  else
    stop "The build failed." "If you changed nothing under src/ or include/, please report it, with the log."
  fi
  return 3
}

set_up() {
  want=$1
  local began=$SECONDS start_mark
  toolchain=$root/.toolchain deps=$root/.deps log=$build/setup.log
  if ! mkdir -p "$build" 2>/dev/null || ! [ -w "$build" ]; then
    stop "This folder can't be written: $build" \
         "Copy the workbook to a folder of your own, or name one for the build:" \
         "WORKBOOK_BUILD_DIR=~/workbook-build $WORKBOOK_CALLED_AS"
    return 3
  fi
  [ -w "$root" ] || { toolchain=$build/.toolchain; deps=$build/.deps; }
  exec 9>"$build/.lock"
  if command -v flock >/dev/null 2>&1 && ! flock -n 9; then
    echo "  Another workbook is being built here; waiting for it." >&2
    flock 9
    up_to_date && { exec 9>&-; return 0; }
  fi
  [ -f "$build/.stamp-ready" ] || echo "Setting up. This happens once, in this folder; it may take some minutes." >&2
  : >"$log"
  start_mark=$build/.stamp-began
  : >"$start_mark"
  step_system && step_cmake && step_libraries && step_sandbox && step_nvcc && step_build || { local code=$?; exec 9>&-; return $code; }
  mv "$start_mark" "$stamp"
  say built "in $((SECONDS - began)) s"
  exec 9>&-
}
