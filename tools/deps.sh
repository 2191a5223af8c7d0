#!/bin/sh
# Installs the Debian packages of the named groups of packages.txt (demo, test, develop, check, node). Does nothing when all are there.
set -eu
cd "$(dirname "$0")/.."

wanted=""
for group in "$@"; do
  wanted="$wanted $(sed 's/#.*//' packages.txt | awk -v group="$group" '$2 == group { print $1 }')"
done

if ! command -v dpkg-query >/dev/null; then
  echo "This is not a Debian system: pliant needs what these packages hold:"
  echo " $wanted" | tr '\n' ' '
  echo
  exit 0
fi

missing=""
for package in $wanted; do
  state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

echo "Installing:$missing"
if [ "$(id -u)" = 0 ]; then
  sudo=""
elif command -v sudo >/dev/null; then
  sudo="sudo"
else
  echo "These packages are missing, and only root may install them. Ask for:"
  echo "  apt-get install --no-install-recommends$missing"
  exit 1
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
  # shellcheck disable=SC2086  # the list is meant to be split
  DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y --no-install-recommends $missing >"$log" 2>&1
}
# An old package list is the usual reason for a first failure.
if ! install; then
  $sudo apt-get update >"$log" 2>&1 || true
  if ! install; then
    tail -n 20 "$log"
    echo "Could not install:$missing"
    exit 1
  fi
fi
