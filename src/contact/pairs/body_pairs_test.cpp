#include "contact/pairs/body_pairs.h"

#include <cmath>
#include <doctest/doctest.h>

#include "body/make_skin.h"
#include "contact/pairs/pair_lists.h"
#include "contact/test_scene.h"
#include "geometry/mesh/primitives.h"
#include "geometry/query/bvh.h"

using namespace pliant;
using namespace pliant::test;

namespace {

Body body_of(const TriangleMesh& mesh) {
  Body body;
  set_skin(body, embedded_skin(mesh, Weights::identity(int(mesh.points.size()))));
  return body;
}

/// One triangle with this box.
Body in_box(const Box& box) {
  TriangleMesh mesh;
  mesh.points = {box.low, box.high, 0.5 * (box.low + box.high)};
  mesh.triangles = {{0, 1, 2}};
  return body_of(mesh);
}

/// Near the last one, touching it, flat, or far off, and of any size.
Box random_box(std::uint64_t set, std::uint64_t i, const Box& last) {
  const auto unit = [&](std::uint64_t k) { return random_unit(set, 16 * i + k); };
  const double size = unit(0) < 0.1 ? std::pow(10, 18 * unit(1) - 9) : 0.1 * unit(1);
  Vec3 low = random_vector(set + 77777, i);
  if (unit(2) < 0.2) low = last.high;
  Vec3 extent = size * Vec3(unit(3), unit(4), unit(5));
  if (unit(6) < 0.2) extent[int(3 * unit(7)) % 3] = 0;
  return {low, low + extent};
}

}  // namespace

TEST_CASE("pairs of bodies are those that brute force finds, on 1000 sets of 200 boxes") {
  ContactSettings settings;
  ContactSurfaces surfaces;
  BodyPairs candidates;
  std::vector<double> alone(200);
  int found = 0;
  for (std::uint64_t set = 0; set < 1000; ++set) {
    std::vector<Body> bodies;
    std::vector<Box> boxes;
    for (std::uint64_t i = 0; i < 200; ++i) {
      boxes.push_back(random_box(set, i, i ? boxes.back() : Box{Vec3::Zero(), Vec3::Ones()}));
      bodies.push_back(in_box(boxes.back()));
      bodies.back().skin.revision = int(set + 1);
      alone[i] = 0.05 * random_unit(set + 99999, i);
    }
    surfaces.prepare(bodies, Touches::bodies);
    candidates.find(bodies, surfaces, settings, alone);
    std::size_t next = 0;
    bool same = true;
    for (int a = 0; a < 200; ++a)
      for (int b = a + 1; b < 200; ++b) {
        Box grown = boxes[b];
        grown.grow(2 * (bodies[a].thickness + bodies[b].thickness) +
                   settings.reach * std::min(bodies[a].contact_scale, bodies[b].contact_scale) +
                   alone[a] + alone[b]);
        if (!grown.overlaps(boxes[a])) continue;
        const auto pairs = candidates.pairs();
        same = same && next < pairs.size() && pairs[next].a == a && pairs[next].b == b;
        ++next;
      }
    CHECK(same);
    CHECK(next == candidates.pairs().size());
    found += int(next);
  }
  CHECK(found > 100000);
}

TEST_CASE("lists hold every triangle that is near enough, and never say that it is farther") {
  const ContactSettings settings;
  for (int i = 0; i < 20; ++i) {
    const Vec3 aside = random_vector(1, i).normalized() * (0.9 + 0.2 * random_unit(2, i));
    TriangleMesh box = box_mesh({1, 0.8, 0.9}, 0.2);
    for (Vec3& p : box.points) p = random_turn(3, i) * p + aside;
    std::vector<Body> bodies;
    bodies.push_back(body_of(sphere_mesh(0.5, 0.15)));
    bodies.push_back(body_of(box));
    ContactSurfaces surfaces;
    BodyPairs candidates;
    surfaces.prepare(bodies, Touches::bodies);
    candidates.find(bodies, surfaces, settings, std::vector<double>{0.1, 0.1});
    REQUIRE(candidates.pairs().size() == 1);
    BodyPair& pair = candidates.pairs()[0];
    pair.reach = settings.reach * bodies[0].contact_scale;
    pair.allowance = 0.05;
    for (int b = 0; b < 2; ++b) surfaces.ask_all(b);
    surfaces.refit_asked(bodies);
    const double moved = 0.04;  // after the parts were found, whose boxes alone follow
    find_parts(surfaces, pair, pair.reach + pair.allowance + 0.1 + moved, 1);
    ask_parts(pair, surfaces);
    for (int b = 0; b < 2; ++b) {
      for (int v = 0; v < bodies[b].skin.size(); ++v)
        bodies[b].skin.position[v] += 0.5 * moved * random_vector(4 + b, 1000 * i + v).normalized();
    }
    surfaces.refit_asked(bodies);
    list_features(bodies, surfaces, pair);
    pair.parts.add(moved);
    const double apart = pair.parts.left();
    list_bystanders(bodies, surfaces, pair, apart);
    bool clearances_hold = true;
    for (int side = 0; side < 2; ++side) {
      const Skin &ours = bodies[side].skin, &theirs = bodies[1 - side].skin;
      const CandidateList& listed = side == 0 ? pair.of_a : pair.of_b;
      for (int v = 0; v < ours.size(); ++v)
        for (int t = 0; t < int(theirs.triangles.size()); ++t) {
          const auto [p, q, r] = theirs.triangles[t];
          const double distance = closest_on_triangle(ours.position[v], theirs.position[p],
                                                      theirs.position[q], theirs.position[r])
                                      .distance;
          const auto& [watched, clearance] = side == 0 ? pair.around_a : pair.around_b;
          const auto around = std::find(watched.vertex.begin(), watched.vertex.end(), v);
          if (distance > pair.reach + pair.allowance) {
            const bool known = around != watched.vertex.end();
            clearances_hold = clearances_hold && (known ? clearance[around - watched.vertex.begin()]
                                                        : apart) <= distance;
            continue;
          }
          CHECK(around != watched.vertex.end());
          const auto at = std::find(listed.vertex.begin(), listed.vertex.end(), v);
          REQUIRE(at != listed.vertex.end());
          bool found = false;
          for (const auto& near : listed.candidates(int(at - listed.vertex.begin())))
            if (near.triangle == t) found = near.distance <= distance;
          CHECK(found);
        }
      for (int k = 0; k < listed.count(); ++k) {
        const auto near = listed.candidates(k);
        CHECK(std::is_sorted(near.begin(), near.end(),
                             [](const auto& a, const auto& b) { return a.distance < b.distance; }));
      }
    }
    CHECK(clearances_hold);
  }
}
