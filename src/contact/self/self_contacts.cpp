#include "contact/self/self_contacts.h"

#include <algorithm>
#include <cmath>

#include "core/assert.h"
#include "core/parallel.h"

namespace pliant {
namespace {

constexpr int grain = 64;         // vertices or edges
constexpr double self_scale = 6;  // longest edges: the most that counts as a body's scale to itself
// Mean edges: overlap of parts that is deeper is left alone. Their triangles come and go, and new
// ones may begin a little inside of each other.
constexpr double part_depth = 0.5;

/// [m] What lengths of contacts of a body with itself are shares of. Parts of one body are as thin
/// as its elements allow, however long it is.
double scale_of(const Body& body, const SkinTopology& topology) {
  return std::min(body.contact_scale, self_scale * topology.longest_edge);
}

/// [m] No two points moved further against each other than across the box round all displacements.
double relative_motion(const DisplacementBound& motion) { return 2 * motion.deviation.norm(); }

}  // namespace

void SelfContacts::start_step(const ContactFrame& frame) {
  const int known = int(std::min(lists_.size(), frame.bodies.size()));
  parallel_for(known, 1, [&](int b, int) {
    if (frame.surfaces.is_new(b)) lists_[b] = SelfLists();
    lists_[b].start_step(frame.bodies[b].skin, b, frame.surfaces,
                         relative_motion(frame.motion[b].since_detection));
  });
}

void SelfContacts::follow(const ContactFrame& frame) {
  ASSERT(frame.motion.size() == frame.bodies.size(), "motion is known of all bodies");
  lists_.resize(frame.bodies.size());
  const double h = frame.substep.h, step = std::max(frame.step, h);
  for (std::size_t b = 0; b < lists_.size(); ++b) {
    const SkinMotion& motion = frame.motion[b];
    if (meets_own(frame.bodies[b], frame.settings.touch))
      lists_[b].follow(frame.bodies[b], step, h, relative_motion(motion.in_substep),
                       relative_motion(motion.since_detection));
    else lists_[b].deactivate();
  }
}

std::span<const int> SelfContacts::outdated(const ContactFrame& frame) {
  const auto take = [&] {
    outdated_.clear();
    for (int b = 0; b < int(lists_.size()); ++b)
      if (lists_[b].is_outdated()) outdated_.push_back(b);
  };
  take();
  parallel_for(int(outdated_.size()), 1, [&](int k, int) {
    lists_[outdated_[k]].look_again(frame.bodies[outdated_[k]].skin);
  });
  take();  // most of them are not, when they are looked at
  return outdated_;
}

void SelfContacts::list(const ContactFrame& frame, int b) {
  ASSERT(lists_[b].is_outdated(), "only outdated lists are made anew");
  const Body& body = frame.bodies[b];
  // A gap that is kept, once more; where that is much, as little as other bodies may have.
  const SkinTopology& topology = frame.surfaces.topology(b);
  double near = std::min(2 * body.thickness, frame.settings.reach * scale_of(body, topology));
  if (has_parts(body.skin)) near = std::max(near, part_depth * topology.mean_edge);
  lists_[b].list(body, b, frame.surfaces, near);
}

void SelfContacts::look(const ContactFrame& frame, Chunk& chunk, std::vector<Contact>& found) {
  const Body& body = frame.bodies[chunk.body];
  const SkinTopology& topology = frame.surfaces.topology(chunk.body);
  const double scale = scale_of(body, topology);
  SkinPair pair{.a = body.skin,
                .b = body.skin,
                .topology_a = topology,
                .topology_b = topology,
                .memory = frame.memory,
                .index_a = chunk.body,
                .index_b = chunk.body,
                .friction = std::sqrt(body.friction * body.friction),
                .scale = scale,
                .thickness = 2 * body.thickness,
                .near = 0,
                .depth = 0,
                .travel = 0,
                .moved = 0,
                .exit = frame.settings.exit_speed * scale * frame.substep.h,
                .tolerance = frame.settings.tolerance * body.contact_scale,
                .of_parts = has_parts(body.skin)};
  SelfLists& lists = lists_[chunk.body];
  lists.set_motion(pair);
  lists.look(pair, chunk.begin, chunk.end, chunk.near_by, found);
}

void SelfContacts::find(const ContactFrame& frame, std::size_t first, ContactList& contacts) {
  ASSERT(first <= contacts.size(), "contacts of pairs come first");
  std::size_t count = 0;
  for (int b = 0; b < int(lists_.size()); ++b) {
    if (lists_[b].is_clear()) continue;
    for (int begin = 0; begin < lists_[b].count(); begin += grain) {
      if (count == chunks_.size()) chunks_.emplace_back();
      Chunk& chunk = chunks_[count++];
      chunk.body = b;
      chunk.begin = begin;
      chunk.end = std::min(begin + grain, lists_[b].count());
    }
  }
  if (count == 0) return;
  self_found_.clear();
  found_.append(int(count), 1, self_found_,
                [&](int c, int, std::vector<Contact>& found) { look(frame, chunks_[c], found); });
  self_found_.sort();
  contacts.merge(self_found_, first);
}

int SelfContacts::candidates() const {
  std::size_t sum = 0;
  for (const SelfLists& lists : lists_)
    if (lists.is_active()) sum += lists.candidates();
  return int(sum);
}

}  // namespace pliant
