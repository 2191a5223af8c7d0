#include "methods/nurbs/paper/clusters.h"

#include <algorithm>
#include <map>

namespace pliant::nurbs::paper {
namespace {

// Weights nearer to each other than this are equal: of symmetric models they differ by rounding.
constexpr double tie = 1e-6;

/// A set of parts and the weight that each of them has where just these are blended.
struct Candidate {
  std::vector<int> parts;
  std::vector<double> weight;
};

std::vector<Candidate> find_candidates(const std::vector<Blend>& blends,
                                       const std::vector<double>& volume) {
  std::map<std::vector<int>, std::size_t> known;
  std::vector<Candidate> candidates;
  for (std::size_t p = 0; p < blends.size(); ++p) {
    const Blend& blend = blends[p];
    if (blend.part.size() < 2) continue;
    const auto [place, is_new] = known.try_emplace(blend.part, candidates.size());
    if (is_new) candidates.push_back({blend.part, std::vector<double>(blend.part.size(), 0)});
    Candidate& candidate = candidates[place->second];
    for (std::size_t k = 0; k < blend.part.size(); ++k)
      candidate.weight[k] += volume[p] * blend.weight[k];
  }
  return candidates;
}

}  // namespace

Clusters choose_clusters(const std::vector<Blend>& blends, const std::vector<double>& volume,
                         int parts, bool lightest) {
  const std::vector<Candidate> candidates = find_candidates(blends, volume);
  std::vector<int> best(std::size_t(parts), -1);
  std::vector<double> best_weight(best.size(), 0);
  for (int c = 0; c < int(candidates.size()); ++c)
    for (std::size_t k = 0; k < candidates[c].parts.size(); ++k) {
      const int part = candidates[c].parts[k];
      const double weight = candidates[c].weight[k], before = best_weight[part];
      bool is_better = best[part] < 0;
      if (!is_better && std::abs(weight - before) <= tie * before)
        is_better = candidates[c].parts.size() < candidates[best[part]].parts.size();
      else if (!is_better) is_better = lightest ? weight < before : weight > before;
      if (!is_better) continue;
      best[part] = c;
      best_weight[part] = weight;
    }
  Clusters clusters{.candidates = int(candidates.size())};
  std::map<std::vector<int>, int> number;
  for (int part = 0; part < parts; ++part) {
    const std::vector<int> members =
        best[part] < 0 ? std::vector<int>{part} : candidates[best[part]].parts;
    const auto [place, is_new] = number.try_emplace(members, int(clusters.members.size()));
    if (is_new) clusters.members.push_back(members);
    clusters.of.push_back(place->second);
  }
  return clusters;
}

}  // namespace pliant::nurbs::paper
