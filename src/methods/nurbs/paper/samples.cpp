#include "methods/nurbs/paper/samples.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant::nurbs::paper {
namespace {

// Lobatto points a span beyond the degree.
constexpr int more_points = 3;
// Triangles of trimmed domains are cut to this share of a span.
constexpr double triangle_share = 0.5;
constexpr int most_cuts = 20;

/// Slopes of the degree + 1 functions of span s at t.
std::vector<double> slopes(const KnotVector& knots, int s, double t) {
  const int p = knots.degree;
  const KnotVector lower{p - 1, {knots.knots.begin() + 1, knots.knots.end() - 1}};
  std::vector<double> low(std::size_t(p), 1.0), slope(std::size_t(p) + 1, 0.0);
  if (p > 1) lower.basis(s - 1, t, low.data());
  const std::vector<double>& k = knots.knots;
  for (int j = 0; j < p; ++j) {
    const double change = p * low[j] / (k[s + j + 1] - k[s + j + 1 - p]);
    slope[j] -= change;
    slope[j + 1] += change;
  }
  return slope;
}

/// Area of the surface per du dv.
double stretch(const NurbsPatch& patch, Vec2 uv) {
  const int su = patch.u.span(uv[0]), sv = patch.v.span(uv[1]);
  const int p = patch.u.degree, q = patch.v.degree;
  std::vector<double> a(std::size_t(p) + 1), b(std::size_t(q) + 1);
  patch.u.basis(su, uv[0], a.data());
  patch.v.basis(sv, uv[1], b.data());
  const std::vector<double> da = slopes(patch.u, su, uv[0]), db = slopes(patch.v, sv, uv[1]);
  // Homogeneous point and its two slopes.
  Eigen::Matrix<double, 4, 3> sum = Eigen::Matrix<double, 4, 3>::Zero();
  for (int i = 0; i <= p; ++i)
    for (int j = 0; j <= q; ++j) {
      const int pole = (su - p + i) * patch.v.poles() + sv - q + j;
      Eigen::Vector4d h;
      h << patch.weight[pole] * patch.pole[pole], patch.weight[pole];
      sum += h * Eigen::RowVector3d(a[i] * b[j], da[i] * b[j], a[i] * db[j]);
    }
  const Vec3 x = sum.block<3, 1>(0, 0) / sum(3, 0);
  const Vec3 along_u = (sum.block<3, 1>(0, 1) - sum(3, 1) * x) / sum(3, 0);
  const Vec3 along_v = (sum.block<3, 1>(0, 2) - sum(3, 2) * x) / sum(3, 0);
  return along_u.cross(along_v).norm();
}

struct Rule {
  std::vector<double> at, weight;  // on 0 .. 1
};

/// Gauss-Lobatto-Legendre by Newton's method from Chebyshev's points.
Rule lobatto(int count) {
  Rule rule;
  const int n = count - 1;
  for (int i = 0; i <= n; ++i) {
    double x = -std::cos(std::numbers::pi * i / n), value = 0;
    for (int iteration = 0; iteration < 60; ++iteration) {
      double before = 1;
      value = x;
      for (int k = 2; k <= n; ++k) {
        const double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
        before = value;
        value = next;
      }
      const double step = (x * value - before) / (count * value);
      x -= step;
      if (std::abs(step) < 1e-16) break;
    }
    rule.at.push_back(0.5 * (1 + x));
    rule.weight.push_back(1.0 / (n * count * value * value));
  }
  return rule;
}

class Sampler {
 public:
  Sampler(const Net& net, bool by_parameter, std::vector<SurfaceSample>& samples)
      : net_(net), by_parameter_(by_parameter), samples_(samples) {}

  void add_whole(int part) {
    const KnotVector &u = net_.patches[part].u, &v = net_.patches[part].v;
    const Rule along_u = lobatto(u.degree + more_points), along_v = lobatto(v.degree + more_points);
    for (int s = u.degree; s < u.poles(); ++s)
      for (int t = v.degree; t < v.poles(); ++t) {
        const double du = u.knots[s + 1] - u.knots[s], dv = v.knots[t + 1] - v.knots[t];
        if (!(du > 0 && dv > 0)) continue;
        for (std::size_t i = 0; i < along_u.at.size(); ++i)
          for (std::size_t j = 0; j < along_v.at.size(); ++j)
            add(part, {u.knots[s] + du * along_u.at[i], v.knots[t] + dv * along_v.at[j]},
                du * dv * along_u.weight[i] * along_v.weight[j]);
      }
  }

  void add_trimmed(int part) {
    const NurbsPatch& patch = net_.patches[part];
    for (const Triangle& t : patch.triangles)
      cut(part, {patch.domain[t[0]], patch.domain[t[1]], patch.domain[t[2]]}, 0);
  }

 private:
  static double span_length(const KnotVector& knots, double t) {
    const int s = knots.span(t);
    return knots.knots[s + 1] - knots.knots[s];
  }

  void cut(int part, const std::array<Vec2, 3>& uv, int level) {
    const NurbsPatch& patch = net_.patches[part];
    const Vec2 middle = (uv[0] + uv[1] + uv[2]) / 3;
    const Vec2 span(span_length(patch.u, middle[0]), span_length(patch.v, middle[1]));
    int longest = 0;
    double length = 0;
    for (int e = 0; e < 3; ++e) {
      const double l = (uv[(e + 1) % 3] - uv[e]).cwiseQuotient(span).cwiseAbs().maxCoeff();
      if (l > length) {
        length = l;
        longest = e;
      }
    }
    if (length > triangle_share && level < most_cuts) {
      const Vec2 &a = uv[longest], &b = uv[(longest + 1) % 3], &c = uv[(longest + 2) % 3];
      const Vec2 half = 0.5 * (a + b);
      cut(part, {a, half, c}, level + 1);
      cut(part, {half, b, c}, level + 1);
      return;
    }
    const Vec2 ab = uv[1] - uv[0], ac = uv[2] - uv[0];
    const double size = 0.5 * std::abs(ab[0] * ac[1] - ab[1] * ac[0]);
    // A small triangle needs one point only.
    if (length < 0.5 * triangle_share) add(part, middle, size);
    else
      for (int k = 0; k < 3; ++k) add(part, 0.5 * (middle + uv[k]), size / 3);
  }

  void add(int part, const Vec2& uv, double size) {
    const double area = size * stretch(net_.patches[part], uv);
    if (!(area > 0)) return;
    SurfaceSample sample{.part = part, .row = net_.row(part, uv), .area = area};
    sample.place = net_.place(sample.row);
    sample.measure = by_parameter_ ? size : area;
    samples_.push_back(std::move(sample));
  }

  const Net& net_;
  bool by_parameter_;
  std::vector<SurfaceSample>& samples_;
};

}  // namespace

std::vector<SurfaceSample> sample_parts(const Net& net, bool by_parameter) {
  std::vector<SurfaceSample> samples;
  Sampler sampler(net, by_parameter, samples);
  for (int part = 0; part < int(net.patches.size()); ++part) {
    if (net.patches[part].is_trimmed) sampler.add_trimmed(part);
    else sampler.add_whole(part);
  }
  return samples;
}

}  // namespace pliant::nurbs::paper
