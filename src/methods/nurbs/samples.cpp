#include "methods/nurbs/samples.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "geometry/query/neighbours.h"

namespace pliant::nurbs {
namespace {

// Edges of sample triangles against the spacing: two samples a spacing along a line.
constexpr double edge_share = 0.65;
// Bins in which samples are thinned, against the spacing.
constexpr double bin_share = 0.5;
// Particles keep this share of their spacing from one another.
constexpr double apart = 0.9;
// A voxel this share of the spacing away from the surface has room for a particle.
constexpr double depth = 0.5;

/// Which of the (degree + 1) parts of which span t lies in.
int subspan(const KnotVector& knots, double t) {
  const int s = knots.span(t);
  const double part = (t - knots.knots[s]) / (knots.knots[s + 1] - knots.knots[s]);
  return s * (knots.degree + 1) + std::min(knots.degree, int(part * (knots.degree + 1)));
}

/// Whether a triangle of the domain is no larger than a (degree + 1)-th of its span: then every
/// control point is seen by a sample.
bool fits_span(const KnotVector& knots, const Vec2* uv, int axis) {
  double middle = (uv[0][axis] + uv[1][axis] + uv[2][axis]) / 3;
  const int s = knots.span(middle);
  const double part = (knots.knots[s + 1] - knots.knots[s]) / (knots.degree + 1);
  double size = 0;
  for (int e = 0; e < 3; ++e) size = std::max(size, std::abs(uv[e][axis] - uv[(e + 1) % 3][axis]));
  return size <= 1.01 * part;
}

/// One patch's domain, halved until samples are close enough.
struct Sampler {
  const Net& net;
  const Occupancy& solid;
  const Lengths& lengths;
  double density;
  int patch;
  std::vector<Sample> found;
  std::vector<std::array<int, 2>> subspans;  // of each

  void cut(const Vec2* uv, const Vec3* x, double spacing, int level) {
    int longest = 0;
    double length = 0;
    for (int e = 0; e < 3; ++e) {
      const double l = (x[e] - x[(e + 1) % 3]).norm();
      if (l > length) {
        length = l;
        longest = e;
      }
    }
    const Vec3 normal = (x[1] - x[0]).cross(x[2] - x[0]);
    const double area = 0.5 * normal.norm();
    const NurbsPatch& face = net.patches[patch];
    if (length <= edge_share * lengths.most || level > 40) {
      if (!(area > 0)) return;
      if (spacing < 0 || length > 0.5 * lengths.least) {
        const double thick = solid.thickness((x[0] + x[1] + x[2]) / 3, normal.normalized());
        spacing = std::clamp(density * thick, lengths.least, lengths.most);
      }
      const bool is_fine =
          length < 0.02 * spacing || (fits_span(face.u, uv, 0) && fits_span(face.v, uv, 1));
      if ((length <= edge_share * spacing && is_fine) || level > 40) {
        const Vec2 middle = (uv[0] + uv[1] + uv[2]) / 3;
        Sample sample{.row = net.row(patch, middle), .area = area, .spacing = spacing};
        sample.place = net.place(sample.row);
        found.push_back(std::move(sample));
        subspans.push_back({subspan(face.u, middle[0]), subspan(face.v, middle[1])});
        return;
      }
    }
    const int a = longest, b = (longest + 1) % 3, c = (longest + 2) % 3;
    const Vec2 half = 0.5 * (uv[a] + uv[b]);
    const Vec3 at = face.point(half[0], half[1]);
    const Vec2 uv1[] = {uv[a], half, uv[c]}, uv2[] = {half, uv[b], uv[c]};
    const Vec3 x1[] = {x[a], at, x[c]}, x2[] = {at, x[b], x[c]};
    cut(uv1, x1, spacing, level + 1);
    cut(uv2, x2, spacing, level + 1);
  }

