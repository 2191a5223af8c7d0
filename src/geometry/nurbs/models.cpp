#include "geometry/nurbs/models.h"

#include "geometry/nurbs/primitives.h"

namespace pliant {
namespace {

std::vector<NurbsPatch> box() { return nurbs_box({0.4, 0.2, 0.3}); }
std::vector<NurbsPatch> cylinder() { return nurbs_cylinder(0.1, 0.3); }
std::vector<NurbsPatch> sphere() { return nurbs_sphere(0.15); }
std::vector<NurbsPatch> torus() { return nurbs_torus(0.2, 0.07); }
std::vector<NurbsPatch> mug() { return nurbs_mug(false); }
std::vector<NurbsPatch> deep_mug() { return nurbs_mug(true); }
template <int sections>
std::vector<NurbsPatch> beam() {
  return nurbs_beam({1, 0.2, 0.2}, sections);
}

const MadeModel models[] = {
    {"box", "0.4 x 0.2 x 0.3 m", box},
    {"beam", "1 x 0.2 x 0.2 m along x, sides of four faces each", beam<4>},
    {"beam_1", "the same, sides of one face each", beam<1>},
    {"beam_6", "the same, sides of six faces each", beam<6>},
    {"cylinder", "0.3 m high, of radius 0.1 m, about y", cylinder},
    {"sphere", "of radius 0.15 m", sphere},
    {"torus", "about y, 0.54 m wide, of tube 0.07 m", torus},
    {"bracket", "an L, 0.3 m wide, with two bolt holes: trimmed faces", nurbs_bracket},
    {"mug", "0.24 m high, with a handle of its own that ends in the wall", mug},
    {"mug_deep", "the same, the handle reaches through the wall", deep_mug},
    {"rocket", "0.8 m high, open at the bottom, four fins", nurbs_rocket},
    {"tyre", "about z, 0.6 m wide; groups tyre and tread round a hub", nurbs_tyre},
    {"castle", "1 m wide; towers, walls, gate and keep overlap", nurbs_castle},
};

}  // namespace

std::span<const MadeModel> made_models() { return models; }

const MadeModel* find_made_model(const std::string& name) {
  for (const MadeModel& model : models)
    if (name == model.name) return &model;
  return nullptr;
}

}  // namespace pliant
