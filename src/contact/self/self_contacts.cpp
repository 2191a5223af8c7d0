#include "contact/self/self_contacts.h"

#include <algorithm>

#include "core/parallel.h"

namespace pliant {
namespace {

constexpr int grain = 64;       // vertices or edges
constexpr double own_size = 6;  // longest edges: the most that counts as a body's size to itself

/// [m] What lengths of contacts of a body with itself are shares of. Parts of one body are as thin
/// as its elements allow, however long it is.
double size_of(const Body& body, const SkinTopology& topology) {
  return std::min(body.size, own_size * topology.longest_edge);
}

}  // namespace

void SelfContacts::start_step(std::span<const Body> bodies, const ContactSurfaces& surfaces) {
  const int known = int(std::min(own_.size(), bodies.size()));
  parallel_for(known, 1, [&](int b, int) {
    if (surfaces.is_new(b)) own_[b] = SelfLists();
    own_[b].start_step(bodies[b].skin, b, surfaces);
  });
}

void SelfContacts::follow(std::span<const Body> bodies, std::span<const SkinMotion> moved,
                          double step, double h) {
  own_.resize(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    // No two points went further against each other than across the box round all ways.
    const double way = 2 * moved[b].in_substep.deviation.norm(),
                 went = 2 * moved[b].since_detection.deviation.norm();
    if (bodies[b].deforms && bodies[b].meets_itself)
      own_[b].follow(bodies[b], std::max(step, h), h, way, went);
    else own_[b].rest();
  }
}

std::span<const int> SelfContacts::outdated(std::span<const Body> bodies) {
  const auto take = [&] {
    outdated_.clear();
    for (int b = 0; b < int(own_.size()); ++b)
      if (own_[b].is_outdated()) outdated_.push_back(b);
  };
  take();
  parallel_for(int(outdated_.size()), 1,
               [&](int k, int) { own_[outdated_[k]].look_again(bodies[outdated_[k]].skin); });
  take();  // most of them are not, when they are looked at
  return outdated_;
}

void SelfContacts::list(const Body& body, int b, const ContactSurfaces& surfaces,
                        const ContactSettings& settings) {
  // A gap that is kept, once more; where that is much, as little as other bodies may have.
  const double near =
      std::min(2 * body.thickness, settings.reach * size_of(body, surfaces.topology(b)));
  own_[b].list(body, b, surfaces, near);
}

void SelfContacts::look(const Body& body, const SkinTopology& topology,
                        const ContactSettings& settings, const ContactMemory& memory, double h,
                        Chunk& chunk, std::vector<Contact>& found) {
  const double size = size_of(body, topology);
  SkinPair pair{.a = body,
                .b = body,
                .topology_a = topology,
                .topology_b = topology,
                .memory = memory,
                .index_a = chunk.body,
                .index_b = chunk.body,
                .size = size,
                .thickness = 2 * body.thickness,
                .near = 0,
                .depth = 0,
                .travel = 0,
                .moved = 0,
                .exit = settings.exit_speed * size * h,
                .tolerance = settings.tolerance * body.size};
  SelfLists& own = own_[chunk.body];
  own.set_motion(pair);
  for (int k = chunk.begin; k < chunk.end; ++k) own.look(pair, k, chunk.near_by, found);
}

void SelfContacts::find(std::span<const Body> bodies, const ContactSurfaces& surfaces,
                        const ContactSettings& settings, const ContactMemory& memory,
                        const Substep& substep, std::size_t first, ContactList& contacts) {
  std::size_t count = 0;
  for (int b = 0; b < int(own_.size()); ++b) {
    if (own_[b].is_clear()) continue;
    for (int begin = 0; begin < own_[b].count(); begin += grain) {
      if (count == chunks_.size()) chunks_.emplace_back();
      Chunk& chunk = chunks_[count++];
      chunk.body = b;
      chunk.begin = begin;
      chunk.end = std::min(begin + grain, own_[b].count());
    }
  }
  if (count == 0) return;
  own_found_.clear();
  found_.append(int(count), 1, own_found_, [&](int c, int, std::vector<Contact>& found) {
    Chunk& chunk = chunks_[c];
    look(bodies[chunk.body], surfaces.topology(chunk.body), settings, memory, substep.h, chunk,
         found);
  });
  own_found_.sort();
  contacts.merge(own_found_, first);
}

int SelfContacts::candidates() const {
  std::size_t sum = 0;
  for (const SelfLists& own : own_)
    if (own.is_active()) sum += own.candidates();
  return int(sum);
}

}  // namespace pliant
