#pragma once

#include <string>

#include "core/files.h"
#include "scene/build.h"
#include "scene/read.h"
#include "scene/test_folder.h"

// A scene small enough to be run many times: two coarse boxes that drop onto the default floor.

namespace pliant::test {

inline std::string two_boxes_text(const std::string& more = "") {
  return R"({"frames": 6, "substeps": 5, )" + more +
         R"("outputs": {"film": false, "picture": false, "glb": false, "ply": false,
                        "checkpoint_every": 2, "color_by": "speed"},
            "bodies": [{"box": {"size": [0.2, 0.2, 0.2]}, "edge": 0.2, "name": "one", "place": [0, 0.15, 0],
                        "method": {"tets": {"cells": 8}}, "material": "jelly", "velocity": [0, -3, 0],
                        "probes": [{"name": "corner", "point": [0.1, 0.25, 0.1], "fields": ["speed"]}]},
                       {"box": {"size": [0.3, 0.1, 0.1]}, "edge": 0.3, "name": "two", "place": [1, 0.2, 0],
                        "method": {"tets": {"cells": 8}}, "material": "jelly", "spin": [0, 90, 0]}]})";
}

inline BuiltScene built(const std::string& text) {
  SceneSource nowhere;  // no files are named
  nowhere.file = "scene.json";
  return build_scene(read_scene_text(text, nowhere), nowhere);
}

inline BuiltScene two_boxes(const std::string& more = "") { return built(two_boxes_text(more)); }

}  // namespace pliant::test
