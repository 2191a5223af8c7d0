#include "contact/pairs/pair_contacts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/parallel.h"

namespace pliant {
namespace {

constexpr int grain = 64;  // vertices or edges

// How far lists look ahead, in sizes. Lists of features are looked through in every substep, so
// they look less far than lists of bodies.
constexpr double short_sight = 0.025;
constexpr double long_sight = 0.1;
constexpr double around = 0.1;   // vertices that are so near to the lists are followed one by one
constexpr double far_sight = 8;  // times those, where nothing is near

}  // namespace

double PairContacts::Together::reach(double way) const {
  return std::max(thickness + contact_reach(always(), thickness, way), travel);
}

SkinPair PairContacts::skin_pair(std::span<const Body> bodies, const ContactSurfaces& surfaces,
                                 const ContactSettings& settings, const ContactMemory& memory,
                                 const PairSide& side, double h) const {
  const Body &a = bodies[side.a], &b = bodies[side.b];
  const double size = candidates_.size(bodies, side.a, side.b);
  const double thickness = a.thickness + b.thickness;
  const Together& together = together_[side.pair];
  return {.a = a,
          .b = b,
          .topology_a = surfaces.topology(side.a),
          .topology_b = surfaces.topology(side.b),
          .memory = memory,
          .index_a = side.a,
          .index_b = side.b,
          .size = size,
          .thickness = thickness,
          .near = together.always(),
          .depth = together.always(),
          .travel = together.features_travel,
          .moved = together.features_moved,
          .exit = settings.exit_speed * size * h,
          .tolerance = settings.tolerance * size,
          .deepest = together.near};
}

void PairContacts::find_candidates(std::span<const Body> bodies, const ContactSurfaces& surfaces,
                                   const ContactSettings& settings, double dt,
                                   std::span<const DisplacementBound> went) {
  step_ = dt;
  meets_ = settings.touch != Touches::colliders && bodies.size() > 1;
  clear_.assign(bodies.size(), 1);
  outran_ = all_outran_ = false;
  for (Together& together : together_) together.kept.forget();
  for (BodyBudget& moving : moving_) moving.travel = 0;
  marked_.clear();
  starts_ = true;
  if (meets_) {
    notice_moved(bodies, surfaces, went);
    find_pairs(bodies, surfaces, settings, {});
  } else {
    candidates_.forget();
  }
}

/// Measures how far bodies went by where they are: between steps anybody may have moved them.
void PairContacts::notice_moved(std::span<const Body> bodies, const ContactSurfaces& surfaces,
                                std::span<const DisplacementBound> went) {
  if (moving_.size() != bodies.size()) {
    candidates_.forget();
    return;
  }
  constexpr double infinite = std::numeric_limits<double>::infinity();
  const std::span<const BodyPairs::Pair> pairs = candidates_.pairs();
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    Together& together = together_[p];
    together.moved = infinite;
    together.go(went.empty() ? infinite
                             : relative_displacement(went[pairs[p].a], went[pairs[p].b]));
  }
  measured_.assign(bodies.size(), 0);
  measure_all(bodies, surfaces);
}

/// `moved`: in this substep, where one has begun. Pairs that were there before keep their lists.
void PairContacts::find_pairs(std::span<const Body> bodies, const ContactSurfaces& surfaces,
                              const ContactSettings& settings, std::span<const SkinMotion> moved) {
  const int count = int(bodies.size());
  moving_.resize(std::size_t(count));
  alone_.resize(std::size_t(count));
  for (int b = 0; b < count; ++b) {
    // With room to spare, as it costs little here. Bodies that are found again within the step were
    // faster than their velocities said.
    moving_[b].foreseen =
        std::max(predicted_displacement(top_speed(bodies[b].nodes), step_), 4 * moving_[b].travel) +
        long_sight * bodies[b].size;
    moving_[b].before = moving_[b].moved = 0;
    alone_[b] = moving_[b].foreseen;
  }
  candidates_.pair_up(bodies, surfaces, settings, alone_);
  const std::span<const BodyPairs::Pair> pairs = candidates_.pairs();
  together_.swap(old_together_);
  together_.assign(pairs.size(), {});
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    Together& together = together_[p];
    if (pairs[p].before >= 0) together = std::move(old_together_[pairs[p].before]);
    together.travel = moved.empty() ? 0
                                    : relative_displacement(moved[pairs[p].a].in_substep,
                                                            moved[pairs[p].b].in_substep);
    together.near = settings.reach * candidates_.size(bodies, pairs[p].a, pairs[p].b);
    together.thickness = bodies[pairs[p].a].thickness + bodies[pairs[p].b].thickness;
  }
  recall_pairs();
  outran_pairs_.assign(pairs.size(), 1);
  renewed_.assign(pairs.size(), 1);
  parallel_for(int(pairs.size()), 1, [&](int p, int) {
    if (pairs[p].before < 0) return;
    if (!starts_) follow_features(bodies, std::size_t(p));
    renewed_[p] = needs_parts(bodies, std::size_t(p));
    // At the start of a step nothing moved that the first substep will not follow.
    outran_pairs_[p] = renewed_[p] || (starts_ ? candidates_.is_bent(pairs[p], surfaces)
                                               : pair_outran(std::size_t(p)));
  });
  paired_ = true;
  take_marked();
}

