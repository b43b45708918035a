# `./workbook site`: read by ./workbook. Builds the book in a Python environment of its own (.toolchain/site), and shows
# it on localhost. No compiler and no GPU is asked for. Defines open_site.
# shellcheck shell=bash disable=SC2154

site_help() {
  cat <<END
$WORKBOOK_CALLED_AS site [--build] [--port N]

The lessons as a book: pictures to play with, search, an index of messages.
Builds it and shows it at http://localhost:8123/ until Ctrl-C; a change to a
lesson is built at once. --build only builds: the pages then lie in
.build/site/html, and index.html opens in any browser, without a server.

What builds it (MkDocs) is fetched once, into .toolchain/site. With Doxygen on
this machine the book has the API too.
END
}

# Everything that the locks name, exactly. A changed lock is installed anew; a set-up that was cut off is begun again.
# With "tests" also what the book's tests need; an environment that has more than is asked for will do.
site_environment() {
  local here=$toolchain/site build_lock tests_lock= have_build= have_tests=
  build_lock=$(cksum <"$root/site/requirements.txt")
  [ "${1:-}" = tests ] && tests_lock=$(cksum <"$root/site/requirements-tests.txt")
  { read -r have_build; read -r have_tests; } 2>/dev/null <"$here/.installed"
  python=$here/bin/python
  if [ "$have_build" = "$build_lock" ] && { [ -z "$tests_lock" ] || [ "$have_tests" = "$tests_lock" ]; } &&
      "$python" -c 'import mkdocs' 2>/dev/null; then
    return 0
  fi
  if ! command -v python3 >/dev/null 2>&1; then
    stop "The book needs Python 3.10 or newer. Type:" "sudo apt-get install python3 python3-venv"
    return 3
  fi
  rm -rf "$here"
  mkdir -p "$toolchain"
  if ! quietly "making a Python environment in .toolchain/site" python3 -m venv "$here"; then
    if ! is_root || ! apt_install python3-venv || ! quietly "making a Python environment" python3 -m venv "$here"; then
      rm -rf "$here"
      stop "Python's venv module is missing, and only the package manager can bring it. Type:" "sudo apt-get install python3-venv"
      return 3
    fi
  fi
  local arguments=(-r "$root/site/requirements.txt")
  [ -n "$tests_lock" ] && arguments+=(-r "$root/site/requirements-tests.txt")
  if ! quietly "fetching MkDocs into .toolchain/site" \
      "$python" -m pip install --quiet --disable-pip-version-check --require-hashes "${arguments[@]}"; then
    rm -rf "$here"
    tail -n 4 "$log" | cut -c1-160 | sed 's/^/  /' >&2
    stop "What builds the book could not be fetched from the Python index." \
         "Is there a network? Without one, read the lessons as they are: chapters/*/README.md"
    return 3
  fi
  printf '%s\n%s\n' "$build_lock" "$tests_lock" >"$here/.installed"
}

open_site() {
  toolchain=$root/.toolchain log=$build/site.log
  local word
  for word in "$@"; do
    case $word in -h | --help | help) site_help; return 0 ;; esac
  done
  if ! mkdir -p "$build" 2>/dev/null || ! [ -w "$build" ]; then
    stop "This folder can't be written: $build" "Name another for the build:" "WORKBOOK_BUILD_DIR=~/workbook-build $WORKBOOK_CALLED_AS site"
    return 3
  fi
  [ -w "$root" ] || toolchain=$build/.toolchain
  : >"$log"
  if [ "${1:-}" = --tools ]; then  # for CI and authors: the environment with what the tests need, and nothing else
    site_environment tests
    return $?
  fi
  site_environment || return $?
  export PYTHONDONTWRITEBYTECODE=1
  exec "$python" "$root/site/build.py" --serve "$@"
}
