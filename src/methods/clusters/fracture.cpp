#include "methods/clusters/fracture.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/principal_axes.h"

namespace pliant::clusters {
namespace {

// Lengths in radii.
constexpr double neck = 6;      // half of the widest section that breaks: clusters reach 4
constexpr double relieved = 8;  // round a crack
constexpr int fewest = 20;      // particles that come off: no crumbs
constexpr int most_cracks = 4;  // are tried in a frame; wide sections do not break
constexpr int corners = 16;     // of the polygon

struct Crack {
  double excess;
  int cluster;
  Vec3 centre, normal;
};

/// Particles of the piece within reach on either side of the plane; the fewer ones.
int fewer_side(const Crack& crack, const Matter& matter, const Nodes& nodes) {
  const int piece = matter.clusters[crack.cluster].piece;
  int above = 0, below = 0;
  for (int p = 0; p < nodes.size(); ++p) {
    const Vec3 away = nodes.position[p] - crack.centre;
    if (matter.piece[p] != piece || away.norm() > relieved * matter.radius) continue;
    (away.dot(crack.normal) > 0 ? above : below) += 1;
  }
  return std::min(above, below);
}

Cut cut_at(const Crack& crack, double radius) {
  Cut cut{.point = crack.centre, .normal = crack.normal};
  const Vec3 along = crack.normal.unitOrthogonal(), across = crack.normal.cross(along);
  std::vector<Vec3>& polygon = cut.within.emplace_back();
  for (int k = 0; k < corners; ++k) {
    const double turn = 2 * std::numbers::pi * k / corners;
    polygon.push_back(crack.centre +
                      neck * radius * (std::cos(turn) * along + std::sin(turn) * across));
  }
  return cut;
}

}  // namespace

std::vector<Cut> cracks(const Matter& matter, const Nodes& nodes) {
  std::vector<Crack> found;
  for (int c = 0; c < int(matter.clusters.size()); ++c) {
    const Cluster& cluster = matter.clusters[c];
    const std::optional<PlasticLaw>& law = matter.law[cluster.material];
    if (!law || !(cluster.damage > law->fracture)) continue;
    const Fit now = fit(cluster, nodes);
    if (now.flat || !(now.map.determinant() > 0)) continue;
    const PrincipalAxes stretch = principal_axes(now.map * now.map.transpose());
    if (!(std::sqrt(stretch.values[2]) > 1 + 0.5 * law->yield)) continue;  // it is not drawn out
    found.push_back({cluster.damage - law->fracture, c, now.centre, stretch.directions.col(2)});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Crack& a, const Crack& b) { return a.excess > b.excess; });
  std::vector<Cut> cuts;
  for (const Crack& crack : found) {
    if (int(cuts.size()) == most_cracks) break;
    if (fewer_side(crack, matter, nodes) >= fewest) cuts.push_back(cut_at(crack, matter.radius));
  }
  return cuts;
}

void relieve(Matter& matter, const Nodes& nodes, const Vec3& place) {
  for (Cluster& cluster : matter.clusters)
    if ((fit(cluster, nodes).centre - place).norm() < relieved * matter.radius) cluster.damage = 0;
}

}  // namespace pliant::clusters
