#pragma once

#include <string>

#include "scene/build.h"
#include "scene/read.h"

namespace pliant::test {

/// A steel bar along x, 0.4 x 0.1 x 0.1 m, without gravity. `body`: more fields of it.
inline std::string bar_text(const std::string& method, const std::string& body,
                            const std::string& scene = "") {
  return R"({"static": true, "gravity": [0, 0, 0], )" + scene +
         R"("bodies": [{"box": {"size": [0.4, 0.1, 0.1]}, "edge": 0.0125, "name": "bar", "material": "steel",
            "method": )" +
         method + ", " + body + "}]}";
}

inline SceneSource nowhere() {
  SceneSource source;  // no files are named
  source.file = "scene.json";
  return source;
}

inline BuiltScene built(const std::string& text) {
  return build_scene(read_scene_text(text, nowhere()), nowhere());
}

}  // namespace pliant::test
