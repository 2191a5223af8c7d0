#include "methods/clusters/gather.h"

#include <algorithm>

#include "core/random.h"
#include "math/principal_axes.h"

// A new cluster must see the same elastic stretch as those around it, or flow comes back as
// springback. Its left Cauchy-Green tensor B is the mean of theirs, weighed by how far their balls
// overlap; its arms are the members' places times B^-1/2 (Chentanez et al. 2016, corrected: the
// printed formulas take the plastic stretch along, and reference axes for those of the world).

namespace pliant::clusters {
namespace {

constexpr double smallest_square = 0.25, largest_square = 4;  // of stretches taken over

/// Overlap of two balls of this radius, 1 = the same place.
double overlap(double distance, double radius) {
  if (distance >= 2 * radius) return 0;
  const double apart = 1 - distance / (2 * radius);
  return (1 + distance / (4 * radius)) * apart * apart;
}

struct Inherited {
  Mat3 to_rest = Mat3::Identity();  // B^-1/2
  double strain = 0, damage = 0;
};

Inherited inherited(const Vec3& centre, int piece, double radius,
                    const std::vector<Source>& sources) {
  Mat3 B = Mat3::Zero();
  double sum = 0, strain = 0, damage = 0;
  for (const Source& source : sources) {
    if (source.piece != piece) continue;
    const double share = overlap((source.centre - centre).norm(), radius);
    B += share * source.map * source.map.transpose();
    strain += share * source.strain;
    damage += share * source.damage;
    sum += share;
  }
  Inherited result;
  if (!(sum > 0)) return result;
  const PrincipalAxes axes = principal_axes(B / sum);
  const Vec3 shrink =
      axes.values.cwiseMax(smallest_square).cwiseMin(largest_square).cwiseSqrt().cwiseInverse();
  result.to_rest = axes.directions * shrink.asDiagonal() * axes.directions.transpose();
  result.strain = strain / sum;
  result.damage = damage / sum;
  return result;
}

Cluster made_of(std::vector<int> members, int centre, const Matter& matter, const Nodes& nodes,
                const std::vector<Source>& sources) {
  Cluster cluster;
  cluster.member = std::move(members);
  cluster.piece = matter.piece[centre];
  cluster.material = matter.material_of[centre];
  cluster.born_with = int(cluster.member.size());
  Vec3 middle = Vec3::Zero();
  double mass = 0;
  const Vec3 origin = nodes.position[centre];
  for (const int p : cluster.member) {
    middle += nodes.mass[p] * (nodes.position[p] - origin);
    mass += nodes.mass[p];
  }
  middle = origin + middle / mass;
  const Inherited from =
      inherited(middle, cluster.piece, reach_of_clusters * matter.radius, sources);
  cluster.strain = from.strain;
  cluster.damage = from.damage;
  for (const int p : cluster.member)
    cluster.arm.push_back(from.to_rest * (nodes.position[p] - middle));
  return cluster;
}

void shuffle(std::vector<int>& numbers, std::uint64_t seed) {
  for (int i = int(numbers.size()) - 1; i > 0; --i)
    std::swap(numbers[i], numbers[int(random_unit(seed, std::uint64_t(i)) * (i + 1))]);
}

}  // namespace

std::vector<Source> sources(const Matter& matter, const Nodes& nodes) {
  std::vector<Source> found;
  for (const Cluster& cluster : matter.clusters) {
    const Fit now = fit(cluster, nodes);
    if (now.flat || !(now.map.determinant() > 0.05)) continue;
    found.push_back({now.centre, now.map, cluster.strain, cluster.damage, cluster.piece});
  }
  return found;
}

void gather(Matter& matter, const Nodes& nodes, const Neighbours& near, std::vector<int> candidates,
            const std::vector<Source>& sources, const Joined& joined) {
  const double r = matter.radius;
  shuffle(candidates, std::uint64_t(matter.frame) * 3 + 1);
  std::vector<char> done(std::size_t(matter.particles()), 0);
  std::vector<int> members;
  for (const int centre : candidates) {
    if (done[centre]) continue;
    near.within(nodes.position[centre], reach_of_clusters * r, members);
    std::erase_if(members, [&](int p) {
      return matter.piece[p] != matter.piece[centre] ||
             (joined && p != centre && !joined(centre, p));
    });
    done[centre] = 1;
    for (const int p : members)
      if ((nodes.position[p] - nodes.position[centre]).norm() < spacing_of_clusters * r)
        done[p] = 1;
    if (members.size() < 2) continue;
    matter.clusters.push_back(made_of(members, centre, matter, nodes, sources));
  }
}

void gather_all(Matter& matter, const Nodes& nodes) {
  const Neighbours near(nodes.position, 2 * matter.radius);
  for (int round = 0; round < fewest_clusters + 2; ++round) {
    const std::vector<int> count = memberships(matter);
    std::vector<int> candidates;
    for (int p = 0; p < matter.particles(); ++p)
      if (count[p] < fewest_clusters) candidates.push_back(p);
    if (candidates.empty()) return;
    matter.frame = round;  // another order in each
    gather(matter, nodes, near, std::move(candidates), {});
  }
  matter.frame = 0;
}

}  // namespace pliant::clusters