  /// One sample per bin and part of a span: the one nearest to the middle stands for all.
  void thin(std::vector<Sample>& kept) const {
    std::map<std::array<int, 6>, std::vector<int>> bins;
    for (int s = 0; s < int(found.size()); ++s) {
      const int size = int(std::floor(2 * std::log2(found[s].spacing / lengths.least)));
      const double bin = bin_share * 0.72 * lengths.least * std::pow(2.0, 0.5 * (size + 1));
      const Eigen::Vector3i at = (found[s].place / bin).array().floor().cast<int>();
      bins[{subspans[s][0], subspans[s][1], size, at[0], at[1], at[2]}].push_back(s);
    }
    for (const auto& [key, members] : bins) {
      double area = 0;
      Vec3 middle = Vec3::Zero();
      for (const int s : members) {
        area += found[s].area;
        middle += found[s].area * found[s].place;
      }
      middle /= area;
      const int best = *std::min_element(members.begin(), members.end(), [&](int a, int b) {
        return (found[a].place - middle).squaredNorm() < (found[b].place - middle).squaredNorm();
      });
      Sample sample = found[best];
      sample.area = area;
      sample.weight = area / (sample.spacing * sample.spacing);
      kept.push_back(std::move(sample));
    }
  }
};

/// Whether the distance to the surface has its crest here: no neighbour is clearly deeper.
bool is_ridge(const Occupancy& solid, const std::vector<double>& away, int voxel) {
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        const int other = solid.at(solid.cell[voxel] + Eigen::Vector3i(x, y, z));
        if (other < 0) continue;
        const double step = solid.edge * std::sqrt(double(x * x + y * y + z * z));
        if (away[other] > away[voxel] + 0.45 * step) return false;
      }
  return true;
}

}  // namespace

std::vector<Sample> surface_samples(const Net& net, const Occupancy& solid, const Lengths& lengths,
                                    double density) {
  std::vector<Sample> samples;
  for (int p = 0; p < int(net.patches.size()); ++p) {
    const NurbsPatch& patch = net.patches[p];
    Sampler sampler{net, solid, lengths, density, p, {}, {}};
    for (const Triangle& t : patch.triangles) {
      Vec2 uv[3];
      Vec3 x[3];
      for (int k = 0; k < 3; ++k) {
        uv[k] = patch.domain[t[k]];
        x[k] = patch.point(uv[k][0], uv[k][1]);
      }
      sampler.cut(uv, x, -1, 0);
    }
    sampler.thin(samples);
  }
  return samples;
}

void add_loose_samples(const LoosePoints& loose, int first, const Occupancy& solid,
                       const Lengths& lengths, double density, std::vector<Sample>& samples) {
  for (int k = 0; k < loose.size(); ++k) {
    const double thick = solid.thickness(loose.place[k], loose.normal[k]);
    Sample sample{.place = loose.place[k], .row = {{first + k}, {1}}, .area = loose.area[k]};
    sample.spacing = std::clamp(density * thick, lengths.least, lengths.most);
    sample.weight = sample.area / (sample.spacing * sample.spacing);
    samples.push_back(std::move(sample));
  }
}

Interior fill_interior(const std::vector<Sample>& surface, const Occupancy& solid,
                       const Lengths& lengths) {
  Interior result;
  std::vector<Vec3> places;
  for (const Sample& sample : surface) places.push_back(sample.place);
  const Neighbours near(places, lengths.least);
  std::vector<double> away(solid.centre.size());
  result.voxel_spacing.resize(away.size());
  std::vector<int> found;
  for (int v = 0; v < solid.size(); ++v) {
    int best = -1;
    double distance = 1e300;
    for (double reach = 2 * lengths.least; best < 0; reach *= 2) {
      near.within(solid.centre[v], reach, found);
      for (const int s : found) {
        const double d = (places[s] - solid.centre[v]).norm();
        if (d < distance) {
          distance = d;
          best = s;
        }
      }
    }
    away[v] = distance;
    result.voxel_spacing[v] = surface[best].spacing;
  }
  std::vector<int> order(away.size());
  std::iota(order.begin(), order.end(), 0);
  // Rounded, so that symmetric solids do not depend on the last bit.
  std::vector<std::int64_t> rank(away.size());
  for (std::size_t v = 0; v < away.size(); ++v)
    rank[v] = std::llround(1e6 * away[v] / lengths.most);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return rank[a] > rank[b]; });
  const double bin = lengths.most;
  std::map<std::array<int, 3>, std::vector<int>> bins;
  for (const int v : order) {
    const double spacing = result.voxel_spacing[v];
    if (away[v] < depth * spacing && !is_ridge(solid, away, v)) continue;
    const Vec3& x = solid.centre[v];
    const Eigen::Vector3i at = (x / bin).array().floor().cast<int>();
    bool has_room = true;
    for (int i = 0; i < 27 && has_room; ++i) {
      const auto members = bins.find({at[0] + i % 3 - 1, at[1] + i / 3 % 3 - 1, at[2] + i / 9 - 1});
      if (members == bins.end()) continue;
      for (const int p : members->second)
        if ((result.particle[p] - x).norm() < apart * 0.5 * (spacing + result.spacing[p]))
          has_room = false;
    }
    if (!has_room) continue;
    bins[{at[0], at[1], at[2]}].push_back(int(result.particle.size()));
    result.particle.push_back(x);
    result.spacing.push_back(spacing);
  }
  return result;
}

}  // namespace pliant::nurbs
