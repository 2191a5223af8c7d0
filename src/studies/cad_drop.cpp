#include "studies/cad_drop.h"

#include <algorithm>
#include <fmt/format.h>

#include "core/errors.h"
#include "studies/cad_bodies.h"

namespace pliant {

World cad_drop(const Solid& solid) {
  World world;
  world.bodies.push_back(nurbs::Settings().create(solid));
  const Box box = bounds(world.bodies[0].drawn_skin().rest);
  Collider floor;
  floor.name = "floor";
  floor.shape = PlaneShape{};
  floor.placement = Pose{Quat::Identity(), Vec3(0, box.low.y() - 0.5 * box.extent().y(), 0)};
  world.colliders.push_back(std::move(floor));
  world.substeps = advise_substeps(world, cad_frame).substeps;
  return world;
}

PaperRow cad_drops(bool quick) {
  static constexpr const char* names[] = {"mug",
                                          "chicken_simple_closed.iges",
                                          "mug_trimmed.iges",
                                          "castle_simple.iges",
                                          "tire.iges",
                                          "rocket.iges",
                                          "lamppost.iges",
                                          "beam_cmp3.iges",
                                          "cube.iges",
                                          "rounded_cube.iges",
                                          "beam_cmp1.iges",
                                          "beam_cmp2.iges",
                                          "mug_solid.igs",
                                          "beam_cmp4.iges",
                                          "mug_intersect_2.igs"};
  PaperRow row{.expected = "> 0.8, 0, < 1 %", .met = true};
  double volume = 1, unsolved = 0;
  int inverted = 0, runs = 0;
  std::string worst;
  for (const char* name : std::span(names).first(quick ? 3 : std::size(names)))
    for (const double factor : {1.0, 10.0}) {
      // Of rho (g L + v^2), v^2 = g L: a metre falls by half of it. Ten is what bodies get by
      // default.
      const std::optional<Solid> solid =
          cad_solid(name, elastic_material(factor * 1000 * 2 * 9.81, 0.45, 1000, 2));
      if (!solid) continue;
      ++runs;
      World world = cad_drop(*solid);
      const Body& body = world.bodies[0];
      double least = 1, open = 0;
      Measures now;
      const int frames = quick ? 60 : 100;
      try {
        for (int f = 0; f < frames; ++f) {
          open += world.step(cad_frame).unconverged_substeps;
          now = body.method->measure(body.nodes);
          least = std::min(least, now.volume / now.rest_volume);
        }
      } catch (const NumericalError&) {
        row.met = false;
      }
      if (!(least > volume)) {
        volume = least;
        worst = fmt::format("{} x {}", name, factor);
      }
      inverted += now.inverted;
      unsolved = std::max(unsolved, open / (frames * world.substeps));
    }
  row.met = row.met && runs > 0 && volume > 0.8 && inverted == 0 && unsolved < 0.01;
  row.ours = fmt::format("{:.3f}, {}, {:.1f} %", volume, inverted, 100 * unsolved);
  row.remark = fmt::format(
      "{} drops, E = 1 and 10 times rho (g L + v^2), nu 0.45: least volume ({}), points inside "
      "out at the end, substeps unsolved",
      runs, worst);
  return row;
}

}  // namespace pliant
