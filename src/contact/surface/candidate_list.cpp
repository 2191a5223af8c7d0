#include "contact/surface/candidate_list.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "core/assert.h"

namespace pliant {
namespace {

/// In the order of distances, then of triangles: positive floats have the order of their bits.
std::uint64_t key(int triangle, float distance) {
  return std::uint64_t(std::bit_cast<std::uint32_t>(distance)) << 32 | std::uint32_t(triangle);
}
Candidate candidate_of(std::uint64_t key) {
  return {int(std::uint32_t(key)), std::bit_cast<float>(std::uint32_t(key >> 32))};
}

/// Writes candidates in order.
void sort(std::span<std::uint64_t> keys, Candidate* out) {
  constexpr std::size_t few = 24;
  if (keys.size() > few) {
    std::sort(keys.begin(), keys.end());
    for (const std::uint64_t each : keys) *out++ = candidate_of(each);
    return;
  }
  // Each goes to the place that as many others come before: nothing to guess wrong. No two are
  // the same.
  for (const std::uint64_t each : keys) {
    int before = 0;
    for (const std::uint64_t other : keys) before += other < each;
    out[before] = candidate_of(each);
  }
}

}  // namespace

void CandidateList::clear() {
  vertex.clear();
  start.assign(1, 0);
  candidate.clear();
  last.clear();
  clearance.clear();
}

void CandidateList::take(std::vector<Found>& found) {
  std::sort(found.begin(), found.end(), [](const Found& p, const Found& q) {
    return std::tie(p.vertex, p.distance, p.triangle) < std::tie(q.vertex, q.distance, q.triangle);
  });
  clear();
  for (const auto& [v, t, distance] : found) {
    if (vertex.empty() || vertex.back() != v) {
      vertex.push_back(v);
      start.push_back(0);
      last.push_back(-1);
      clearance.push_back(0);
    }
    candidate.push_back({t, distance});
    start.back() = int(candidate.size());
  }
}

void CandidateList::take(std::span<const Found> found, int vertices, Workspace& workspace) {
  ASSERT(vertices >= 0, "a skin has vertices");
  auto& [next, keys] = workspace;
  next.assign(std::size_t(vertices) + 1, 0);
  for (const auto& [v, t, distance] : found) ++next[v + 1];
  clear();
  for (int v = 0; v < vertices; ++v) {
    next[v + 1] += next[v];
    if (next[v + 1] == next[v]) continue;
    vertex.push_back(v);
    start.push_back(next[v + 1]);
  }
  keys.resize(found.size());
  candidate.resize(found.size());
  last.assign(vertex.size(), -1);
  clearance.assign(vertex.size(), 0);
  for (const auto& [v, t, distance] : found) keys[next[v]++] = key(t, distance);
  for (int i = 0; i < count(); ++i) {
    const int begin = start[i];
    sort({keys.data() + begin, std::size_t(start[i + 1] - begin)}, candidate.data() + begin);
  }
}

}  // namespace pliant