/// [m] How far the lists of a pair look ahead.
double PairContacts::sight(std::span<const Body> bodies, std::size_t p) const {
  const BodyPairs::Pair& pair = candidates_.pairs()[p];
  return short_sight * candidates_.size(bodies, pair.a, pair.b);
}

/// Whether lists that are made of the parts at hand would last too short a time.
bool PairContacts::needs_parts(std::span<const Body> bodies, std::size_t p) const {
  const BodyPairs::Pair& pair = candidates_.pairs()[p];
  const double left = pair.apart - together_[p].moved;
  return left < together_[p].reach_at_most() + 0.5 * sight(bodies, p);
}

/// `finds_parts`: anew, for which all boxes of the two must be up to date.
void PairContacts::list(std::span<const Body> bodies, const ContactSurfaces& surfaces,
                        std::size_t p, bool finds_parts) {
  BodyPairs::Pair& pair = candidates_.pairs()[p];
  Together& together = together_[p];
  const double size = candidates_.size(bodies, pair.a, pair.b);
  const double most_foreseen = sight(bodies, p), far = far_sight * most_foreseen;
  if (finds_parts) {
    together.before = together.moved = 0;
    together.young = true;
    const double reach = together.reach_at_most() + most_foreseen;
    candidates_.find_parts(surfaces, pair, reach + around * size, reach + far);
  }
  const double apart = pair.apart - together.moved;
  constexpr int most_rounds = 3;
  for (int round = 1;; ++round) {
    // Where what was listed turns out to go further than what was known, it must be listed again.
    if (round == most_rounds) together.features_travel = together.travel;
    pair.reach = together.reach();
    pair.foreseen = std::min(most_foreseen, apart - pair.reach);
    candidates_.list(bodies, surfaces, pair);
    if (!pair.parts.empty()) candidates_.look_around(bodies, surfaces, pair, apart);
    together.room_left = 0;  // to be measured
    if (starts_) break;
    follow_features(bodies, p);
    if (round == most_rounds || !pair_outran(p)) break;
  }
  together.gone = 0;
}

/// [m] Of those around a pair's lists, when both sides went the way of `middle`, more or less. Two
/// that are not listed were at least as far apart as the rooms of both say; so when each goes half
/// of its own further than that way, they have not met.
double PairContacts::room_left(const Skin& skin, const BodyPairs::Bystanders& around,
                               const Vec3& middle) {
  const auto& [watched, room] = around;
  return least_clearance(watched.vertex, skin.position, watched.start, room, middle);
}

/// By how far their nodes went.
bool PairContacts::bodies_outran(std::size_t p) const {
  return together_[p].moved + together_[p].reach() > candidates_.pairs()[p].apart;
}

bool PairContacts::pair_outran(std::size_t p) const {
  if (together_[p].kept.now) return false;  // nobody looks at its lists
  return bodies_outran(p) ||
         (candidates_.pairs()[p].has_around() && together_[p].room_left < together_[p].reach());
}

