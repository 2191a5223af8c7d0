#include "contact/pairs/pair_contacts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "contact/pairs/pair_lists.h"
#include "core/assert.h"
#include "core/parallel.h"

namespace pliant {
namespace {

constexpr int grain = 64;      // vertices or edges
constexpr int pair_grain = 4;  // pairs of bodies

// How far lists look ahead, in scales. Lists of features are looked through in every substep, so
// they look less far than lists of bodies.
constexpr double short_sight = 0.025;
constexpr double long_sight = 0.1;
constexpr double nearby = 0.1;   // vertices that are so near to the lists are followed one by one
constexpr double far_sight = 8;  // times those, where nothing is near

constexpr double infinite = std::numeric_limits<double>::infinity();

/// [m] How far the lists of a pair look ahead.
double sight(const ContactFrame& frame, const BodyPair& pair) {
  return short_sight * scale_of(frame.bodies, pair);
}

/// [m] Of those around a pair's lists, when both sides went by `mean`, more or less. Two that are
/// not listed were at least as far apart as the clearances of both say; so when each goes half of
/// its own further than that, they have not met.
double clearance_left(const Skin& skin, const Bystanders& around, const Vec3& mean) {
  const auto& [listed, clearance] = around;
  return least_clearance(listed.vertex, skin.position, listed.start, clearance, mean);
}

}  // namespace

SkinPair PairContacts::skin_pair(const ContactFrame& frame, const PairSide& side) const {
  const Body &a = frame.bodies[side.a], &b = frame.bodies[side.b];
  const BodyPair& pair = pairs_[side.pair];
  const double scale = scale_of(frame.bodies, pair);
  return {.a = a.skin,
          .b = b.skin,
          .topology_a = frame.surfaces.topology(side.a),
          .topology_b = frame.surfaces.topology(side.b),
          .memory = frame.memory,
          .index_a = side.a,
          .index_b = side.b,
          .friction = std::sqrt(a.friction * b.friction),
          .scale = scale,
          .thickness = a.thickness + b.thickness,
          .near = pair.always(),
          .depth = pair.always(),
          .travel = pair.listed_travel,
          .moved = pair.listed_moved,
          .exit = frame.settings.exit_speed * scale * frame.substep.h,
          .tolerance = frame.settings.tolerance * scale,
          .deepest = pair.near};
}

void PairContacts::start_step(const ContactFrame& frame) {
  ASSERT(frame.motion.size() == frame.bodies.size(), "motion is known of all bodies");
  meets_ = frame.settings.touch != Touches::colliders && frame.bodies.size() > 1;
  clear_.assign(frame.bodies.size(), 1);
  any_outran_ = bodies_outran_ = false;
  marked_.clear();
  starts_ = true;
  if (!meets_) {
    pairs_.assign({});
    return;
  }
  for (BodyPair& pair : pairs_.pairs()) pair.recycled.forget();
  for (BodyMotion& motion : motion_) motion.travel = 0;
  notice_moved(frame);
  find_pairs(frame);
}

/// Measures displacements by where bodies are: between steps anything may have moved them.
void PairContacts::notice_moved(const ContactFrame& frame) {
  if (motion_.size() != frame.bodies.size()) {
    pairs_.forget_lists();
    return;
  }
  for (BodyPair& pair : pairs_.pairs()) {
    pair.parts.doubt();
    pair.move(relative_displacement(frame.motion[pair.a].since_detection,
                                    frame.motion[pair.b].since_detection));
  }
  measured_.assign(frame.bodies.size(), 0);
  measure_all(frame);
}

/// Pairs that were there before keep their lists.
void PairContacts::find_pairs(const ContactFrame& frame) {
  const int count = int(frame.bodies.size());
  motion_.resize(std::size_t(count));
  alone_.resize(std::size_t(count));
  for (int b = 0; b < count; ++b) {
    // With an ample allowance, as it costs little here. Bodies that are found again within the step
    // were faster than their velocities said.
    const Body& body = frame.bodies[b];
    alone_[b] =
        std::max(predicted_displacement(top_speed(body.nodes), frame.step), 4 * motion_[b].travel) +
        long_sight * body.contact_scale;
    motion_[b].budget.start(alone_[b]);
  }
  pairs_.find(frame.bodies, frame.surfaces, frame.settings, alone_);
  outdated_.assign(std::size_t(pairs_.count()), 1);
  needs_parts_.assign(std::size_t(pairs_.count()), 1);
  parallel_for(pairs_.count(), 1, [&](int p, int) {
    BodyPair& pair = pairs_[p];
    pair.travel =
        relative_displacement(frame.motion[pair.a].in_substep, frame.motion[pair.b].in_substep);
    pair.near = frame.settings.reach * scale_of(frame.bodies, pair);
    pair.thickness = frame.bodies[pair.a].thickness + frame.bodies[pair.b].thickness;
    if (!pair.is_listed) return;
    if (!starts_) follow_features(frame, pair);
    needs_parts_[p] = needs_parts(frame, pair);
    // At the start of a step nothing moved that the first substep will not follow.
    outdated_[p] =
        needs_parts_[p] || (starts_ ? has_new_creases(pair, frame.surfaces) : !pair.lists_hold());
  });
  paired_ = true;
  take_marked();
}

/// Whether lists that are made of the parts at hand would last too short a time.
bool PairContacts::needs_parts(const ContactFrame& frame, const BodyPair& pair) const {
  return pair.parts.left() < pair.reach_of_any() + 0.5 * sight(frame, pair);
}

/// `finds_parts`: anew, for which all boxes of the two must be up to date.
void PairContacts::list(const ContactFrame& frame, BodyPair& pair, bool finds_parts) {
  const double scale = scale_of(frame.bodies, pair);
  const double most_allowed = sight(frame, pair), far = far_sight * most_allowed;
  if (finds_parts) {
    const double reach = pair.reach_of_any() + most_allowed;
    find_parts(frame.surfaces, pair, reach + nearby * scale, reach + far);
  }
  const double separation = pair.parts.left();
  constexpr int most_rounds = 3;
  for (int round = 1;; ++round) {
    // Where what was listed turns out to go further than what was known, it must be listed again.
    if (round == most_rounds) pair.listed_travel = pair.travel;
    pair.reach = pair.reach_now();
    pair.allowance = std::min(most_allowed, separation - pair.reach);
    list_features(frame.bodies, frame.surfaces, pair);
    if (!pair.part_pairs.empty()) list_bystanders(frame.bodies, frame.surfaces, pair, separation);
    pair.bystanders.start(0);  // to be measured
    pair.is_listed = true;
    if (starts_) break;
    follow_features(frame, pair);
    if (round == most_rounds || pair.lists_hold()) break;
  }
  pair.path = 0;
}

/// Measures how far bodies went since the last rebase(), which is less than the sum of their
/// displacements: those that are asked for.
void PairContacts::measure(const ContactFrame& frame) {
  const int count = int(frame.bodies.size());
  ASSERT(int(motion_.size()) == count && int(measure_.size()) == count, "bodies are followed");
  since_base_.resize(std::size_t(count));
  parallel_for(count, 1, [&](int b, int) {
    if (!measure_[b] || measured_[b]) return;
    const std::vector<Vec3>& now = frame.bodies[b].nodes.position;
    const double weight_norm = frame.surfaces.topology(b).weight_norm;
    since_base_[b] = base_[b].size() == now.size()
                         ? displacement_of(now, base_[b]).scaled_by(weight_norm)
                         : DisplacementBound::unbounded();
    measured_[b] = 1;
    motion_[b].budget.measured(since_base_[b].max);
  });
  for (BodyPair& pair : pairs_.pairs())
    if (measured_[pair.a] && measured_[pair.b])
      pair.parts.measured(relative_displacement(since_base_[pair.a], since_base_[pair.b]));
}

void PairContacts::measure_all(const ContactFrame& frame) {
  measure_.assign(frame.bodies.size(), 1);
  measure(frame);
}

/// From now on displacements are measured from where nodes are.
void PairContacts::rebase(const ContactFrame& frame) {
  base_.resize(frame.bodies.size());
  parallel_for(int(frame.bodies.size()), 1,
               [&](int b, int) { base_[b] = frame.bodies[b].nodes.position; });
  for (BodyMotion& motion : motion_) motion.budget.rebase();
  for (BodyPair& pair : pairs_.pairs()) pair.parts.rebase();
  age_ = 0;
}

void PairContacts::mark_outdated(const ContactFrame& frame) {
  marked_.clear();
  follow_features(frame);
  if (bodies_outran_) {
    const int count = int(frame.bodies.size());
    bool same_skins = frame.surfaces.count() == count;
    for (int b = 0; same_skins && b < count; ++b)
      same_skins = frame.surfaces.topology(b).revision == frame.bodies[b].skin.revision;
    if (!same_skins) frame.surfaces.prepare(frame.bodies, frame.settings.touch);
    else
      for (int b = 0; b < count; ++b) frame.surfaces.place(frame.bodies[b], b);
    find_pairs(frame);
    frame.surfaces.forget_new();
  } else if (any_outran_) {
    mark_pairs(frame);
  }
}

/// Marks the pairs that moved further than their lists allow, by measured displacements.
void PairContacts::mark_pairs(const ContactFrame& frame) {
  outdated_.assign(std::size_t(pairs_.count()), 0);
  needs_parts_.assign(std::size_t(pairs_.count()), 0);
  measure_.assign(frame.bodies.size(), 0);
  for (const BodyPair& pair : pairs_.pairs())
    if (!pair.lists_hold() && needs_parts(frame, pair)) measure_[pair.a] = measure_[pair.b] = 1;
  measure(frame);
  for (int p = 0; p < pairs_.count(); ++p) {
    outdated_[p] = !pairs_[p].lists_hold();
    needs_parts_[p] = outdated_[p] && needs_parts(frame, pairs_[p]);
  }
  take_marked();
}

void PairContacts::take_marked() {
  for (int p = 0; p < pairs_.count(); ++p)
    if (outdated_[p]) marked_.push_back(p);
}

/// All boxes of bodies whose parts are found anew, else those of the parts at hand.
void PairContacts::ask_boxes(ContactSurfaces& surfaces) const {
  for (const int p : marked_) {
    if (needs_parts_[p]) surfaces.ask_all(pairs_[p].a), surfaces.ask_all(pairs_[p].b);
    else ask_parts(pairs_[p], surfaces);
  }
}

void PairContacts::list_marked(const ContactFrame& frame, int k) {
  ASSERT(k >= 0 && k < marked(), "only marked pairs are listed");
  list(frame, pairs_[marked_[k]], needs_parts_[marked_[k]]);
}

void PairContacts::finish_lists(const ContactFrame& frame) {
  if (starts_ || any_outran_) order_sides();
  constexpr int old = 8;  // substeps after which a sum of displacements says little
  const bool finds_parts =
      std::any_of(marked_.begin(), marked_.end(), [&](int p) { return needs_parts_[p] != 0; });
  if (paired_) {
    rebase(frame);
  } else if (any_outran_ && finds_parts && age_ >= old) {
    measure_all(frame);
    rebase(frame);
  }
  starts_ = any_outran_ = bodies_outran_ = paired_ = false;
}

/// Puts the sides of all pairs in the order of their contacts' keys; finds which bodies are clear.
void PairContacts::order_sides() {
  std::fill(clear_.begin(), clear_.end(), 1);
  sides_.clear();
  for (int p = 0; p < pairs_.count(); ++p) {
    BodyPair& pair = pairs_[p];
    if (!pair.has_no_features() || pair.has_bystanders()) clear_[pair.a] = clear_[pair.b] = 0;
    if (pair.has_no_features()) continue;
    sides_.push_back({p, pair.a, pair.b, &pair.of_a, 0, 0});
    sides_.push_back({p, pair.b, pair.a, &pair.of_b, 1, 0});
  }
  std::sort(sides_.begin(), sides_.end(), [](const PairSide& p, const PairSide& q) {
    return p.a != q.a ? p.a < q.a : p.b < q.b;
  });
  for (int p = 0; p < pairs_.count(); ++p)
    if (!pairs_[p].edges.empty()) sides_.push_back({p, pairs_[p].a, pairs_[p].b, nullptr, 2, 0});
}

int PairContacts::count(const PairSide& side) const {
  const BodyPair& pair = pairs_[side.pair];
  if (pair.is_recycled()) return int(pair.recycled.kind[side.kind].size());
  return side.vertices ? side.vertices->count() : int(pair.edges.size());
}

/// Whether a body can have come near others than it is paired with.
bool PairContacts::has_outrun(int body) const {
  return !motion_[body].budget.holds(2 * motion_[body].travel);
}

void PairContacts::follow(const ContactFrame& frame) {
  const int count = int(frame.bodies.size());
  ASSERT(int(frame.motion.size()) == count, "motion is known of all bodies");
  any_outran_ = bodies_outran_ = false;
  if (!meets_) return;
  if (int(motion_.size()) != count) {
    motion_.resize(std::size_t(count));
    clear_.assign(std::size_t(count), 0);
    any_outran_ = bodies_outran_ = true;
    return;
  }
  for (int b = 0; b < count; ++b) {
    motion_[b].travel = frame.travel(b);
    motion_[b].budget.add(frame.motion[b].since_detection.max);
  }
  for (BodyPair& pair : pairs_.pairs()) {
    const SkinMotion &a = frame.motion[pair.a], &b = frame.motion[pair.b];
    pair.travel = relative_displacement(a.in_substep, b.in_substep);
    pair.since_detection = relative_displacement(a.since_detection, b.since_detection);
    pair.parts.add(pair.since_detection);
    pair.bystanders.add(pair.since_detection);
    pair.recycled.follow(pair.since_detection, pair.thickness);
  }
  ++age_;
  measured_.assign(std::size_t(count), 0);
  measure_.assign(std::size_t(count), 0);
  for (int b = 0; b < count; ++b) measure_[b] = has_outrun(b);
  for (const BodyPair& pair : pairs_.pairs())
    if (!pair.is_recycled() && !pair.parts_hold()) measure_[pair.a] = measure_[pair.b] = 1;
  measure(frame);
  for (int b = 0; b < count; ++b)
    bodies_outran_ = bodies_outran_ || has_outrun(b) ||
                     frame.surfaces.topology(b).revision != frame.bodies[b].skin.revision;
  any_outran_ = bodies_outran_;
  for (const BodyPair& pair : pairs_.pairs()) {
    if (pair.is_recycled() || pair.parts_hold()) continue;
    any_outran_ = true;
    clear_[pair.a] = clear_[pair.b] = 0;
  }
}

/// Of listed features and those around: by how much they moved, once skins are up to date.
void PairContacts::follow_features(const ContactFrame& frame, BodyPair& pair) {
  const Skin &ours = frame.bodies[pair.a].skin, &theirs = frame.bodies[pair.b].skin;
  if (pair.is_recycled()) {
    pair.path += pair.since_detection;
    return;
  }
  const auto motion = [](const Skin& skin, const ListedVertices& listed) {
    return displacements_of(listed.vertex, skin.position, skin.previous, listed.start,
                            skin.last_detection());
  };
  const PointMotion a = motion(ours, pair.listed_a), b = motion(theirs, pair.listed_b);
  pair.listed_moved = relative_displacement(a.since_start, b.since_start);
  pair.listed_travel = relative_displacement(a.in_substep, b.in_substep);
  pair.path += std::isfinite(pair.since_detection)
                   ? relative_displacement(a.since_detection, b.since_detection)
                   : pair.since_detection;
  if (!pair.has_bystanders() || pair.bystanders.holds(pair.reach_now())) return;
  Vec3 mean = 0.5 * (a.since_start.mean + b.since_start.mean);
  if (pair.has_no_features())
    mean = 0.5 * (motion(ours, pair.around_a.listed).since_start.mean +
                  motion(theirs, pair.around_b.listed).since_start.mean);
  pair.bystanders.start(std::min(clearance_left(ours, pair.around_a, mean),
                                 clearance_left(theirs, pair.around_b, mean)));
}

void PairContacts::follow_features(const ContactFrame& frame) {
  if (!meets_) return;
  check_recycled(frame);
  if (bodies_outran_) return;
  parallel_for(pairs_.count(), pair_grain, [&](int begin, int end) {
    for (int p = begin; p < end; ++p) follow_features(frame, pairs_[p]);
  });
  any_outran_ = any_outran_ || std::any_of(pairs_.pairs().begin(), pairs_.pairs().end(),
                                           [](const BodyPair& p) { return !p.lists_hold(); });
}

/// Contacts of pairs that have slipped are found anew.
void PairContacts::check_recycled(const ContactFrame& frame) {
  parallel_for(pairs_.count(), pair_grain, [&](int begin, int end) {
    for (int p = begin; p < end; ++p) {
      RecycledContacts& recycled = pairs_[p].recycled;
      recycled.now = recycled.now && recycled.hold(frame.bodies, pairs_[p].thickness);
    }
  });
}

/// Looks at all vertices, then at all edges; as they are in order, so are the contacts.
void PairContacts::look(const ContactFrame& frame, ContactList& contacts) {
  int total = 0;
  for (PairSide& side : sides_) {
    side.start = total;
    total += count(side);
  }
  const auto chunks = std::size_t((total + grain - 1) / grain);
  if (near_by_.size() < chunks) near_by_.resize(chunks);  // they keep their capacity
  found_.append(total, grain, contacts, [&](int begin, int end, std::vector<Contact>& found) {
    SkinPair::VertexNeighbours& near_by = near_by_[begin / grain];
    auto side = std::upper_bound(sides_.begin(), sides_.end(), begin,
                                 [](int i, const PairSide& s) { return i < s.start; }) -
                1;
    for (int i = begin; i < end; ++side) {
      const SkinPair pair = skin_pair(frame, *side);
      BodyPair& listed = pairs_[side->pair];
      const int first = i - side->start;
      const int stop = std::min(end, side->start + count(*side)) - side->start;
      if (listed.is_recycled())
        for (int k = first; k < stop; ++k)
          pair.again(listed.recycled.kind[side->kind][std::size_t(k)], found);
      else if (side->vertices)
        pair.touch_listed(*side->vertices, first, stop, listed.path, near_by, found);
      else
        pair.cross_listed(
            std::span(listed.edges).subspan(std::size_t(first), std::size_t(stop - first)),
            listed.path, found);
      i = side->start + stop;
    }
  });
}

/// Whether a pair overlaps, and whether so much that the next substep must look for it as far as it
/// can.
void PairContacts::note_depth(const ContactFrame& frame, const Contact& c, BodyPair& pair) {
  const double overlap = -c.distance();
  if (overlap > 0 || c.goal < 0) pair.overlaps = true;
  if (overlap <= 0) return;
  const auto displacement = [&](const Anchor& at) -> Vec3 {
    const Skin& skin = frame.bodies[at.body].skin;
    return at.point(skin.position) - at.point(skin.previous);
  };
  if (overlap > 2 * (displacement(c.a) - displacement(c.b)).norm()) pair.deep = true;
}

/// What the next substep must know of the contacts of a pair, which are among those from `first`
/// on: how deep they are, and whether they may be recycled. They may where soft bodies do not
/// overlap.
void PairContacts::review(const ContactFrame& frame, const ContactList& contacts, std::size_t first,
                          BodyPair& pair, bool any_sides) {
  const auto is_solid = [&](int b) {
    return frame.bodies[b].deforms && frame.surfaces.topology(b).closed;
  };
  std::array<std::size_t, 3> begin{}, end{};  // of its contacts, by kind
  for (int kind = 0; kind < 3 && !pair.has_no_features(); ++kind) {
    constexpr int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
    const int of = kind == 2 ? ContactKey::edge_edge : ContactKey::vertex_triangle;
    const int i = kind == 1 ? pair.b : pair.a, k = kind == 1 ? pair.a : pair.b;
    begin[kind] = contacts.lower_bound({of, i, k, least, least}, first);
    end[kind] = contacts.lower_bound({of, i, k, most, most}, begin[kind]);
  }
  if (any_sides) pair.deep = pair.overlaps = false;
  for (int kind = 0; kind < 3; ++kind)
    for (std::size_t i = begin[kind]; i < end[kind]; ++i) note_depth(frame, contacts[i], pair);
  const bool overlap = pair.deep || pair.overlaps;
  pair.recycled.go_on(!overlap && is_solid(pair.a) && is_solid(pair.b),
                      frame.settings.most_recycled);
  if (!pair.recycled.may || pair.recycled.now) return;
  for (int kind = 0; kind < 3; ++kind)
    pair.recycled.take(kind, contacts, begin[kind], end[kind], frame.bodies);
}

void PairContacts::review(const ContactFrame& frame, const ContactList& contacts,
                          std::size_t first) {
  parallel_for(pairs_.count(), pair_grain, [&](int begin, int end) {
    for (int p = begin; p < end; ++p) review(frame, contacts, first, pairs_[p], !sides_.empty());
  });
}

void PairContacts::find(const ContactFrame& frame, ContactList& contacts) {
  if (!meets_) return;
  const std::size_t before = contacts.size();
  if (!sides_.empty()) {
    look(frame, contacts);
    inside_check_.clear(frame.bodies, frame.surfaces.topologies(), frame.memory, before, contacts);
  }
  review(frame, contacts, before);
  // So that the next step can tell by where bodies are then how far they went.
  if (!frame.substep.last) return;
  measure_all(frame);
  rebase(frame);
}

void PairContacts::renumber(const Renumbering& bodies) {
  motion_.clear();
  base_.clear();
  sides_.clear();
  pairs_.renumber(bodies);
}

void PairContacts::archive(Archive& archive) {
  std::vector<int> saved;
  for (const BodyPair& pair : pairs_.pairs())
    saved.insert(saved.end(), {pair.a, pair.b, int(pair.deep)});
  archive.array("contact pairs", saved);
  if (!archive.is_loading()) return;
  std::vector<std::pair<int, int>> bodies;
  for (std::size_t p = 0; p + 2 < saved.size(); p += 3) bodies.emplace_back(saved[p], saved[p + 1]);
  if (!std::is_sorted(bodies.begin(), bodies.end()))
    throw ArchiveError("the saved pairs of bodies have no order");
  pairs_.assign(bodies);
  for (int p = 0; p < pairs_.count(); ++p) pairs_[p].deep = saved[std::size_t(3 * p + 2)] != 0;
}

}  // namespace pliant
