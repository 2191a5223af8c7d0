#include "contact/body_candidates.h"

#include <algorithm>

#include "core/parallel.h"

namespace pliant {
namespace {

constexpr double sharp = 0.98;  // cosine of 11 degrees between the faces of an edge

constexpr double own_size = 6;  // longest edges

/// [m] Features of the two that are further apart cannot touch before they are listed again.
double radius(const Body& a, const Body& b, double reach, double foreseen) {
  return 2 * (a.thickness + b.thickness) + reach + foreseen;
}

}  // namespace

double BodyCandidates::size(std::span<const Body> bodies, int a, int b) const {
  const double smaller = std::min(bodies[a].size, bodies[b].size);
  return a == b ? std::min(smaller, own_size * shape_[a].longest_edge) : smaller;
}

void BodyCandidates::prepare(std::span<const Body> bodies, Touches touch) {
  const std::size_t count = bodies.size();
  shape_.resize(count);
  tree_.resize(count);
  ridges_.resize(count);
  ridge_start_.resize(count);
  active_.resize(count);
  count_ = 0;
  parallel_for(int(count), 1, [&](int b, int) {
    const Skin& skin = bodies[b].skin;
    active_[b].clear();
    if (shape_[b].revision != skin.revision ||
        shape_[b].edge_of_side.size() != skin.triangles.size()) {
      shape_[b].build(skin);
      tree_[b].build(skin);
    }
    if (touch == Touches::colliders) return;
    tree_[b].refit(skin);
    if (touch == Touches::all) tree_[b].fit_cones(skin);
    find_ridges(bodies[b], b);
  });
}

void BodyCandidates::find_ridges(const Body& body, int b) {
  const Skin& skin = body.skin;
  const SkinShape& shape = shape_[b];
  const auto is_ridge = [&](const SkinShape::Edge& edge) {
    // An open rim can meet edges from all sides; a flat or hollow edge meets none.
    if (edge.face[1] < 0) return true;
    const Vec3 first = face_normal(skin, skin.position, edge.face[0]);
    const Vec3 second = face_normal(skin, skin.position, edge.face[1]);
    if (first.dot(second) > sharp) return false;
    const Triangle& t = skin.triangles[edge.face[1]];
    const int apex = t[0] + t[1] + t[2] - edge.vertex[0] - edge.vertex[1];
    return first.dot(skin.position[apex] - skin.position[edge.vertex[0]]) <= 0;
  };
  ridges_[b].clear();
  ridge_start_[b].assign(1, 0);
  for (int leaf = 0; leaf < tree_[b].leaves(); ++leaf) {
    for (const int t : tree_[b].triangles(leaf))
      for (const int e : shape.edge_of_side[t])  // once, not from both its triangles
        if (shape.edges[e].face[0] == t && is_ridge(shape.edges[e])) ridges_[b].push_back(e);
    ridge_start_[b].push_back(int(ridges_[b].size()));
  }
}

void BodyCandidates::pair_up(std::span<const Body> bodies, const ContactSettings& settings,
                             std::span<const double> alone) {
  count_ = 0;
  const auto add = [&](int a, int b) {
    if (count_ == int(pairs_.size())) pairs_.emplace_back();
    Pair& pair = pairs_[count_++];
    pair.a = a, pair.b = b;
    pair.of_a.clear();
    pair.of_b.clear();
  };
  // Along x, so that bodies side by side are not compared each with each.
  by_place_.clear();
  for (int b = 0; b < int(bodies.size()); ++b)
    if (!tree_[b].empty()) by_place_.push_back(b);
  std::sort(by_place_.begin(), by_place_.end(), [&](int p, int q) {
    const double low_p = tree_[p].box().low.x() - alone[p];
    const double low_q = tree_[q].box().low.x() - alone[q];
    return low_p != low_q ? low_p < low_q : p < q;
  });
  double widest = 0;  // what thickness and reach can add
  for (const Body& body : bodies)
    widest = std::max(widest, radius(body, body, settings.reach * body.size, 0));
  for (std::size_t i = 0; i < by_place_.size(); ++i) {
    const int a = by_place_[i];
    if (settings.touch == Touches::all) add(a, a);
    const double end = tree_[a].box().high.x() + alone[a] + widest;
    for (std::size_t k = i + 1; k < by_place_.size(); ++k) {
      const int b = by_place_[k];
      if (tree_[b].box().low.x() - alone[b] > end) break;
      Box box = tree_[b].box();
      box.grow(
          radius(bodies[a], bodies[b], settings.reach * size(bodies, a, b), alone[a] + alone[b]));
      if (box.overlaps(tree_[a].box())) add(std::min(a, b), std::max(a, b));
    }
  }
  std::sort(pairs_.begin(), pairs_.begin() + count_,
            [](const Pair& p, const Pair& q) { return p.a != q.a ? p.a < q.a : p.b < q.b; });
}

/// From the pairs of leaves: for each leaf of one side those it can meet. `turned`: for those of b.
void BodyCandidates::sort_out(int leaves, bool turned, Leaves& out) {
  const auto mine = [&](const std::pair<int, int>& two) { return turned ? two.second : two.first; };
  next_.assign(std::size_t(leaves) + 1, 0);
  for (const auto& two : near_) ++next_[mine(two) + 1];
  out.clear();
  for (int leaf = 0; leaf < leaves; ++leaf) {
    next_[leaf + 1] += next_[leaf];
    if (next_[leaf + 1] == next_[leaf]) continue;
    out.leaf.push_back(leaf);
    out.start.push_back(next_[leaf + 1]);
  }
  out.other.resize(near_.size());
  for (const auto& two : near_) out.other[next_[mine(two)]++] = turned ? two.first : two.second;
}

void BodyCandidates::list(std::span<const Body> bodies, const ContactSettings& settings,
                          Pair& pair) {
  const SkinTree &a = tree_[pair.a], &b = tree_[pair.b];
  const double reach = radius(bodies[pair.a], bodies[pair.b],
                              settings.reach * size(bodies, pair.a, pair.b), pair.foreseen);
  near_.clear();
  if (pair.self()) {
    // A vertex far behind a triangle cannot come round to its front (see SkinPair).
    const double behind = 4 * bodies[pair.a].thickness + 3 * pair.foreseen;
    a.near_itself(reach, behind, [&](int m, int n) {
      near_.emplace_back(m, n);
      near_.emplace_back(n, m);
    });
    sort_out(a.leaves(), false, pair.of_a);
    return;
  }
  a.near(b, reach, [&](int m, int n) { near_.emplace_back(m, n); });
  sort_out(a.leaves(), false, pair.of_a);
  sort_out(b.leaves(), true, pair.of_b);
}

void BodyCandidates::gather_leaves() {
  for (std::vector<int>& leaves : active_) leaves.clear();
  for (const Pair& pair : pairs()) {
    active_[pair.a].insert(active_[pair.a].end(), pair.of_a.leaf.begin(), pair.of_a.leaf.end());
    active_[pair.b].insert(active_[pair.b].end(), pair.of_b.leaf.begin(), pair.of_b.leaf.end());
  }
  for (std::vector<int>& leaves : active_) {
    std::sort(leaves.begin(), leaves.end());
    leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
  }
}

int BodyCandidates::count() const {
  std::size_t sum = 0;
  for (const Pair& pair : pairs()) sum += pair.of_a.other.size();
  return int(sum);
}

}  // namespace pliant