/// How far bodies went since ways are measured, which is less than all their ways together: those
/// that are asked for.
void PairContacts::measure(std::span<const Body> bodies, const ContactSurfaces& surfaces) {
  const std::span<const BodyPairs::Pair> pairs = candidates_.pairs();
  since_.resize(bodies.size());
  parallel_for(int(bodies.size()), 1, [&](int b, int) {
    if (!measure_[b] || measured_[b]) return;
    const std::vector<Vec3>& now = bodies[b].nodes.position;
    since_[b] = start_[b].size() == now.size()
                    ? displacement_of(now, start_[b]).scaled_by(surfaces.topology(b).spread)
                    : DisplacementBound::unbounded();
    measured_[b] = 1;
    moving_[b].moved = std::min(moving_[b].moved, moving_[b].before + since_[b].max);
  });
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    Together& together = together_[p];
    const int a = pairs[p].a, b = pairs[p].b;
    if (!together.young && measured_[a] && measured_[b])
      together.moved =
          std::min(together.moved, together.before + relative_displacement(since_[a], since_[b]));
  }
}

void PairContacts::measure_all(std::span<const Body> bodies, const ContactSurfaces& surfaces) {
  measure_.assign(bodies.size(), 1);
  measure(bodies, surfaces);
}

/// From now on ways are measured from where nodes are.
void PairContacts::measure_from_here(std::span<const Body> bodies) {
  start_.resize(bodies.size());
  parallel_for(int(bodies.size()), 1, [&](int b, int) { start_[b] = bodies[b].nodes.position; });
  for (BodyBudget& moving : moving_) moving.before = moving.moved;
  for (Together& together : together_) {
    together.before = together.moved;
    together.young = false;
  }
  age_ = 0;
}

void PairContacts::mark_outran(std::span<const Body> bodies, ContactSurfaces& surfaces,
                               const ContactSettings& settings, std::span<const SkinMotion> moved) {
  const int count = int(bodies.size());
  marked_.clear();
  follow_features(bodies);
  if (all_outran_) {
    bool same_skins = int(moving_.size()) == count;
    for (int b = 0; same_skins && b < count; ++b)
      same_skins = surfaces.topology(b).revision == bodies[b].skin.revision;
    if (!same_skins) surfaces.prepare(bodies, settings.touch);
    else
      for (int b = 0; b < count; ++b) surfaces.place(bodies[b], b);
    find_pairs(bodies, surfaces, settings, moved);
    surfaces.forget_new();
  } else if (outran_) {
    mark_pairs(bodies, surfaces);
  }
}

/// Marks the pairs that moved further than foreseen.
void PairContacts::mark_pairs(std::span<const Body> bodies, const ContactSurfaces& surfaces) {
  const std::span<const BodyPairs::Pair> pairs = candidates_.pairs();
  outran_pairs_.assign(pairs.size(), 0);
  renewed_.assign(pairs.size(), 0);
  measure_.assign(bodies.size(), 0);
  for (std::size_t p = 0; p < pairs.size(); ++p)
    if (pair_outran(p) && needs_parts(bodies, p)) measure_[pairs[p].a] = measure_[pairs[p].b] = 1;
  measure(bodies, surfaces);
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    outran_pairs_[p] = pair_outran(p);
    renewed_[p] = outran_pairs_[p] && needs_parts(bodies, p);
  }
  take_marked();
}

void PairContacts::take_marked() {
  for (std::size_t p = 0; p < outran_pairs_.size(); ++p)
    if (outran_pairs_[p]) marked_.push_back(int(p));
}

/// All boxes of bodies whose parts are found anew, else those of the parts at hand.
void PairContacts::ask_boxes(ContactSurfaces& surfaces) const {
  for (const int p : marked_) {
    const BodyPairs::Pair& pair = candidates_.pairs()[std::size_t(p)];
    if (renewed_[p]) surfaces.ask_all(pair.a), surfaces.ask_all(pair.b);
    else BodyPairs::ask_parts(pair, surfaces);
  }
}

void PairContacts::list_marked(std::span<const Body> bodies, const ContactSurfaces& surfaces,
                               int k) {
  list(bodies, surfaces, std::size_t(marked_[k]), renewed_[marked_[k]]);
}

void PairContacts::finish_lists(std::span<const Body> bodies, const ContactSurfaces& surfaces) {
  if (starts_ || outran_ || all_outran_) line_up();
  if (paired_) {
    measure_from_here(bodies);
  } else if (outran_) {
    const bool renews = std::find(renewed_.begin(), renewed_.end(), 1) != renewed_.end();
    constexpr int old = 8;  // where a sum of ways is no longer about the way
    if (renews && age_ >= old) {
      measure_all(bodies, surfaces);
      measure_from_here(bodies);
    }
  }
  starts_ = outran_ = all_outran_ = paired_ = false;
}

