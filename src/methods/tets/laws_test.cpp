#include <Eigen/LU>
#include <doctest/doctest.h>

#include "core/errors.h"
#include "methods/tets/test_bodies.h"
#include "methods/tets/tets_method.h"

using namespace pliant;
using namespace pliant::tets;

namespace {

/// One tet in general position, pushed out of shape.
struct OneTet {
  TetElements elements;
  std::vector<Vec3> position;
  std::vector<double> mobility{1, 2, 0.5, 3};

  explicit OneTet(int seed, double poisson = 0.3) {
    TetMesh mesh;
    mesh.points = {{0, 0, 0}, {1, 0.1, 0}, {0.2, 0.9, 0}, {0.1, 0, 1.1}};
    mesh.tets = {{0, 1, 2, 3}};
    elements.add(mesh, mesh.tets[0], 1, NeoHookean::from(1e3, poisson), 0);
    elements.hookean.push_back(Hookean::from(1e3, std::min(poisson, 0.4)));
    position = mesh.points;
    for (int k = 0; k < 4; ++k) position[k] += 0.06 * random_vector(seed, k);
  }
  Mat3 F() const { return deformation(elements, 0, position); }
};

/// A bar pulled by its own weight until it hangs still; the plain kernel keeps multipliers.
Body hanging_bar(const Settings& settings, double poisson, double h) {
  Body body = make_body(block(2, 2, 6, {0.2, 0.2, 0.6}), material(1e5, poisson, 30), settings);
  Handle top;
  for (int i = 0; i < body.nodes.size(); ++i)
    if (body.nodes.position[i].z() > 0.599) {
      top.nodes.push_back(i);
      top.rest.push_back(body.nodes.position[i]);
    }
  body.handles.push_back(top);
  double time = 0;
  while (time < 1.5) substep(body, h, time, {0, 0, -9.81});
  return body;
}

/// Volume-weighted relative difference between the two ways to tell the stress.
double disagreement(const Body& body, const Settings& settings, double poisson) {
  const auto& method = dynamic_cast<const TetsMethod&>(*body.method);
  const std::vector<Mat3> done = method.stress_of_multipliers(body.nodes);
  const TetMesh mesh = block(2, 2, 6, {0.2, 0.2, 0.6});
  TetElements elements;
  double difference = 0, all = 0;
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    elements.add(mesh, mesh.tets[i], 1, NeoHookean::from(1e5, poisson), 0);
    if (settings.law == Law::hookean) elements.hookean.push_back(Hookean::from(1e5, poisson));
    const Mat3 F = deformation(elements, int(i), body.nodes.position);
    difference += elements.volume[i] * (done[i] - elements.stress(int(i), F)).squaredNorm();
    all += elements.volume[i] * elements.stress(int(i), F).squaredNorm();
  }
  return std::sqrt(difference / all);
}

}  // namespace

TEST_CASE("a Hookean projection goes down its energy, keeps momentum, and leaves rest alone") {
  for (int seed = 0; seed < 20; ++seed) {
    OneTet tet(seed);
    const auto moment = [&] {
      Vec3 sum = Vec3::Zero();
      for (int k = 0; k < 4; ++k) sum += tet.position[k] / tet.mobility[k];
      return sum;
    };
    const Vec3 before = moment();
    const double energy = tet.elements.hookean[0].energy(tet.F());
    double multiplier = 0;
    const Projection result =
        project_hookean(tet.elements.nodes[0], tet.elements.inverse_rest[0],
                        tet.elements.hookean[0], 1e-3, 1e9, tet.mobility, tet.position, multiplier);
    CHECK(result == Projection::done);
    CHECK(tet.elements.hookean[0].energy(tet.F()) < energy);
    CHECK((moment() - before).norm() < 1e-13);
    CHECK(multiplier < 0);
  }
}

TEST_CASE("solved hard, a Hookean tet takes its rest shape, and its mirror image as well") {
  OneTet tet(1);
  double multiplier = 0;
  for (int i = 0; i < 200; ++i)
    project_hookean(tet.elements.nodes[0], tet.elements.inverse_rest[0], tet.elements.hookean[0], 0,
                    1e9, tet.mobility, tet.position, multiplier);
  CHECK((tet.F().transpose() * tet.F() - Mat3::Identity()).norm() < 1e-9);
  for (Vec3& p : tet.position) p.x() *= -1;
  const std::vector<Vec3> mirrored = tet.position;
  project_hookean(tet.elements.nodes[0], tet.elements.inverse_rest[0], tet.elements.hookean[0], 0,
                  1e9, tet.mobility, tet.position, multiplier);
  CHECK((tet.position[0] - mirrored[0]).norm() < 1e-9);
  CHECK(tet.F().determinant() < 0);
}

