#!/bin/sh
# Makes the pictures of the README anew: the film on top from the demo's scene, and the scenes' own pictures.
#     tools/gallery.sh build/pliant
set -eu
cd "$(dirname "$0")/.."
pliant=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p docs/gallery
"$pliant" run scenes/drop/scene.json -o "$folder/drop" -q
# One palette of 128 colours and a fixed dithering pattern: a small file that does not shimmer.
ffmpeg -v error -y -t 2.6 -i "$folder/drop/film.mp4" -filter_complex \
  "fps=16,scale=560:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=128:stats_mode=diff[p];[b][p]paletteuse=dither=bayer:bayer_scale=4:diff_mode=rectangle" \
  -loop 0 docs/gallery/hero.gif
tools/scene_pictures.sh "$pliant" $(grep -o 'scenes/[a-z_]*/picture.png' README.md | cut -d / -f 2)
ls -l docs/gallery/hero.gif | awk '{ print "docs/gallery/hero.gif " int($5 / 1024) " kB" }'