/// Puts the sides of all pairs in the order of their contacts' keys, and finds who stays clear.
void PairContacts::line_up() {
  std::fill(clear_.begin(), clear_.end(), 1);
  sides_.clear();
  const std::span<BodyPairs::Pair> pairs = candidates_.pairs();
  for (int p = 0; p < int(pairs.size()); ++p) {
    BodyPairs::Pair& pair = pairs[p];
    if (!pair.empty() || pair.has_around()) clear_[pair.a] = clear_[pair.b] = 0;
    if (pair.empty()) continue;
    sides_.push_back({p, pair.a, pair.b, &pair.of_a, 0, 0});
    sides_.push_back({p, pair.b, pair.a, &pair.of_b, 1, 0});
  }
  std::sort(sides_.begin(), sides_.end(), [](const PairSide& p, const PairSide& q) {
    return p.a != q.a ? p.a < q.a : p.b < q.b;
  });
  for (int p = 0; p < int(pairs.size()); ++p)
    if (!pairs[p].edges.empty()) sides_.push_back({p, pairs[p].a, pairs[p].b, nullptr, 2, 0});
}

int PairContacts::count(const PairSide& side) const {
  const Together& together = together_[side.pair];
  if (together.kept.now) return int(together.kept.kind[side.kind].size());
  return side.vertices ? side.vertices->count() : int(candidates_.pairs()[side.pair].edges.size());
}

/// Whether a body can have come near others than it is paired with.
bool PairContacts::outran_foreseen(int body) const {
  const BodyBudget& moving = moving_[body];
  return moving.moved + 2 * moving.travel > moving.foreseen;
}

void PairContacts::follow(std::span<const Body> bodies, const ContactSurfaces& surfaces,
                          std::span<const SkinMotion> moved) {
  const int count = int(bodies.size());
  outran_ = all_outran_ = false;
  if (!meets_) return;
  if (int(moving_.size()) != count) {
    moving_.resize(std::size_t(count));
    clear_.assign(std::size_t(count), 0);
    outran_ = all_outran_ = true;
    return;
  }
  for (int b = 0; b < count; ++b) {
    moving_[b].travel = moved[b].in_substep.max;
    moving_[b].moved += moved[b].since_detection.max;
  }
  const std::span<const BodyPairs::Pair> pairs = candidates_.pairs();
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const int a = pairs[p].a, b = pairs[p].b;
    Together& together = together_[p];
    together.travel = relative_displacement(moved[a].in_substep, moved[b].in_substep);
    together.went = relative_displacement(moved[a].since_detection, moved[b].since_detection);
    together.moved += together.went;
    together.room_left -= together.went;
    together.kept.follow(together.went, together.thickness);
  }
  ++age_;
  measured_.assign(std::size_t(count), 0);
  measure_.assign(std::size_t(count), 0);
  for (int b = 0; b < count; ++b) measure_[b] = outran_foreseen(b);
  for (std::size_t p = 0; p < pairs.size(); ++p)
    if (!together_[p].kept.now && bodies_outran(p)) measure_[pairs[p].a] = measure_[pairs[p].b] = 1;
  measure(bodies, surfaces);
  for (int b = 0; b < count; ++b)
    all_outran_ = all_outran_ || surfaces.topology(b).revision != bodies[b].skin.revision ||
                  outran_foreseen(b);
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (together_[p].kept.now || !bodies_outran(p)) continue;
    outran_ = true;
    clear_[pairs[p].a] = clear_[pairs[p].b] = 0;
  }
  outran_ = outran_ || all_outran_;
}

