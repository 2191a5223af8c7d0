#!/bin/sh
# Makes scenes/*/picture.png anew: the frame of each scene's film at the time that its expected.json names.
#     tools/scene_pictures.sh build/pliant [scene...]
set -eu
cd "$(dirname "$0")/.."
pliant=$1
shift
[ $# -gt 0 ] || set -- $(ls scenes)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for scene in "$@"; do
  [ -f "scenes/$scene/scene.json" ] || continue
  echo "$scene"
  "$pliant" run "scenes/$scene/scene.json" -o "$folder/$scene" -q
  time=$(sed -n 's/.*"picture_time": *\([0-9.]*\).*/\1/p' "scenes/$scene/expected.json")
  shown="$folder/$scene/film.mp4"
  [ -f "$shown" ] || { shown="$folder/$scene/last.png"; time=0; }  # one frame needs no film
  ffmpeg -v error -y -ss "$time" -i "$shown" -frames:v 1 -vf scale=640:-1:flags=lanczos -pred mixed -compression_level 9 "scenes/$scene/picture.png"
done
