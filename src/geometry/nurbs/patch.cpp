#include "geometry/nurbs/patch.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/assert.h"
#include "core/errors.h"

namespace pliant {
namespace {

// Degrees above this are not met in CAD files (OpenCASCADE's limit is 25 too).
constexpr int most_degree = 25;

InputError bad(const std::string& what) { return InputError("", "", what); }

/// Poles as (w x, w y, w z, w): in these, knot insertion and degree elevation are linear.
using Homogeneous = Eigen::Vector4d;

std::vector<Homogeneous> homogeneous(const NurbsPatch& patch) {
  std::vector<Homogeneous> result(patch.pole.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] << patch.weight[i] * patch.pole[i], patch.weight[i];
  }
  return result;
}

void set_poles(NurbsPatch& patch, const std::vector<Homogeneous>& net) {
  patch.pole.resize(net.size());
  patch.weight.resize(net.size());
  for (std::size_t i = 0; i < net.size(); ++i) {
    patch.weight[i] = net[i][3];
    patch.pole[i] = net[i].head<3>() / net[i][3];
  }
}

/// Where pole `i` along the direction and `j` across it lies in a net with `columns` poles in v.
int slot(bool along_u, int i, int j, int columns) {
  return along_u ? i * columns + j : j * columns + i;
}

/// The longest iso-line of a span, of five [m].
double span_length(const NurbsPatch& patch, bool along_u, double from, double to) {
  const KnotVector& across = along_u ? patch.v : patch.u;
  double longest = 0;
  for (int line = 0; line <= 4; ++line) {
    const double at = across.first() + (across.last() - across.first()) * line / 4;
    double length = 0;
    Vec3 before = Vec3::Zero();
    for (int i = 0; i <= 6; ++i) {
      const double t = from + (to - from) * i / 6;
      const Vec3 x = along_u ? patch.point(t, at) : patch.point(at, t);
      if (i > 0) length += (x - before).norm();
      before = x;
    }
    longest = std::max(longest, length);
  }
  return longest;
}

void check_knots(const KnotVector& direction, const char* name) {
  const std::string which = std::string("its knots along ") + name;
  if (direction.degree < 1 || direction.degree > most_degree) {
    throw bad("its degree along " + std::string(name) + " is " + std::to_string(direction.degree) +
              "; it must be from 1 to 25");
  }
  const int poles = direction.poles();
  if (poles < direction.degree + 1) throw bad(which + " are too few");
  for (std::size_t i = 0; i < direction.knots.size(); ++i) {
    if (!std::isfinite(direction.knots[i])) throw bad(which + " are not finite");
    if (i > 0 && direction.knots[i] < direction.knots[i - 1]) throw bad(which + " fall");
  }
  for (int k = 0; k < direction.degree; ++k) {
    if (direction.knots[k] != direction.first() ||
        direction.knots[poles + 1 + k] != direction.last()) {
      throw bad(which + " are not clamped at their ends");
    }
  }
  if (!(direction.last() > direction.first())) throw bad(which + " span nothing");
}

void check_trim(const TrimCurve& curve) {
  check_knots(curve.knots, "a trim");
  if (curve.pole.size() != std::size_t(curve.knots.poles()) ||
      curve.weight.size() != curve.pole.size()) {
    throw bad("a trim has more or fewer poles than its knots ask for");
  }
  for (std::size_t i = 0; i < curve.pole.size(); ++i) {
    if (!curve.pole[i].allFinite() || !(curve.weight[i] > 0) || !std::isfinite(curve.weight[i])) {
      throw bad("a trim is not finite");
    }
  }
}

}  // namespace

int KnotVector::span(double& t) const {
  const int count = poles();
  t = std::clamp(t, first(), last());
  const auto begin = knots.begin() + degree, end = knots.begin() + count + 1;
  int s = int(std::upper_bound(begin, end, t) - knots.begin()) - 1;
  s = std::min(s, count - 1);
  while (s > degree && !(knots[s + 1] > knots[s])) --s;  // t is the last knot
  return s;
}