void PairContacts::follow_features(std::span<const Body> bodies, std::size_t p) {
  using ListedVertices = BodyPairs::ListedVertices;
  const BodyPairs::Pair& pair = candidates_.pairs()[p];
  const Skin &ours = bodies[pair.a].skin, &theirs = bodies[pair.b].skin;
  Together& together = together_[p];
  if (together.kept.now) {
    together.gone += together.went;
    return;
  }
  const auto ways = [](const Skin& skin, const ListedVertices& watched) {
    return displacements_of(watched.vertex, skin.position, skin.previous, watched.start,
                            skin.last_seen());
  };
  auto [in_substep_a, a, went_a] = ways(ours, pair.watched_a);
  auto [in_substep_b, b, went_b] = ways(theirs, pair.watched_b);
  together.features_moved = relative_displacement(a, b);
  together.features_travel = relative_displacement(in_substep_a, in_substep_b);
  together.gone +=
      std::isfinite(together.went) ? relative_displacement(went_a, went_b) : together.went;
  if (!pair.has_around() || together.room_left >= together.reach()) return;
  if (pair.empty()) {
    a = ways(ours, pair.around_a.watched).since_start;
    b = ways(theirs, pair.around_b.watched).since_start;
  }
  const Vec3 middle = 0.5 * (a.mean + b.mean);
  together.room_left =
      std::min(room_left(ours, pair.around_a, middle), room_left(theirs, pair.around_b, middle));
}

void PairContacts::follow_features(std::span<const Body> bodies) {
  if (!meets_) return;
  check_kept(bodies);
  if (all_outran_) return;
  parallel_for(int(together_.size()), 4, [&](int begin, int end) {
    for (int p = begin; p < end; ++p) follow_features(bodies, std::size_t(p));
  });
  for (std::size_t p = 0; p < together_.size() && !outran_; ++p) outran_ = pair_outran(p);
}

// Whoever was seen to be far away is passed over until the pair has gone so far that it may be near
// again; see also SkinPair::touch_listed.
void PairContacts::look_at_edges(const SkinPair& pair, const PairSide& side, int first, int stop,
                                 std::vector<Contact>& found) {
  const Together& together = together_[side.pair];
  const double looked = together.gone + pair.furthest();
  for (int k = first; k < stop; ++k) {
    auto& [a, b, room] = candidates_.pairs()[side.pair].edges[k];
    if (room <= looked) room = pair.cross(a, b, found) + together.gone;
  }
}

/// Contacts of pairs that have slipped are found anew.
void PairContacts::check_kept(std::span<const Body> bodies) {
  parallel_for(int(together_.size()), 4, [&](int begin, int end) {
    for (int p = begin; p < end; ++p) {
      RecycledContacts& kept = together_[p].kept;
      kept.now = kept.now && kept.hold(bodies, together_[p].thickness);
    }
  });
}

/// Looks at all vertices, then at all edges; as they are in order, so are the contacts.
void PairContacts::look(std::span<const Body> bodies, const ContactSurfaces& surfaces,
                        const ContactSettings& settings, const ContactMemory& memory, double h,
                        ContactList& contacts) {
  int total = 0;
  for (PairSide& side : sides_) {
    side.start = total;
    total += count(side);
  }
  const auto chunks = std::size_t((total + grain - 1) / grain);
  if (near_by_.size() < chunks) near_by_.resize(chunks);  // they keep their room
  found_.append(total, grain, contacts, [&](int begin, int end, std::vector<Contact>& found) {
    SkinPair::VertexNeighbours& near_by = near_by_[begin / grain];
    auto side = std::upper_bound(sides_.begin(), sides_.end(), begin,
                                 [](int i, const PairSide& s) { return i < s.start; }) -
                1;
    for (int i = begin; i < end; ++side) {
      const SkinPair pair = skin_pair(bodies, surfaces, settings, memory, *side, h);
      const int first = i - side->start;
      const int stop = std::min(end, side->start + count(*side)) - side->start;
      if (const RecycledContacts& kept = together_[side->pair].kept; kept.now)
        for (int k = first; k < stop; ++k) pair.again(kept.kind[side->kind][k], found);
      else if (side->vertices)
        pair.touch_listed(*side->vertices, first, stop, together_[side->pair].gone, near_by, found);
      else look_at_edges(pair, *side, first, stop, found);
      i = side->start + stop;
    }
  });
}

/// Whether a pair overlaps, and whether so much that the next substep must look for it as far as it
/// can.
void PairContacts::note_depth(std::span<const Body> bodies, const Contact& c, Together& together) {
  const double overlap = -c.distance();
  if (overlap > 0 || c.goal < 0) together.overlaps = true;
  if (overlap <= 0) return;
  const auto way = [&](const Anchor& at) -> Vec3 {
    const Skin& skin = bodies[at.body].skin;
    return at.point(skin.position) - at.point(skin.previous);
  };
  if (overlap > 2 * (way(c.a) - way(c.b)).norm()) together.deep = true;
}

