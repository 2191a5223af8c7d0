#include "methods/clusters/resample.h"

#include <algorithm>
#include <numeric>

#include "core/random.h"
#include "methods/clusters/particles.h"

namespace pliant::clusters {
namespace {

constexpr double worn_out = 2;  // norm of F_P: the arms say little about the members
// What the fit does not see is elastic and never flows. Where members have strayed this far [r] it
// brings a drawn bar back by a quarter of its length; a new cluster starts without. A norm of F_P
// of 1.74 is a tenth of plastic strain: elastic bending is left alone.
constexpr double has_flowed = 1.74;
constexpr double inside_out = 0.05;  // det of the fit
constexpr int most_clusters = 6;     // of every member besides its own: then one is redundant
constexpr double bridge = 1.1;       // [r] neighbours that share no cluster get one

/// Members follow their numbers, and the dead leave. New particles join where they are near.
void follow_particles(Matter& matter, const Nodes& nodes, const Resampled& particles,
                      const std::vector<Fit>& fits, const Interior& interior) {
  const int born = int(particles.born_from.size());
  const int first = matter.particles() - born;
  for (std::size_t c = 0; c < matter.clusters.size(); ++c) {
    Cluster& cluster = matter.clusters[c];
    std::size_t kept = 0;
    for (std::size_t k = 0; k < cluster.member.size(); ++k) {
      const int now = particles.node[cluster.member[k]];
      if (now < 0) continue;
      cluster.member[kept] = now;
      cluster.arm[kept++] = cluster.arm[k];
    }
    cluster.member.resize(kept);
    cluster.arm.resize(kept);
    const Fit& now = fits[c];
    const Mat3 to_rest = now.flat || !(now.map.determinant() > inside_out)
                             ? Mat3(cluster.turn.transpose())
                             : Mat3(now.map.inverse());
    for (int p = first; p < matter.particles(); ++p) {
      if (matter.piece[p] != cluster.piece) continue;
      const Vec3 away = nodes.position[p] - now.centre;
      if (away.norm() >= reach_of_clusters * matter.radius) continue;
      if (interior.joins && !interior.joins(now.centre, nodes.position[p])) continue;
      cluster.member.push_back(p);  // numbers of new particles are the highest
      cluster.arm.push_back(to_rest * away);
    }
  }
}

bool is_redundant(const Cluster& cluster, const std::vector<int>& count) {
  return std::all_of(cluster.member.begin(), cluster.member.end(),
                     [&](int p) { return count[p] - 1 > most_clusters; });
}

/// [m] Root mean square distance of the members from where the fit has them.
double residual(const Cluster& cluster, const Fit& now, const Nodes& nodes) {
  double sum = 0;
  for (std::size_t k = 0; k < cluster.member.size(); ++k)
    sum +=
        (nodes.position[cluster.member[k]] - now.centre - now.map * cluster.arm[k]).squaredNorm();
  return std::sqrt(sum / double(cluster.member.size()));
}

bool is_worn_out(const Cluster& cluster, const Fit& now, double strayed, const Nodes& nodes) {
  const int size = int(cluster.member.size());
  const double flowed = cluster.plastic.norm();
  if (flowed > has_flowed && !now.flat && residual(cluster, now, nodes) > strayed) return true;
  return size < 2 || 2 * size < cluster.born_with || size > 2 * cluster.born_with ||
         flowed > worn_out || (!now.flat && !(now.map.determinant() > inside_out));
}

/// Its members are of pieces that have parted.
bool is_of_several(const Cluster& cluster, const Matter& matter) {
  return std::any_of(cluster.member.begin(), cluster.member.end(),
                     [&](int p) { return matter.piece[p] != cluster.piece; });
}

/// In random order, so that not all of some redundant neighbours go at once. How many went.
int drop_clusters(Matter& matter, const Nodes& nodes) {
  const int before = int(matter.clusters.size());
  std::vector<int> order(std::size_t(before), 0);
  std::iota(order.begin(), order.end(), 0);
  for (int i = before - 1; i > 0; --i)
    std::swap(order[i],
              order[int(random_unit(std::uint64_t(matter.frame) * 3, std::uint64_t(i)) * (i + 1))]);
  std::vector<int> count = memberships(matter);
  std::vector<char> dropped(std::size_t(before), 0);
  for (const int c : order) {
    const Cluster& cluster = matter.clusters[c];
    const bool goes =
        is_of_several(cluster, matter) ||
        is_worn_out(cluster, fit(cluster, nodes), matter.strayed * matter.radius, nodes) ||
        is_redundant(cluster, count);
    if (!goes) continue;
    dropped[c] = 1;
    for (const int p : cluster.member) --count[p];
  }
  int kept = 0;
  for (int c = 0; c < before; ++c)
    if (!dropped[c]) {
      if (kept != c) matter.clusters[kept] = std::move(matter.clusters[c]);
      ++kept;
    }
  matter.clusters.resize(std::size_t(kept));
  return before - kept;
}

/// Particles in too few clusters, and those beside a seam: neighbours within the body that no
/// cluster joins.
std::vector<int> candidates(const Matter& matter, const Nodes& nodes, const Neighbours& near,
                            const Interior& interior) {
  const ClustersOf of(matter);
  std::vector<int> chosen, found;
  for (int p = 0; p < matter.particles(); ++p) {
    bool wanted = of.start[p + 1] - of.start[p] < fewest_clusters;
    if (!wanted) near.within(nodes.position[p], bridge * matter.radius, found);
    for (std::size_t k = 0; !wanted && k < found.size(); ++k) {
      const int q = found[k];
      wanted = q != p && matter.piece[q] == matter.piece[p] && !of.share(p, q) &&
               interior.piece_at((nodes.position[p] + nodes.position[q]) / 2) >= 0;
    }
    if (wanted) chosen.push_back(p);
  }
  return chosen;
}

}  // namespace

Resampled resample(Matter& matter, Nodes& nodes, const Interior& interior,
                   std::span<const Bare> bare) {
  std::vector<Fit> fits;
  for (const Cluster& cluster : matter.clusters) fits.push_back(fit(cluster, nodes));
  Resampled result;
  {
    const Neighbours near(nodes.position, 2 * matter.radius);
    Particles particles(matter, nodes, near);
    particles.populate(bare);
    particles.remove_bad(interior);
    particles.seed(interior);
    particles.even_out();
    result = particles.compact();
  }
  if (!result.node.empty()) follow_particles(matter, nodes, result, fits, interior);
  std::erase_if(matter.clusters, [](const Cluster& cluster) { return cluster.member.empty(); });
  for (Cluster& cluster : matter.clusters) centre_arms(cluster, nodes.mass);
  const std::vector<Source> from = sources(matter, nodes);
  result.clusters = drop_clusters(matter, nodes) > 0 || !result.node.empty();
  const Neighbours near(nodes.position, 2 * matter.radius);
  const std::size_t before = matter.clusters.size();
  Joined joined;
  if (interior.joins)
    joined = [&](int p, int q) { return interior.joins(nodes.position[p], nodes.position[q]); };
  gather(matter, nodes, near, candidates(matter, nodes, near, interior), from, joined);
  result.clusters = result.clusters || matter.clusters.size() != before;
  return result;
}

}  // namespace pliant::clusters
