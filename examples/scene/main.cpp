// Steps a scene file and prints, for every body, how fast it is and what it bears; the last shape
// of the first one goes into last.ply.     scene SCENE.json [FRAMES]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <pliant/app.h>

int main(int count, char** words) try {
  using namespace pliant;
  if (count < 2) throw InputError("", "", "which scene?", "scene SCENE.json [FRAMES]");
  const std::filesystem::path file = words[1];
  BuiltScene scene = build_scene(read_scene(file), source_of(file));
  for (const std::string& warning : scene.warnings) std::printf("warning: %s\n", warning.c_str());

  const int frames = count > 2 ? std::atoi(words[2]) : scene.resolved.frames.value();
  std::vector<double> values;
  for (int frame = 1; frame <= frames; ++frame) {
    scene.world.step(1 / scene.resolved.fps);
    for (const Body& body : scene.world.bodies) {
      const double speed = momentum(body.nodes).norm() / total_mass(body.nodes);
      const bool known = field(body, "von_mises", values);
      std::printf("%s at %.2f s: %.2f m/s, up to %.3g Pa\n", body.name.c_str(), scene.world.time,
                  speed, known ? *std::max_element(values.begin(), values.end()) : 0);
    }
  }
  const Skin& skin = scene.world.bodies[0].drawn_skin();
  write_ply("last.ply", std::span<const Vec3>(skin.position), skin.triangles);
} catch (const pliant::InputError& error) {
  for (const pliant::Problem& problem : error.problems())
    std::printf("%s\n", to_string(problem).c_str());
  return 2;
} catch (const std::exception& error) {
  std::printf("%s\n", error.what());
  return 1;
}
