#pragma once

#include <span>
#include <vector>

#include "body/body.h"
#include "contact/data/contact_list.h"

namespace pliant {

/// Adds up what contact does during a step: on the skins' vertices (Body::touched) and on
/// colliders. Bonds are not counted: they tie, they do not touch.
class ContactForces {
 public:
  void start_step(std::span<Body> bodies, int colliders);
  void add(std::span<Body> bodies, const ContactList& contacts, double h);

  /// [N] on a collider, mean over the step up to now.
  Vec3 on_collider(int index) const {
    return time_ > 0 && index < int(on_colliders_.size()) ? Vec3(on_colliders_[index] / time_)
                                                          : Vec3(Vec3::Zero());
  }

 private:
  std::vector<Vec3> on_colliders_;  // [N s]
  double time_ = 0;                 // [s] since the step began
};

}  // namespace pliant
