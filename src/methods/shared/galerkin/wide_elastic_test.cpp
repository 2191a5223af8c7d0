#include "methods/shared/galerkin/wide_elastic.h"

#include <doctest/doctest.h>

#include "math/test_random.h"
#include "methods/shared/galerkin/hex_block.h"

using namespace pliant;
using namespace pliant::test;
using namespace pliant::galerkin;

namespace {

struct Fixture {
  HexBlock block = hex_block({3, 2, 2}, {0.3, 0.2, 0.2});
  Elastic elastic;
  std::vector<Vec3> x, u;

  Fixture(Law::Kind kind, double young, double amount)
      : elastic(block.points, {Law::from(kind, young, 0.4)}, int(block.nodes.size())) {
    x = block.nodes;
    u.resize(x.size());
    for (std::size_t n = 0; n < x.size(); ++n) {
      u[n] = amount * random_vector(3, n);
      x[n] += u[n];
    }
    elastic.update(x);
  }
  double scale(const std::vector<Vec3>& f) const {
    double sum = 0;
    for (const Vec3& v : f) sum += v.squaredNorm();
    return std::sqrt(sum);
  }
};

constexpr Law::Kind kinds[] = {Law::Kind::log_neo_hookean, Law::Kind::neo_hookean};

}  // namespace

TEST_CASE("wide energy and forces are the plain ones, from a millionth of strain to inside out") {
  for (const Law::Kind kind : kinds)
    for (const double amount : {1e-8, 1e-4, 0.01, 0.05, 0.15}) {
      CAPTURE(int(kind));
      CAPTURE(amount);
      Fixture f(kind, amount < 1e-6 ? 2e11 : 1e5, amount);
      std::vector<Vec3> plain(f.x.size()), wide(f.x.size());
      f.elastic.forces(plain);
      WideElastic fast(f.elastic);
      const WideElastic::State state = fast.update(f.u, wide);
      double off = 0;
      for (std::size_t n = 0; n < plain.size(); ++n) off += (plain[n] - wide[n]).squaredNorm();
      // Plain doubles lose eight digits of a strain of 1e-7; floats from displacements do not.
      CHECK(std::sqrt(off) < 2e-6 * f.scale(plain));
      CHECK(state.energy ==
            doctest::Approx(f.elastic.energy()).epsilon(amount < 1e-6 ? 1e-2 : 1e-5));
      double least = 1e9;
      for (int p = 0; p < f.elastic.points().size(); ++p)
        least = std::min(least, f.elastic.F(p).determinant());
      CHECK(state.least_J == doctest::Approx(least).epsilon(1e-5));
      if (amount == 0.15) CHECK(least < 0);
    }
}

TEST_CASE("wide products are those of the clamped tangent, symmetric, also rough ones") {
  for (const int run : {0, 1, 2, 3})
    for (const double amount : {1e-4, 0.01, 0.05, 0.15}) {
      const Law::Kind kind = kinds[run / 2];
      const bool roughly = run % 2 == 1;
      Fixture f(kind, 1e5, amount);
      const auto count = f.x.size();
      WideElastic fast(f.elastic);
      std::vector<Vec3> force(count), a(count), b(count), Ka(count), Kb(count), plain(count);
      fast.update(f.u, force);
      for (std::size_t n = 0; n < count; ++n) {
        a[n] = random_vector(7, n);
        b[n] = random_vector(8, n);
        plain[n].setZero();
      }
      const std::vector<double> no_mass(count, 0);
      const std::vector<char> free(count, 0);
      fast.multiply(a, no_mass, 1, free, roughly, Ka);
      fast.multiply(b, no_mass, 1, free, roughly, Kb);
      const Points& points = f.elastic.points();
      for (int p = 0; p < points.size(); ++p) {
        Mat3 dF = Mat3::Zero();
        for (int k = points.start[p]; k < points.start[p + 1]; ++k)
          dF += a[points.node[k]] * points.gradient[k].transpose();
        const Eigen::Matrix<double, 9, 1> dP =
            points.volume[p] * f.elastic.law(p).clamped_tangent(f.elastic.F(p)) * dF.reshaped();
        const Mat3 change = Eigen::Map<const Mat3>(dP.data());
        for (int k = points.start[p]; k < points.start[p + 1]; ++k)
          plain[points.node[k]] += change * points.gradient[k];
      }
      double off = 0, ab = 0, ba = 0;
      for (std::size_t n = 0; n < count; ++n) {
        off += (plain[n] - Ka[n]).squaredNorm();
        ab += a[n].dot(Kb[n]);
        ba += b[n].dot(Ka[n]);
      }
      CHECK(std::sqrt(off) < (roughly ? 1e-3 : 5e-6) * f.scale(plain));
      CHECK(std::abs(ab - ba) < 1e-5 * f.scale(Ka) * f.scale(b));
    }
}

TEST_CASE("no change of a deformed body is resisted by more than stiffest() times its shear") {
  for (const Law::Kind kind : kinds)
    for (const double amount : {0.0, 0.01, 0.05, 0.15}) {
      CAPTURE(amount);
      Fixture f(kind, 1e5, amount);
      const auto count = f.x.size();
      WideElastic fast(f.elastic);
      std::vector<Vec3> force(count), a(count), Ka(count);
      fast.update(f.u, force);
      const double stiffest = fast.stiffest();
      const std::vector<double> no_mass(count, 0);
      const std::vector<char> free(count, 0);
      for (std::size_t n = 0; n < count; ++n) a[n] = random_vector(9, n);
      double most = 0;
      for (int i = 0; i < 30; ++i) {  // towards what is resisted most
        fast.multiply(a, no_mass, 1, free, false, Ka);
        double resisted = 0, sheared = 0;
        for (std::size_t n = 0; n < count; ++n) resisted += a[n].dot(Ka[n]);
        const Points& points = f.elastic.points();
        for (int p = 0; p < points.size(); ++p) {
          Mat3 dF = Mat3::Zero();
          for (int k = points.start[p]; k < points.start[p + 1]; ++k)
            dF += a[points.node[k]] * points.gradient[k].transpose();
          sheared += points.volume[p] * f.elastic.law(p).shear() * dF.squaredNorm();
        }
        most = std::max(most, resisted / sheared);
        const double size = f.scale(Ka);
        for (std::size_t n = 0; n < count; ++n) a[n] = Ka[n] / size;
      }
      CHECK(most <= 1.05 * stiffest);  // at free surfaces a change may swell in two directions
      if (amount == 0) CHECK(most > 0.5 * stiffest);
    }
}
