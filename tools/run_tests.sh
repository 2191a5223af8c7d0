#!/bin/sh
# Runs ctest in a build folder and ends with one line that counts single test cases: "N passed, M failed".
# More arguments go to ctest.
set -u
build=$1
shift
ctest --test-dir "$build" -j "$(nproc)" --output-on-failure "$@"
status=$?
python3 "$(dirname "$0")/count_tests.py" "$build/Testing/Temporary/LastTest.log"
exit $status
