#include "contact/own_contacts.h"

#include <algorithm>

#include "core/parallel.h"

namespace pliant {
namespace {

constexpr int grain = 64;       // vertices or edges
constexpr double own_size = 6;  // longest edges: the most that counts as a body's size to itself

/// [m] What lengths of contacts of a body with itself are shares of. Parts of one body are as thin
/// as its elements allow, however long it is.
double size_of(const Body& body, const SkinShape& shape) {
  return std::min(body.size, own_size * shape.longest_edge);
}

}  // namespace

void OwnContacts::start_step(std::span<const Body> bodies, const BodyCandidates& candidates) {
  const int known = int(std::min(own_.size(), bodies.size()));
  parallel_for(known, 1, [&](int b, int) {
    if (candidates.is_new(b)) own_[b] = OwnBody();
    own_[b].start_step(bodies[b].skin, b, candidates);
  });
}

void OwnContacts::follow(std::span<const Body> bodies, std::span<const Moved> moved, double step,
                         double h) {
  own_.resize(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    // No two points went further against each other than across the box round all ways.
    const double way = 2 * moved[b].in_substep.off.norm(),
                 went = 2 * moved[b].since_seen.off.norm();
    if (bodies[b].deforms && bodies[b].meets_itself) own_[b].follow(bodies[b], std::max(step, h), h, way, went);
    else own_[b].rest();
  }
}

std::span<const int> OwnContacts::outdated(std::span<const Body> bodies) {
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

void OwnContacts::list(const Body& body, int b, const BodyCandidates& candidates,
                       const ContactSettings& settings) {
  // A gap that is kept, once more; where that is much, as little as other bodies may have.
  const double near =
      std::min(2 * body.thickness, settings.reach * size_of(body, candidates.shape(b)));
  own_[b].list(body, b, candidates, near);
}

void OwnContacts::look(const Body& body, const SkinShape& shape, const ContactSettings& settings,
                       const ContactMemory& memory, double h, Chunk& chunk,
                       std::vector<Contact>& found) {
  const double size = size_of(body, shape);
  SkinPair pair{.a = body,
                .b = body,
                .shape_a = shape,
                .shape_b = shape,
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
  OwnBody& own = own_[chunk.body];
  own.set_motion(pair);
  for (int k = chunk.begin; k < chunk.end; ++k) own.look(pair, k, chunk.near_by, found);
}

void OwnContacts::find(std::span<const Body> bodies, const BodyCandidates& candidates,
                       const ContactSettings& settings, const ContactMemory& memory,
                       const Substep& substep, std::size_t first, ContactList& contacts) {
  std::size_t count = 0;
  for (int b = 0; b < int(own_.size()); ++b) {
    if (own_[b].stays_clear()) continue;
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
    look(bodies[chunk.body], candidates.shape(chunk.body), settings, memory, substep.h, chunk,
         found);
  });
  own_found_.sort();
  contacts.merge(own_found_, first);
}

int OwnContacts::candidates() const {
  std::size_t sum = 0;
  for (const OwnBody& own : own_)
    if (own.is_active()) sum += own.candidates();
  return int(sum);
}

}  // namespace pliant
