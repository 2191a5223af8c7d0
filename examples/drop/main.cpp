// Drops a soft ball on a floor and prints how high it is, twice a second.
#include <cstdio>
#include <pliant/pliant.h>

int main() {
  using namespace pliant;

  Solid ball;
  ball.name = "ball";
  ball.surface = sphere_mesh(0.25, 0.05);
  for (Vec3& point : ball.surface.points) point.y() += 1;
  ball.material.preset = "jelly";

  World world;
  const BodyId id = world.add(make_body("tets", ball));
  world.add(Collider{.name = "floor", .shape = PlaneShape{}});
  world.substeps = advise_substeps(world, 1.0 / 60).substeps;

  for (int frame = 0; frame <= 180; ++frame) {
    if (frame % 30 == 0) {
      const Box box = bounds(world.find(id)->skin.position);
      std::printf("%.1f s: lowest point %.3f m, height %.3f m\n", world.time, box.low.y(),
                  box.extent().y());
    }
    world.step(1.0 / 60);
  }
}