/// What the next substep must know of the contacts of each pair, those from `first` on: how deep
/// they are, and whether they may stay as they are. They may where soft bodies do not overlap.
void PairContacts::look_back(std::span<const Body> bodies, const ContactSurfaces& surfaces,
                             const ContactSettings& settings, const ContactList& contacts,
                             std::size_t first) {
  const std::span<const BodyPairs::Pair> pairs = candidates_.pairs();
  const auto is_solid = [&](int b) { return bodies[b].deforms && surfaces.topology(b).closed; };
  const auto look = [&](int p) {
    const int a = pairs[p].a, b = pairs[p].b;
    Together& together = together_[p];
    const bool any = !pairs[p].empty();
    std::array<std::size_t, 3> begin{}, end{};  // of its contacts, by kind
    for (int kind = 0; kind < 3 && any; ++kind) {
      constexpr int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
      const int of = kind == 2 ? ContactKey::edge_edge : ContactKey::vertex_triangle;
      const int i = kind == 1 ? b : a, k = kind == 1 ? a : b;
      begin[kind] = contacts.lower_bound({of, i, k, least, least}, first);
      end[kind] = contacts.lower_bound({of, i, k, most, most}, begin[kind]);
    }
    if (!sides_.empty()) together.deep = together.overlaps = false;
    for (int kind = 0; kind < 3; ++kind)
      for (std::size_t i = begin[kind]; i < end[kind]; ++i)
        note_depth(bodies, contacts[i], together);
    const bool overlap = together.deep || together.overlaps;
    together.kept.go_on(!overlap && is_solid(a) && is_solid(b), settings.most_kept);
    if (!together.kept.may || together.kept.now) return;
    for (int kind = 0; kind < 3; ++kind)
      together.kept.take(kind, contacts, begin[kind], end[kind], bodies);
  };
  parallel_for(int(pairs.size()), 4, [&](int begin, int end) {
    for (int p = begin; p < end; ++p) look(p);
  });
}

void PairContacts::find(std::span<const Body> bodies, const ContactSurfaces& surfaces,
                        const ContactSettings& settings, const ContactMemory& memory,
                        const Substep& substep, ContactList& contacts) {
  if (!meets_) return;
  const std::size_t before = contacts.size();
  if (!sides_.empty()) {
    look(bodies, surfaces, settings, memory, substep.h, contacts);
    inside_check_.clear(bodies, surfaces.topologies(), memory, before, contacts);
  }
  look_back(bodies, surfaces, settings, contacts, before);
  remember_pairs();
  // So that the next step can tell by where bodies are then how far they went.
  if (!substep.last) return;
  measure_all(bodies, surfaces);
  measure_from_here(bodies);
}

void PairContacts::remember_pairs() {
  known_.clear();
  const std::span<const BodyPairs::Pair> pairs = candidates_.pairs();
  for (std::size_t p = 0; p < pairs.size(); ++p)
    known_.push_back({pairs[p].a, pairs[p].b, together_[p].deep, together_[p].features_travel});
}

void PairContacts::recall_pairs() {
  const std::span<const BodyPairs::Pair> pairs = candidates_.pairs();
  auto known = known_.begin();
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto is_before = [&](const RememberedPair& k) {
      return k.a != pairs[p].a ? k.a < pairs[p].a : k.b < pairs[p].b;
    };
    while (known != known_.end() && is_before(*known)) ++known;
    if (known == known_.end()) return;
    if (known->a != pairs[p].a || known->b != pairs[p].b) continue;
    together_[p].deep = known->deep;
    together_[p].features_travel = known->features_travel;
  }
}

void PairContacts::archive(Archive& archive) {
  std::vector<int> pairs;
  for (const RememberedPair& known : known_)
    pairs.insert(pairs.end(), {known.a, known.b, int(known.deep)});
  archive.array("contact pairs", pairs);
  if (!archive.is_loading()) return;
  candidates_.forget();
  known_.clear();
  for (std::size_t p = 0; p + 2 < pairs.size(); p += 3)
    known_.push_back({pairs[p], pairs[p + 1], pairs[p + 2] != 0, 0});
}

}  // namespace pliant
