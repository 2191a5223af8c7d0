#pragma once

#include <vector>

#include "math/types.h"
#include "picture/camera.h"
#include "picture/image.h"
#include "play/inspect.h"

namespace pliant {

/// Triangles or marks of one color in the picture of an inspection.
struct Layer {
  Vec3 color;
  std::vector<Eigen::Vector3f> points;
  std::vector<Triangle> triangles;
  double crease = 0;  // [degrees] 0: facets, where triangles are what this is about
};

/// A three-sided rod: enough to be seen from anywhere.
void add_rod(Layer& layer, const Vec3& from, const Vec3& to, double radius);

/// The faces of a CAD model, each in a color of its own, and the borders where one is missing.
std::vector<Layer> cad_layers(const Inspection& found);
Vec3 color_of_cad_face(int index);

/// Writes each face's number where most of it is seen. `view` is a picture of this camera.
void number_cad_faces(const Inspection& found, const Camera& camera, Image& view);

}  // namespace pliant
