#include "methods/clusters/matter.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "core/assert.h"
#include "math/principal_axes.h"

namespace pliant::clusters {
namespace {

/// Share of the largest second moment below which a direction is lost: a sixteenth in length.
constexpr double lost = 4e-3;
constexpr std::size_t fewest = 5;  // members that span three directions with something to spare

Mat3 moments(const Cluster& cluster, const std::vector<double>& mass) {
  Mat3 Q = Mat3::Zero();
  for (std::size_t k = 0; k < cluster.member.size(); ++k)
    Q += mass[cluster.member[k]] * cluster.arm[k] * cluster.arm[k].transpose();
  return Q;
}

template <class T>
void archive_flat(Archive& archive, const char* name, std::vector<Cluster>& clusters,
                  T Cluster::*of) {
  std::vector<T> values;
  for (const Cluster& cluster : clusters) values.push_back(cluster.*of);
  archive.array(name, values);
  if (values.size() != clusters.size()) throw ArchiveError("clusters do not belong together");
  for (std::size_t c = 0; c < clusters.size(); ++c) clusters[c].*of = values[c];
}

}  // namespace

bool Matter::flows() const {
  return std::any_of(law.begin(), law.end(), [](const auto& one) { return one.has_value(); });
}

bool Matter::breaks() const {
  return std::any_of(law.begin(), law.end(),
                     [](const auto& one) { return one && std::isfinite(one->fracture); });
}

void Matter::archive(Archive& archive) {
  archive.array("pieces", piece);
  archive.array("materials", material_of);
  std::vector<int> start = {0}, member;
  std::vector<Vec3> arm;
  for (const Cluster& cluster : clusters) {
    member.insert(member.end(), cluster.member.begin(), cluster.member.end());
    arm.insert(arm.end(), cluster.arm.begin(), cluster.arm.end());
    start.push_back(int(member.size()));
  }
  archive.array("cluster starts", start);
  archive.array("cluster members", member);
  archive.array("cluster arms", arm);
  if (archive.is_loading()) {
    if (start.empty() || start.back() != int(member.size()) || arm.size() != member.size())
      throw ArchiveError("clusters do not belong together");
    clusters.assign(start.size() - 1, {});
    for (std::size_t c = 0; c < clusters.size(); ++c) {
      clusters[c].member.assign(member.begin() + start[c], member.begin() + start[c + 1]);
      clusters[c].arm.assign(arm.begin() + start[c], arm.begin() + start[c + 1]);
    }
  }
  archive_flat(archive, "cluster plastic", clusters, &Cluster::plastic);
  archive_flat(archive, "cluster turns", clusters, &Cluster::turn);
  archive_flat(archive, "cluster strains", clusters, &Cluster::strain);
  if (breaks()) archive_flat(archive, "cluster damages", clusters, &Cluster::damage);
  archive_flat(archive, "cluster sizes", clusters, &Cluster::born_with);
  archive_flat(archive, "cluster materials", clusters, &Cluster::material);
  archive_flat(archive, "cluster pieces", clusters, &Cluster::piece);
  archive.value("clusters frame", frame);
  archive.value("removed", removed);
  archive.value("seeded", seeded);
}

std::vector<int> memberships(const Matter& matter) {
  std::vector<int> count(std::size_t(matter.particles()), 0);
  for (const Cluster& cluster : matter.clusters)
    for (const int p : cluster.member) ++count[p];
  return count;
}

ClustersOf::ClustersOf(const Matter& matter) : start(std::size_t(matter.particles()) + 1, 0) {
  const std::vector<int> count = memberships(matter);
  for (std::size_t p = 0; p < count.size(); ++p) start[p + 1] = start[p] + count[p];
  cluster.resize(std::size_t(start.back()));
  std::vector<int> next(start.begin(), start.end() - 1);
  for (int c = 0; c < int(matter.clusters.size()); ++c)
    for (const int p : matter.clusters[c].member) cluster[next[p]++] = c;
}

bool ClustersOf::share(int p, int q) const {
  int a = start[p], b = start[q];
  while (a < start[p + 1] && b < start[q + 1]) {
    if (cluster[a] == cluster[b]) return true;
    if (cluster[a] < cluster[b]) ++a;
    else ++b;
  }
  return false;
}

std::vector<double> volumes(const Matter& matter, const Nodes& nodes) {
  const std::vector<int> count = memberships(matter);
  std::vector<double> volume;
  for (const Cluster& cluster : matter.clusters) {
    double sum = 0;
    for (const int p : cluster.member)
      sum += nodes.mass[p] / (*matter.material[matter.material_of[p]].density * count[p]);
    volume.push_back(sum);
  }
  return volume;
}

Fit fit(const Cluster& cluster, const Nodes& nodes) {
  ASSERT(!cluster.member.empty(), "somebody is in it");
  Fit found;
  const Vec3 origin = nodes.position[cluster.member[0]];
  Mat3 P = Mat3::Zero();
  for (std::size_t k = 0; k < cluster.member.size(); ++k) {
    const int p = cluster.member[k];
    const Vec3 moment = nodes.mass[p] * (nodes.position[p] - origin);
    found.mass += nodes.mass[p];
    found.centre += moment;
    P += moment * cluster.arm[k].transpose();  // the arms' sum by mass is zero
  }
  found.centre = origin + found.centre / found.mass;
  const Mat3 Q = moments(cluster, nodes.mass);
  const Vec3 spread = principal_values(Q);
  found.flat = cluster.member.size() < fewest || !(spread[0] > lost * spread[2]);
  found.map = cluster.turn;
  if (found.flat) return found;
  const Mat3 inverse = Q.inverse();
  found.map = P * inverse;
  found.response = inverse.trace();
  return found;
}

void centre_arms(Cluster& cluster, const std::vector<double>& mass) {
  Vec3 sum = Vec3::Zero();
  double total = 0;
  for (std::size_t k = 0; k < cluster.member.size(); ++k) {
    sum += mass[cluster.member[k]] * cluster.arm[k];
    total += mass[cluster.member[k]];
  }
  for (Vec3& arm : cluster.arm) arm -= sum / total;
}

}  // namespace pliant::clusters
