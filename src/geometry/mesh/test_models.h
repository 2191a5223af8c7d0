#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "geometry/mesh/test_broken.h"
#include "geometry/mesh/triangle_mesh.h"

// Models for tests: files, where they are to be had.

namespace pliant::test {

/// The folder of surface models.
inline std::filesystem::path model_folder() {
  const char* folder = std::getenv("PLIANT_MODELS");
  return std::filesystem::path(folder ? folder : "../shared/models") / "triangles";
}

/// "v x y z" and "f a/.. b/.. c/.." lines are all these models need.
inline TriangleMesh read_model(const std::filesystem::path& path) {
  TriangleMesh mesh;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind, word;
    words >> kind;
    if (kind == "v") {
      Vec3& p = mesh.points.emplace_back();
      words >> p.x() >> p.y() >> p.z();
    } else if (kind == "f") {
      std::vector<int> corner;
      while (words >> word) corner.push_back(std::stoi(word) - 1);
      for (std::size_t i = 2; i < corner.size(); ++i)
        mesh.triangles.push_back({corner[0], corner[i - 1], corner[i]});
    }
  }
  return mesh;
}

struct NamedModel {
  std::string name;
  TriangleMesh mesh;
};
/// All that are there. Tests say so when there are none.
inline std::vector<NamedModel> real_models() {
  std::vector<NamedModel> models;
  for (const char* name : {"bunny_10k.obj", "cow.obj", "spot.obj", "torus.obj"})
    if (std::filesystem::exists(model_folder() / name))
      models.push_back({name, read_model(model_folder() / name)});
  return models;
}

inline TriangleMesh placed(TriangleMesh mesh, const Mat3& rotation, const Vec3& offset) {
  for (Vec3& p : mesh.points) p = rotation * p + offset;
  return mesh;
}

}  // namespace pliant::test
