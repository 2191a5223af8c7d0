#include "methods/nurbs/nurbs.h"

#include <doctest/doctest.h>
#include <numeric>

#include "core/parallel.h"
#include "geometry/mesh/primitives.h"
#include "geometry/nurbs/primitives.h"
#include "methods/nurbs/masses.h"

using namespace pliant;

static Solid solid_of(std::vector<NurbsPatch> patches) {
  Solid solid;
  solid.name = "solid";
  solid.surface = tessellate(patches, 0.1, 1e-3).mesh;
  solid.patches = std::move(patches);
  solid.material = elastic_material(1e5, 0.4, 1000, 2);
  return solid;
}

static nurbs::Settings coarse() {
  nurbs::Settings settings;
  settings.kinematics.voxels = 1500;
  return settings;
}

static galerkin::Elastic& elastic_of(Body& body) {
  return dynamic_cast<galerkin::GalerkinMethod&>(*body.method).elastic();
}

static std::vector<std::vector<NurbsPatch>> models() {
  return {nurbs_box({0.4, 0.3, 0.2}), nurbs_beam({1, 0.2, 0.2}, 3), nurbs_cylinder(0.2, 0.3),
          nurbs_torus(0.3, 0.1)};
}

TEST_CASE("every affine motion has the energy of its deformation, and a turn has none") {
  Mat3 stretched;
  stretched << 1.1, 0.2, -0.1, 0.05, 0.9, 0.1, -0.2, 0.1, 1.2;
  const Mat3 turn = Eigen::AngleAxisd(1, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (const std::vector<NurbsPatch>& patches : models()) {
    Body body = coarse().create(solid_of(patches));
    galerkin::Elastic& elastic = elastic_of(body);
    const auto energy = [&](const Mat3& F) {
      std::vector<Vec3> x = body.nodes.position;
      for (Vec3& p : x) p = F * p + Vec3(1, 2, 3);
      elastic.update(x);
      return elastic.energy();
    };
    const double expected = elastic.volume() * elastic.law(0).energy(stretched, Mat3::Identity());
    CHECK(energy(stretched) == doctest::Approx(expected).epsilon(1e-10));
    CHECK(std::abs(energy(turn)) < 1e-10 * expected);
  }
}

TEST_CASE("forces are the slope of the energy, error energy and seams included") {
  Body body = coarse().create(solid_of(nurbs_cylinder(0.2, 0.3)));
  galerkin::Elastic& elastic = elastic_of(body);
  std::vector<Vec3> x = body.nodes.position, way = x, force(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) {
    way[n] = Vec3(std::sin(3.0 * double(n)), std::cos(2.0 * double(n)), std::sin(double(n) + 1));
    x[n] += 2e-3 * Vec3(std::cos(double(n)), std::sin(5.0 * double(n)), std::cos(double(n) + 2));
  }
  const auto energy = [&](double along) {
    std::vector<Vec3> moved = x;
    for (std::size_t n = 0; n < x.size(); ++n) moved[n] += along * way[n];
    elastic.update(moved);
    return elastic.energy();
  };
  const double eps = 1e-6, slope = (energy(eps) - energy(-eps)) / (2 * eps);
  elastic.update(x);
  elastic.forces(force);
  double work = 0;
  for (std::size_t n = 0; n < x.size(); ++n) work += force[n].dot(way[n]);
  CHECK(work == doctest::Approx(slope).epsilon(1e-6));
}

TEST_CASE("masses are positive, and their weight and centre are those of the solid") {
  double least_off = 1e300;  // of second moments, which only some can have with positive masses
  for (const std::vector<NurbsPatch>& patches : models()) {
    Body body = coarse().create(solid_of(patches));
    const galerkin::Points& points = elastic_of(body).points();
    Mat3 inertia = Mat3::Zero(), inertia_of_masses = Mat3::Zero();
    Vec3 first = Vec3::Zero();
    double volume = 0, least = 1e300;
    for (int p = 0; p < points.size(); ++p) {
      inertia += 1000 * points.volume[p] * points.rest[p] * points.rest[p].transpose();
      volume += points.volume[p];
      first += 1000 * points.volume[p] * points.rest[p];
    }
    for (int n = 0; n < body.nodes.size(); ++n) {
      const Vec3& x = body.nodes.position[n];
      inertia_of_masses += body.nodes.mass[n] * x * x.transpose();
      least = std::min(least, body.nodes.mass[n]);
    }
    CHECK(least > 0);
    CHECK(total_mass(body.nodes) == doctest::Approx(1000 * volume).epsilon(1e-9));
    CHECK((centre_of_mass(body.nodes) - first / (1000 * volume)).norm() < 1e-9);
    CHECK((inertia - inertia_of_masses).norm() < 0.3 * inertia.norm());
    least_off = std::min(least_off, (inertia - inertia_of_masses).norm() / inertia.norm());
  }
  CHECK(least_off < 1e-7);
}

TEST_CASE("the skin of a moved body lies on its moved faces") {
  Body body = coarse().create(solid_of(nurbs_torus(0.3, 0.1)));
  REQUIRE(body.control_net);
  for (Vec3& x : body.nodes.position) x = Vec3(x.x() + 0.3 * x.y() * x.y(), x.y(), 1.1 * x.z());
  std::vector<Vec3> skin(body.drawn_skin().rest.size());
  body.drawn_skin().weights.gather(body.nodes.position, skin);
  const Tessellation faces = tessellate(body.control_net->moved(body.nodes.position), 0.01, 1e-4);
  const Neighbours near(faces.mesh.points, 0.02);
  std::vector<int> scratch;
  for (const Vec3& p : skin) CHECK(near.nearest(p, 0.02, scratch) < 0.012);
}

/// A cylinder of faces with a box of triangles through it.
static Solid mixed() {
  Solid solid = solid_of(nurbs_cylinder(0.1, 0.4));
  const Tessellation drawn = tessellate(solid.patches, 0.05, 1e-3);
  solid.surface = drawn.mesh;
  solid.on_patch = drawn.vertices;
  const TriangleMesh box = box_mesh({0.5, 0.1, 0.1}, 0.05);
  const int first = int(solid.surface.points.size());
  for (const Triangle& t : box.triangles)
    solid.surface.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  for (const Vec3& p : box.points) {
    solid.surface.points.push_back(p);
    solid.on_patch.push_back({-1, Vec2::Zero()});
  }
  return solid;
}

TEST_CASE("triangles and faces move as one solid: affine motion is exact, the skin has both") {
  const Solid solid = mixed();
  Body body = coarse().create(solid);
  galerkin::Elastic& elastic = elastic_of(body);
  CHECK(body.drawn_skin().rest.size() == solid.surface.points.size());
  // The box sticks out of the cylinder by 0.15 m on either side.
  const double expected_volume = 3.14159 * 0.01 * 0.4 + 2 * 0.15 * 0.01;
  CHECK(elastic.volume() == doctest::Approx(expected_volume).epsilon(0.1));
  Mat3 F;
  F << 1.1, 0.2, -0.1, 0.05, 0.9, 0.1, -0.2, 0.1, 1.2;
  std::vector<Vec3> x = body.nodes.position;
  for (Vec3& p : x) p = F * p;
  elastic.update(x);
  const double expected = elastic.volume() * elastic.law(0).energy(F, Mat3::Identity());
  CHECK(elastic.energy() == doctest::Approx(expected).epsilon(1e-10));
  std::vector<Vec3> skin(body.drawn_skin().rest.size());
  body.drawn_skin().weights.gather(x, skin);
  for (std::size_t v = 0; v < skin.size(); ++v)
    CHECK((skin[v] - F * body.drawn_skin().rest[v]).norm() < 1e-12);
}

TEST_CASE("walls too thin for its samples bring a warning") {
  const auto warns = [](double height) {
    const Body body = coarse().create(solid_of(nurbs_box({1, height, 1})));
    return std::any_of(body.warnings.begin(), body.warnings.end(), [](const std::string& warning) {
      return warning.find("thinner than 0.05 m") != std::string::npos;
    });
  };
  CHECK(warns(0.03));
  CHECK(!warns(0.2));
}

TEST_CASE("a net left too coarse for the solid brings a warning; stages are timed, choices told") {
  const Solid beam = solid_of(nurbs_beam({1, 0.2, 0.2}, 1));
  nurbs::Settings settings = coarse();
  const auto told = [&] {
    const Body body = settings.create(beam);
    CHECK(body.stages.size() >= 7);
    const std::string notes = std::accumulate(body.notes.begin(), body.notes.end(), std::string());
    for (const char* word : {"control points", "net: ", "samples: ", "voxels of"})
      CHECK(notes.find(word) != std::string::npos);
    return std::count_if(body.warnings.begin(), body.warnings.end(), [](const std::string& line) {
      return line.find("net is too coarse") != std::string::npos;
    });
  };
  CHECK(told() == 0);
  settings.kinematics.spans = 0;
  CHECK(told() == 1);
}

TEST_CASE("a step is the same on 1 and 3 threads, and after a load") {
  const auto hash = [](int threads, bool reload) {
    set_threads(threads);
    Body body = coarse().create(solid_of(nurbs_cylinder(0.2, 0.3)));
    for (int n = 0; n < body.nodes.size(); ++n)
      body.nodes.velocity[n] = Vec3(body.nodes.position[n].y(), 0, 1);
    const Substep substep{0.004, 0};
    const auto step = [&] {
      for (int n = 0; n < body.nodes.size(); ++n)
        body.nodes.force[n] = body.nodes.mass[n] * Vec3(0, -9.81, 0);
      body.nodes.previous = body.nodes.position;
      body.method->advance(body.nodes, substep);
      body.method->finish(body.nodes, substep);
    };
    step();
    if (reload) {
      Archive saved = Archive::saving();
      body.archive(saved);
      Archive loaded = Archive::loading(saved.bytes());
      body = coarse().create(solid_of(nurbs_cylinder(0.2, 0.3)));
      body.archive(loaded);
    }
    step();
    Archive state = Archive::hashing();
    body.archive(state);
    set_threads(0);
    return state.hash();
  };
  const auto alone = hash(1, false);
  CHECK(hash(3, false) == alone);
  CHECK(hash(2, true) == alone);
}

TEST_CASE(
    "faces far beyond their trims have control points that nothing sees, and move all right") {
  std::vector<NurbsPatch> box = nurbs_box({0.4, 0.3, 0.2});
  // The same face as a small part of one ten times as long, in many spans.
  NurbsPatch& side = box[0];
  const Vec3 corner = side.pole[0], along = side.pole[2] - side.pole[0];
  const int columns = side.v.poles();
  for (int j = 0; j < columns; ++j) side.pole[columns + j] = side.pole[j] + 10 * along;
  for (Vec2& at : side.domain) at[0] *= 0.1;
  side.is_trimmed = true;
  CHECK((side.point(0.1, 0) - corner - along).norm() < 1e-12);
  Body body = coarse().create(solid_of(box));
  for (int i = 0; i < 3; ++i) {
    for (int n = 0; n < body.nodes.size(); ++n)
      body.nodes.force[n] = body.nodes.mass[n] * Vec3(0, -9.81, 0);
    body.nodes.previous = body.nodes.position;
    body.method->advance(body.nodes, {0.004, 0});
    body.method->finish(body.nodes, {0.004, 0});
  }
  CHECK(is_finite(body.nodes));
}