// Cox and de Boor's recursion, upwards from degree 0 (Piegl and Tiller 1997, A2.2).
void KnotVector::basis(int s, double t, double* value) const {
  std::array<double, most_degree + 1> left{}, right{};
  value[0] = 1;
  for (int j = 1; j <= degree; ++j) {
    left[j] = t - knots[s + 1 - j];
    right[j] = knots[s + j] - t;
    double saved = 0;
    for (int k = 0; k < j; ++k) {
      const double part = value[k] / (right[k + 1] + left[j - k]);
      value[k] = saved + right[k + 1] * part;
      saved = left[j - k] * part;
    }
    value[j] = saved;
  }
}

Vec2 TrimCurve::point(double t) const {
  const int s = knots.span(t);
  std::array<double, most_degree + 1> value{};
  knots.basis(s, t, value.data());
  Vec2 sum = Vec2::Zero();
  double share = 0;
  for (int i = 0; i <= knots.degree; ++i) {
    const int id = s - knots.degree + i;
    sum += value[i] * weight[id] * pole[id];
    share += value[i] * weight[id];
  }
  return sum / share;
}

PatchRow NurbsPatch::row(double at_u, double at_v) const {
  const int su = u.span(at_u), sv = v.span(at_v);
  std::array<double, most_degree + 1> nu{}, nv{};
  u.basis(su, at_u, nu.data());
  v.basis(sv, at_v, nv.data());
  PatchRow row;
  const int columns = v.poles();
  double sum = 0;
  for (int i = 0; i <= u.degree; ++i) {
    for (int j = 0; j <= v.degree; ++j) {
      const int id = (su - u.degree + i) * columns + sv - v.degree + j;
      const double part = nu[i] * nv[j] * weight[id];
      if (part == 0) continue;
      row.pole.push_back(id);
      row.weight.push_back(part);
      sum += part;
    }
  }
  for (double& part : row.weight) part /= sum;
  return row;
}

Vec3 NurbsPatch::point(double at_u, double at_v) const {
  const PatchRow at = row(at_u, at_v);
  Vec3 x = Vec3::Zero();
  for (std::size_t k = 0; k < at.pole.size(); ++k) x += at.weight[k] * pole[at.pole[k]];
  return x;
}

void NurbsPatch::check() const {
  check_knots(u, "u");
  check_knots(v, "v");
  const std::size_t count = std::size_t(u.poles()) * v.poles();
  if (pole.size() != count || weight.size() != count) {
    throw bad("it has " + std::to_string(pole.size()) + " poles where its knots ask for " +
              std::to_string(count));
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!pole[i].allFinite()) throw bad("a pole is not finite");
    if (!(weight[i] > 0) || !std::isfinite(weight[i])) {
      throw bad("a weight is not positive");
    }
  }
  for (const Vec2& at : domain) {
    if (!at.allFinite()) throw bad("a corner of its domain is not finite");
  }
  for (const auto& chain : trims)
    for (const TrimCurve& curve : chain) check_trim(curve);
  for (const Triangle& triangle : triangles) {
    for (int corner : triangle) {
      if (corner < 0 || corner >= int(domain.size())) {
        throw bad("a triangle of its domain has a corner that is not there");
      }
    }
  }
}

void insert_knot(NurbsPatch& patch, bool along_u, double knot) {
  KnotVector& direction = along_u ? patch.u : patch.v;
  const std::vector<double>& knots = direction.knots;
  const int degree = direction.degree, poles = direction.poles();
  const int across = along_u ? patch.v.poles() : patch.u.poles();
  ASSERT(knot > direction.first() && knot < direction.last(), "a knot outside of its patch");
  const int s = direction.span(knot);
  const std::vector<Homogeneous> before = homogeneous(patch);
  std::vector<Homogeneous> after(std::size_t(poles + 1) * across);
  const int columns = patch.v.poles(), new_columns = along_u ? columns : columns + 1;
  for (int j = 0; j < across; ++j) {
    const auto old = [&](int i) { return before[slot(along_u, i, j, columns)]; };
    for (int i = 0; i <= poles; ++i) {
      Homogeneous& pole = after[slot(along_u, i, j, new_columns)];
      if (i <= s - degree) {
        pole = old(i);
      } else if (i > s) {
        pole = old(i - 1);
      } else {
        const double share = (knot - knots[i]) / (knots[i + degree] - knots[i]);
        pole = share * old(i) + (1 - share) * old(i - 1);
      }
    }
  }
  direction.knots.insert(direction.knots.begin() + s + 1, knot);
  set_poles(patch, after);
}