TEST_CASE("in turn, volume is met last and shape is left where it was pushed from") {
  OneTet tet(2, 0.5);
  Multipliers multipliers;
  const Compliance compliance{1e3, 0, 1};
  for (int i = 0; i < 3; ++i)
    project_in_turn(tet.elements.nodes[0], tet.elements.inverse_rest[0], compliance, 1e9,
                    tet.mobility, tet.position, multipliers);
  CHECK(tet.F().determinant() == doctest::Approx(1).epsilon(1e-3));
  // Rest is no fixed point: shape pulls first, volume does not undo all of it.
  OneTet still(0);
  still.position = {{0, 0, 0}, {1, 0.1, 0}, {0.2, 0.9, 0}, {0.1, 0, 1.1}};
  const std::vector<Vec3> rest = still.position;
  multipliers = {};
  const NeoHookean& law = still.elements.law[0];
  project_in_turn(still.elements.nodes[0], still.elements.inverse_rest[0],
                  {1, law.lambda_inverse * law.mu, law.gamma}, 1e9, still.mobility, still.position,
                  multipliers);
  CHECK((still.position[0] - rest[0]).norm() > 1e-6);
}

TEST_CASE("stress by multipliers is the stress of the law where a body is at rest") {
  for (const Law law : {Law::neo_hookean, Law::hookean}) {
    Settings settings = with(Kernel::plain);
    settings.law = law;
    const double poisson = 0.4;
    const double coarse =
        disagreement(hanging_bar(settings, poisson, 1.0 / 600), settings, poisson);
    const double fine = disagreement(hanging_bar(settings, poisson, 1.0 / 2400), settings, poisson);
    CAPTURE(int(law));
    CHECK(coarse < 0.1);
    CHECK(fine < 0.01);
    CHECK(fine < 0.3 * coarse);
  }
}

TEST_CASE(
    "a cube pulled gently follows either law alike, and the Hookean one is computed plainly") {
  for (const Law law : {Law::neo_hookean, Law::hookean}) {
    Settings settings;
    settings.law = law;
    Body body = make_body(block(2, 2, 2, Vec3::Ones()), material(1e5, 0.3, 40), settings);
    CHECK((dynamic_cast<TetsMethod&>(*body.method).wide() == nullptr) == (law == Law::hookean));
    body.handles.push_back(pin_left(body));
    double time = 0;
    while (time < 1) substep(body, 1.0 / 1200, time, {9.81e-2, 0, 0});
    double tip = 0;
    for (const Vec3& p : body.nodes.position) tip = std::max(tip, p.x() - 1);
    CHECK(tip == doctest::Approx(4.5e-4).epsilon(0.1));  // rho g L^2 / 2 E, less the clamp's share
  }
}

TEST_CASE("impossible laws are refused") {
  const TetMesh mesh = block(1, 1, 1, Vec3::Ones());
  Settings settings;
  settings.law = Law::hookean;
  CHECK_THROWS_AS(make_body(mesh, material(1e5, 0.5), settings), InputError);
  settings.law = Law::neo_hookean;
  settings.lame = Lame::paper;
  CHECK_THROWS_AS(make_body(mesh, material(1e5, 0.1), settings), InputError);
  CHECK_NOTHROW(make_body(mesh, material(1e5, 0.5), settings));
}

TEST_CASE("principal stretches are told in order, their product is J, per tet and per vertex") {
  Body body = make_body(block(2, 2, 2, Vec3::Ones()), material(1e5, 0.3));
  const Mat3 turn = Quat(0.3, 0.5, -0.2, 0.7).normalized().toRotationMatrix();
  for (Vec3& p : body.nodes.position) p = turn * Vec3(0.5 * p.x(), 2 * p.y(), 1.25 * p.z());
  body.skin.refresh(body.nodes.position);
  const double expected[] = {2, 1.25, 0.5};
  std::vector<double> values;
  for (int k = 0; k < 3; ++k) {
    const std::string name = "stretch_" + std::to_string(k + 1);
    REQUIRE(body.method->element_field(name, body.nodes, values));
    CHECK(values.size() == 40);
    for (const double v : values) CHECK(v == doctest::Approx(expected[k]).epsilon(1e-9));
    REQUIRE(field(body, name, values));
    CHECK(values.size() == std::size_t(body.skin.size()));
    for (const double v : values) CHECK(v == doctest::Approx(expected[k]).epsilon(1e-9));
  }
  REQUIRE(body.method->element_field("J", body.nodes, values));
  for (const double v : values) CHECK(v == doctest::Approx(1.25).epsilon(1e-9));
  for (Vec3& p : body.nodes.position) p.z() *= -1;
  body.method->element_field("stretch_3", body.nodes, values);
  for (const double v : values) CHECK(v == doctest::Approx(-0.5).epsilon(1e-9));
  CHECK(!body.method->element_field("no such", body.nodes, values));
}
