#include "methods/clusters/pieces.h"

#include <algorithm>

#include "core/disjoint_sets.h"

namespace pliant::clusters {
namespace {

/// Targets of old pieces go to the new ones that came of them, by present volume; those of pieces
/// that are gone go to all.
std::vector<double> shared_out(const std::vector<std::array<int, 2>>& pieces,
                               const std::vector<double>& target,
                               const std::vector<double>& present) {
  const int before = int(target.size()), now = int(present.size());
  DisjointSets related(before + now);
  for (const auto& [old, fresh] : pieces)
    if (old < before && fresh < now) related.join(old, before + fresh);
  std::vector<double> wanted(std::size_t(before + now), 0), there(wanted);
  for (int p = 0; p < before; ++p) wanted[related.root(p)] += target[p];
  for (int p = 0; p < now; ++p) there[related.root(before + p)] += present[p];
  double total = 0, given = 0;
  for (const double v : target) total += v;
  std::vector<double> result;
  for (int p = 0; p < now; ++p) {
    const int root = related.root(before + p);
    result.push_back(wanted[root] > 0 && there[root] > 0 ? wanted[root] * present[p] / there[root]
                                                         : present[p]);
    given += result.back();
  }
  for (double& v : result) v *= total / given;
  return result;
}

/// New number of each old piece where each has one and each comes of one; empty = some split or
/// united.
std::vector<int> renumbering(const std::vector<std::array<int, 2>>& pieces, int before, int now) {
  std::vector<int> to(std::size_t(before), -1), from(std::size_t(now), -1);
  if (before != now || int(pieces.size()) != before) return {};
  for (const auto& [old, fresh] : pieces) {
    if (old >= before || fresh >= now || to[old] >= 0 || from[fresh] >= 0) return {};
    to[old] = fresh;
    from[fresh] = old;
  }
  return to;
}

/// The piece of most members.
int majority(const Cluster& cluster, const Matter& matter) {
  std::vector<int> votes;
  for (const int p : cluster.member) {
    if (matter.piece[p] >= int(votes.size())) votes.resize(std::size_t(matter.piece[p]) + 1, 0);
    ++votes[matter.piece[p]];
  }
  return votes.empty() ? 0 : int(std::max_element(votes.begin(), votes.end()) - votes.begin());
}

constexpr int enough = 5;  // particles of a piece

/// Places in a piece with few particles. One that has none takes the nearest of another, so that
/// something carries its skin.
void populate(int piece, int has, const Skin& skin, const Nodes& nodes, Matter& matter,
              std::vector<Bare>& bare) {
  Vec3 middle = Vec3::Zero();
  std::vector<int> own;
  for (int v = 0; v < skin.size(); ++v)
    if (skin.provenance.piece[v] == piece) own.push_back(v);
  for (const int v : own) middle += skin.position[v] / double(own.size());
  if (has == 0) {
    int nearest = 0;
    for (int p = 0; p < nodes.size(); ++p)
      if ((nodes.position[p] - middle).squaredNorm() <
          (nodes.position[nearest] - middle).squaredNorm())
        nearest = p;
    matter.piece[nearest] = piece;
    ++has;
  }
  for (int k = has; k <= enough; ++k) {
    const std::size_t at = own.size() * std::size_t(k - has) / std::size_t(enough + 1 - has);
    bare.push_back({piece, (middle + skin.position[own[at]]) / 2});
  }
}

}  // namespace

std::vector<Bare> follow_pieces(const std::vector<std::array<int, 2>>& pieces,
                                const TrackedSkin& tracked, const Skin& skin, const Nodes& nodes,
                                Matter& matter, std::vector<double>& volume) {
  const std::vector<double> present = tracked.piece_volumes();
  const int before = int(volume.size()), now = int(present.size());
  const std::vector<int> to = renumbering(pieces, before, now);
  volume = shared_out(pieces, volume, present);
  if (!to.empty()) {
    for (int& piece : matter.piece) piece = to[piece];
    for (Cluster& cluster : matter.clusters) cluster.piece = to[cluster.piece];
    return {};
  }
  for (int p = 0; p < nodes.size(); ++p)
    matter.piece[p] = now == 1 ? 0 : tracked.piece_near(nodes.position[p]);
  std::vector<int> count(std::size_t(now), 0);
  for (const int piece : matter.piece) ++count[piece];
  std::vector<Bare> bare;
  for (int piece = 0; piece < now; ++piece)
    if (count[piece] < enough) populate(piece, count[piece], skin, nodes, matter, bare);
  for (Cluster& cluster : matter.clusters) cluster.piece = majority(cluster, matter);
  return bare;
}

}  // namespace pliant::clusters
