#include "contact/solve/contact_forces.h"

#include <algorithm>

namespace pliant {
namespace {

void add_to(Body& body, const Anchor& anchor, const Vec3& impulse, const Vec3& pressing) {
  Touched& touched = body.touched;
  touched.impulse.resize(body.skin.position.size(), Vec3::Zero());
  touched.pressing.resize(body.skin.position.size(), Vec3::Zero());
  for (int k = 0; k < anchor.count; ++k) {
    touched.impulse[anchor.vertex[k]] += anchor.share[k] * impulse;
    touched.pressing[anchor.vertex[k]] += anchor.share[k] * pressing;
  }
}

}  // namespace

void ContactForces::start_step(std::span<Body> bodies, int colliders) {
  time_ = 0;
  on_colliders_.assign(colliders, Vec3::Zero());
  for (Body& body : bodies) {
    Touched& touched = body.touched;
    if (touched.impulse.empty()) continue;
    // Keeps its room for the next time; nothing touched does not mean nothing to allocate later.
    std::fill(touched.impulse.begin(), touched.impulse.end(), Vec3::Zero());
    std::fill(touched.pressing.begin(), touched.pressing.end(), Vec3::Zero());
  }
}

void ContactForces::add(std::span<Body> bodies, const ContactList& contacts, double h) {
  time_ += h;
  for (const Contact& c : contacts) {
    if (c.is_bond() || c.impulse.isZero(0)) continue;
    const Vec3 impulse = c.impulse / h;
    const Vec3 pressing = impulse.dot(c.normal) * c.normal;
    add_to(bodies[c.a.body], c.a, impulse, pressing);
    if (c.b.body >= 0) add_to(bodies[c.b.body], c.b, -impulse, -pressing);
    else on_colliders_[c.key.body_b] -= impulse;
  }
  for (Body& body : bodies) body.touched.time = time_;
}

}  // namespace pliant
