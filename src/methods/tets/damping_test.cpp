#include "methods/tets/damping.h"

#include <doctest/doctest.h>

#include "methods/tets/test_bodies.h"

using namespace pliant;
using namespace pliant::tets;

namespace {

struct Cloud {
  std::vector<Vec3> x, v;
  std::vector<double> mass{1, 2, 3, 4};
  std::vector<char> held = std::vector<char>(4, 0);

  explicit Cloud(int seed) {
    for (int k = 0; k < 4; ++k) {
      x.push_back(random_vector(seed, k));
      v.push_back(random_vector(seed, 10 + k));
    }
  }
  void run(double k) { damp({0, 1, 2, 3}, k, x, mass, held, v); }
  Vec3 linear() const {
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < 4; ++k) sum += mass[k] * v[k];
    return sum;
  }
  Vec3 angular() const {
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < 4; ++k) sum += mass[k] * x[k].cross(v[k]);
    return sum;
  }
  double energy() const {
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += 0.5 * mass[k] * v[k].squaredNorm();
    return sum;
  }
};

}  // namespace

TEST_CASE("damping keeps both momenta and loses energy, for tets, sheets, lines and points") {
  for (int seed = 0; seed < 100; ++seed) {
    Cloud cloud(seed);
    for (Vec3& x : cloud.x) {
      if (seed % 4 >= 1) x.z() = 0;                  // sheet
      if (seed % 4 >= 2) x = x.x() * Vec3(1, 2, 3);  // line
      if (seed % 4 >= 3) x = Vec3(1, 1, 1);          // point
    }
    const Vec3 linear = cloud.linear(), angular = cloud.angular();
    const double energy = cloud.energy();
    cloud.run(0.3);
    CHECK((cloud.linear() - linear).norm() < 1e-13);
    CHECK((cloud.angular() - angular).norm() < 1e-12);
    CHECK(cloud.energy() < energy);
  }
}

TEST_CASE("a rigid motion is not damped, and full damping leaves nothing but rigid motion") {
  Cloud cloud(3);
  cloud.run(1);
  const std::vector<Vec3> rigid = cloud.v;
  cloud.run(1);
  for (int k = 0; k < 4; ++k) CHECK((cloud.v[k] - rigid[k]).norm() < 1e-13);
}

TEST_CASE("held corners keep their velocity") {
  Cloud cloud(4);
  cloud.held[2] = 1;
  const Vec3 before = cloud.v[2];
  cloud.run(0.5);
  CHECK(cloud.v[2] == before);
}

TEST_CASE("nearly flat inertia is inverted as exactly as a round one") {
  for (const double thin : {1.0, 1e-2, 1e-4, 1e-5}) {
    const Mat3 turn = Quat(0.2, 0.5, -0.3, 0.7).normalized().toRotationMatrix();
    const Mat3 inertia = turn * Vec3(thin, 1, 1 + thin).asDiagonal() * turn.transpose();
    const Vec3 spin(0.3, -2, 1);
    const Vec3 found = angular_velocity(inertia, inertia * spin);
    CHECK((found - spin).norm() < 1e-12 / thin);
  }
}
