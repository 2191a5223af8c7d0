#pragma once

#include <span>
#include <vector>

#include "body/body.h"
#include "contact/data/contact_list.h"
#include "contact/solve/contact_rows.h"

namespace pliant {

/// What contact does differently where nothing deforms. Nothing there swallows what the solver
/// leaves over: a gap that is off by d becomes a speed of d/h. And bodies that cannot deform bounce
/// by rule. Their methods may be asked to finish a substep more than once, with different loads.
class RigidContacts {
 public:
  /// Once per substep, from the impulses that the solve starts from: what rests presses like that.
  /// Tolerances become at most a share of what gravity moves a body by in this substep.
  void start(std::span<const Body> bodies, ContactList& contacts, double h);

  /// Two rules for goals. Overlap that was there before is undone slowly: what pushes rigid bodies
  /// apart stays with them as speed. And where two surfaces that have a restitution would pass each
  /// other in this substep, coming together faster than gravity makes resting ones do, the goal is
  /// where the speed that comes back brings them. The bodies stand where they are without contact;
  /// `rows` belong to the contacts.
  void set_goals(std::span<Body> bodies, const ContactRows& rows, ContactList& contacts,
                 const Substep& substep);

  /// After a solve: what a bounce does to the energy of a body by turning it, as its momentum stays
  /// and its inertia turns, is taken from the speed that comes back. True when that moved goals:
  /// then all has to be solved again.
  bool keep_energy(std::span<Body> bodies, ContactList& contacts, const Substep& substep);

 private:
  struct Bounce {
    int contact;
    double least;   // [m] goal without the bounce
    double gap;     // [m] without contact
    double closes;  // [m/s] speed of approach, without contact
    double opens;   // [m/s] that comes back
  };

  double goal(const Bounce& bounce, const Contact& contact, double h) const;
  const Vec3* free_speeds(std::span<Body> bodies, int body, const Substep& substep);
  void finish(Body& body, const Substep& substep, std::vector<Vec3>& velocities);
  double energy_of_turning(Body& body, int first, const Substep& substep);

  // Per body.
  std::vector<Vec3> usual_;      // [m/s^2] of the whole, pressed as in the last substep
  std::vector<double> pays_;     // [m/s^2] energy to be taken from a bounce, for its impulse
  std::vector<double> presses_;  // [kg m] sum of the impulses of its bounces
  std::vector<int> first_;       // in free_speed_; -1 = not asked for

  bool any_ = false;  // bodies that are stiff
  std::vector<Bounce> bounces_;
  std::vector<Vec3> free_speed_;  // [m/s] of nodes, without contact
  std::vector<Vec3> after_, position_, velocity_;
};

}  // namespace pliant
