#include <cmath>
#include <doctest/doctest.h>
#include <limits>

#include "contact/test_scene.h"
#include "core/parallel.h"
#include "geometry/mesh/primitives.h"
#include "world/world.h"

// Bodies, colliders and bonds come and go between steps.

using namespace pliant;
using namespace pliant::test;

namespace {

/// A closed box whose corners are nodes, each tied to each by a spring.
template <class M>
Body springy(const Vec3& at, double size) {
  TriangleMesh mesh = box_mesh(Vec3::Constant(size), size);
  for (Vec3& p : mesh.points) p += at;
  Body body = surface_body(mesh);
  body.nodes.mass.assign(mesh.points.size(), 0.1);
  body.contact_scale = body.extent = size;
  body.thickness = 0.01 * size;
  auto method = std::make_unique<M>();
  method->stiffness = 2000;
  method->damping = 20;
  for (int i = 0; i < int(mesh.points.size()); ++i)
    for (int j = 0; j < i; ++j)
      method->springs.push_back({i, j, (mesh.points[i] - mesh.points[j]).norm()});
  body.method = std::move(method);
  return body;
}

Body springy(std::uint64_t seed) {
  const Vec3 at = Vec3(0, 0.9, 0) + 0.5 * random_vector(1, seed);
  const double size = 0.15 + 0.1 * random_unit(2, seed);
  return random_unit(3, seed) < 0.5 ? springy<Projective>(at, size) : springy<Implicit>(at, size);
}

Collider obstacle(std::uint64_t seed) {
  Collider collider;
  const Vec3 at = Vec3(0, 0.2, 0) + 0.4 * random_vector(4, seed);
  collider.placement.position = at;
  const double kind = random_unit(5, seed);
  if (kind < 0.4) collider.shape = SphereShape{0.15};
  else if (kind < 0.8) collider.shape = BoxShape{Vec3::Constant(0.12)};
  else collider.shape = mesh_shape(torus_mesh(0.2, 0.06, 0.06));
  return collider;
}

std::vector<std::byte> saved(World& world) {
  Archive archive = Archive::saving();
  world.archive(archive);
  return archive.take_bytes();
}

void load(World& world, const std::vector<std::byte>& bytes) {
  Archive archive = Archive::loading(bytes);
  world.archive(archive);
}

struct Crowd {
  World world;
  std::vector<BondId> bonds;
  int peak = 0;

  Crowd() {
    world.substeps = 4;
    world.add(floor_at(0.3));
    for (std::uint64_t i = 0; i < 5; ++i) world.add(springy(5000 + i));
  }
  void tie(std::uint64_t at) {
    if (world.bodies.empty()) return;
    const int count = int(world.bodies.size());
    Attachment attachment;
    attachment.a = int(random_unit(10, at) * count);
    attachment.vertices = {int(random_unit(11, at) * 8)};
    const int other = int(random_unit(12, at) * count);
    const double kind = random_unit(13, at);
    if (kind < 0.5 && other != attachment.a) attachment.b = other;
    else if (kind < 0.7) attachment.collider = int(random_unit(14, at) * world.colliders.size());
    attachment.stiffness = 500;
    attachment.strength = random_unit(15, at) < 0.3 ? 5 : std::numeric_limits<double>::infinity();
    if (const BondId id = world.tie(attachment)) bonds.push_back(id);
  }
  /// Something comes, goes or moves, or nothing does.
  void change(std::uint64_t at) {
    const double what = random_unit(6, at), which = random_unit(7, at);
    const auto chosen = [&](const auto& items) { return std::size_t(which * items.size()); };
    if (what < 0.25) {
      if (world.bodies.size() < 10) world.add(springy(at));
    } else if (what < 0.4) {
      if (!world.bodies.empty()) CHECK(world.remove(world.bodies[chosen(world.bodies)].id));
    } else if (what < 0.45) {  // by hand, in no order
      if (world.bodies.size() > 1) std::swap(world.bodies.front(), world.bodies.back());
    } else if (what < 0.5) {  // one for another
      if (world.bodies.empty()) return;
      world.bodies.erase(world.bodies.begin() + std::ptrdiff_t(chosen(world.bodies)));
      world.bodies.push_back(springy(at));
    } else if (what < 0.6) {
      if (world.colliders.size() < 5) world.add(obstacle(at));
    } else if (what < 0.67) {
      if (world.colliders.size() > 1)
        CHECK(world.remove(
            world.colliders[1 + std::size_t(which * (world.colliders.size() - 1))].id));
    } else if (what < 0.8) {
      tie(at);
    } else if (what < 0.85 && !bonds.empty()) {
      const BondId id = bonds[chosen(bonds)];
      const bool had = world.contact.bonds.has(id);
      CHECK(world.contact.bonds.untie(id) == had);
      CHECK(!world.contact.bonds.untie(id));
    } else if (what < 0.9 && !bonds.empty()) {
      world.contact.bonds.move(bonds[chosen(bonds)], 0.01 * random_vector(8, at));
    }
    peak = std::max(peak, int(world.bodies.size()));
  }
};

/// Hashes after each step. `reload_at`: saves and loads before that step.
std::vector<std::uint64_t> run(int steps, int on_threads, int reload_at = -1) {
  set_threads(on_threads);
  Crowd crowd;
  std::vector<std::uint64_t> hashes;
  int contacts = 0;
  for (int s = 0; s < steps; ++s) {
    crowd.change(std::uint64_t(s));
    if (s == reload_at) load(crowd.world, saved(crowd.world));
    contacts += crowd.world.step(1.0 / 60).contacts;
    hashes.push_back(state_hash(crowd.world));
  }
  CHECK(crowd.peak > 4);
  CHECK(contacts > steps);
  return hashes;
}

}  // namespace

