#include "geometry/nurbs/models.h"

#include "geometry/nurbs/primitives.h"

namespace pliant {
namespace {

const MadeModel models[] = {
    {"beam", "1 x 0.2 x 0.2 m along x, sides of four faces each",
     [] {
       return nurbs_beam({1, 0.2, 0.2}, 4);
     }},
};

}  // namespace

std::span<const MadeModel> made_models() { return models; }

const MadeModel* find_made_model(const std::string& name) {
  for (const MadeModel& model : models)
    if (name == model.name) return &model;
  return nullptr;
}

}  // namespace pliant