void raise_to_quadratic(NurbsPatch& patch, bool along_u) {
  KnotVector& direction = along_u ? patch.u : patch.v;
  if (direction.degree != 1) return;
  const int poles = direction.poles(), across = along_u ? patch.v.poles() : patch.u.poles();
  const std::vector<Homogeneous> before = homogeneous(patch);
  const int raised = 2 * poles - 1, columns = patch.v.poles();
  const int new_columns = along_u ? columns : raised;
  std::vector<Homogeneous> after(std::size_t(raised) * across);
  for (int j = 0; j < across; ++j) {
    const auto old = [&](int i) { return before[slot(along_u, i, j, columns)]; };
    for (int i = 0; i < raised; ++i) {
      Homogeneous& pole = after[slot(along_u, i, j, new_columns)];
      pole = i % 2 == 0 ? old(i / 2) : Homogeneous(0.5 * (old(i / 2) + old(i / 2 + 1)));
    }
  }
  // Every knot once more than before, so that corners of the net stay corners of the surface.
  std::vector<double> knots;
  for (int i = 0; i < poles; ++i) {
    const int times = i == 0 || i == poles - 1 ? 3 : 2;
    knots.insert(knots.end(), times, direction.knots[i + 1]);
  }
  direction = {2, knots};
  set_poles(patch, after);
}

void refine_spans(NurbsPatch& patch, bool along_u, double longest) {
  ASSERT(longest > 0, "spans without length");
  const KnotVector direction = along_u ? patch.u : patch.v;
  for (int s = direction.degree; s < direction.poles(); ++s) {
    const double from = direction.knots[s], to = direction.knots[s + 1];
    if (!(to > from + 1e-12 * (direction.last() - direction.first()))) continue;
    const int parts = int(std::ceil(span_length(patch, along_u, from, to) / longest - 1e-6));
    for (int k = 1; k < parts; ++k) insert_knot(patch, along_u, from + (to - from) * k / parts);
  }
}

double longest_span(const NurbsPatch& patch, bool along_u) {
  const KnotVector& direction = along_u ? patch.u : patch.v;
  double longest = 0;
  for (int s = direction.degree; s < direction.poles(); ++s)
    longest =
        std::max(longest, span_length(patch, along_u, direction.knots[s], direction.knots[s + 1]));
  return longest;
}

void cover_rectangle(NurbsPatch& patch, bool reversed) {
  const auto distinct = [](const KnotVector& direction) {
    std::vector<double> knots = direction.knots;
    knots.erase(std::unique(knots.begin(), knots.end()), knots.end());
    return knots;
  };
  const std::vector<double> us = distinct(patch.u), vs = distinct(patch.v);
  const int columns = int(vs.size());
  patch.domain.clear();
  patch.triangles.clear();
  for (double at_u : us) {
    for (double at_v : vs) patch.domain.push_back({at_u, at_v});
  }
  for (int i = 0; i + 1 < int(us.size()); ++i) {
    for (int j = 0; j + 1 < columns; ++j) {
      const int a = i * columns + j, b = a + columns, c = b + 1, d = a + 1;
      patch.triangles.push_back(reversed ? Triangle{a, c, b} : Triangle{a, b, c});
      patch.triangles.push_back(reversed ? Triangle{a, d, c} : Triangle{a, c, d});
    }
  }
  patch.is_trimmed = false;
}

}  // namespace pliant
