#!/usr/bin/env python3
"""Adds up the test cases that the programs run by ctest report, from ctest's log."""
import re
import sys

log = open(sys.argv[1], errors="replace").read()
passed = failed = skipped = 0
for block in re.split(r"^\d+/\d+ Testing: ", log, flags=re.M):
    cases = re.search(r"test cases:\s*\d+ \|\s*(\d+) passed \|\s*(\d+) failed", block)  # doctest
    python = re.search(r"^Ran (\d+) tests? in ", block, flags=re.M)  # unittest
    if cases:
        passed += int(cases[1])
        failed += int(cases[2])
    elif python:
        bad = sum(map(int, re.findall(r"(?:failures|errors)=(\d+)", block)))
        missed = sum(map(int, re.findall(r"skipped=(\d+)", block)))
        passed += int(python[1]) - bad - missed
        failed += bad
        skipped += missed
    elif "Test Passed." in block:
        passed += 1
    elif "Test Failed." in block:
        failed += 1
print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