TEST_CASE("bodies, colliders and bonds come and go: same bits on any threads, and when reloaded") {
  const int before = threads();
  const std::vector<std::uint64_t> one = run(1000, 1);
  CHECK(run(300, 2) == std::vector(one.begin(), one.begin() + 300));
  CHECK(run(300, 7) == std::vector(one.begin(), one.begin() + 300));
  for (const int at : {40, 133, 250})
    CHECK(run(at + 40, 2, at) == std::vector(one.begin(), one.begin() + at + 40));
  set_threads(before);
}

TEST_CASE("when all have gone, nothing of them is left") {
  World fresh;
  fresh.step(1.0 / 60);
  Crowd crowd;
  for (std::uint64_t s = 0; s < 200; ++s) {
    crowd.change(s);
    crowd.world.step(1.0 / 60);
  }
  World& world = crowd.world;
  while (!world.bodies.empty()) CHECK(world.remove(world.bodies.back().id));
  while (!world.colliders.empty()) CHECK(world.remove(world.colliders.front().id));
  CHECK(world.contact.bonds.empty());
  CHECK(world.contact.contacts().empty());
  world.step(1.0 / 60);
  CHECK(world.contact.candidates() == 0);
  CHECK(saved(world).size() == saved(fresh).size());
  for (const BondId id : crowd.bonds) CHECK(!world.contact.bonds.has(id));
}

TEST_CASE("an id finds its body wherever that is, and nothing when it is gone") {
  World world;
  std::vector<BodyId> ids;
  for (std::uint64_t i = 0; i < 6; ++i) {
    Body body = springy(i);
    body.name = std::to_string(i);
    ids.push_back(world.add(std::move(body)));
  }
  CHECK(world.remove(ids[2]));
  CHECK(!world.remove(ids[2]));
  std::swap(world.bodies[0], world.bodies[4]);
  const BodyId late = world.add(springy(9));
  CHECK(late != ids[2]);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Body* body = world.find(ids[i]);
    CHECK((body == nullptr) == (i == 2));
    if (body) CHECK(body->name == std::to_string(i));
  }
}

TEST_CASE("a body that takes the place of its like begins without its impulses") {
  World world;
  world.substeps = 4;
  world.add(floor_at());
  world.add(springy<Projective>({0, 0.1015, 0}, 0.2));
  for (int i = 0; i < 60; ++i) world.step(1.0 / 60);
  REQUIRE(!world.contact.contacts().empty());
  const std::size_t warm = saved(world).size();
  const BodyId old = world.bodies[0].id;
  CHECK(world.remove(old));
  const BodyId now = world.add(springy<Projective>({0, 0.1015, 0}, 0.2));
  CHECK(now != old);
  CHECK(saved(world).size() < warm);
}

TEST_CASE("others that rest do not notice that a body was taken away before them") {
  const auto run_on = [](bool removes) {
    World world;
    world.substeps = 4;
    world.add(floor_at());
    const BodyId first = world.add(springy<Projective>({5, 2, 0}, 0.2));
    world.add(springy<Implicit>({0, 0.11, 0}, 0.2));
    world.add(springy<Projective>({0.02, 0.33, 0.03}, 0.2));
    for (int i = 0; i < 40; ++i) world.step(1.0 / 60);
    if (removes) world.remove(first);
    for (int i = 0; i < 20; ++i) world.step(1.0 / 60);
    return std::pair(world.bodies[world.bodies.size() - 2].nodes.position,
                     world.bodies.back().nodes.position);
  };
  CHECK(run_on(false) == run_on(true));
}

TEST_CASE("bonds that are added or let go leave what was torn torn, and impulses where they were") {
  World world;
  world.substeps = 4;
  world.add(springy<Projective>({0, 1, 0}, 0.2));
  world.add(springy<Projective>({0.5, 1, 0}, 0.2));
  Attachment weak{.a = 1, .vertices = {0, 1}, .strength = 1e-3};
  const BondId torn = world.tie(weak);
  Attachment strong{.a = 1, .vertices = {3}};
  const BondId holds = world.tie(strong);
  for (int i = 0; i < 20; ++i) world.step(1.0 / 60);
  CHECK(world.contact.bonds.torn() == 2);
  const BondId more = world.tie({.a = 0, .vertices = {2}});  // comes first in the order of keys
  CHECK(world.contact.bonds.torn() == 2);
  const std::size_t bytes = saved(world).size();
  world.step(1.0 / 60);
  CHECK(saved(world).size() > bytes);  // one more is remembered
  CHECK(world.contact.bonds.untie(torn));
  CHECK(world.contact.bonds.count() == 2);
  CHECK(world.contact.bonds.torn() == 0);
  CHECK(world.contact.bonds.move(more, {0, 0.1, 0}));
  const double before = world.bodies[0].skin.position[2].y();
  for (int i = 0; i < 30; ++i) world.step(1.0 / 60);
  CHECK(world.bodies[0].skin.position[2].y() > before + 0.05);
  CHECK(world.remove(world.bodies[1].id));
  CHECK(!world.contact.bonds.has(holds));
  CHECK(world.contact.bonds.has(more));
  world.step(1.0 / 60);
}
