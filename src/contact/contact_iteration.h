#pragma once

#include <span>
#include <vector>

#include "body/body.h"
#include "contact/contact.h"
#include "contact/contact_rows.h"
#include "contact/contact_settings.h"

namespace pliant {

/// Finds the impulses: all contacts answer at once from the same positions (a mass-split bound
/// makes that safe), the answers are accelerated (Nesterov with restart), the bodies respond, until
/// every gap is right from both sides.
class ContactIteration {
 public:
  struct Outcome {
    int iterations = 0;
    bool converged = true;
  };

  /// Starts from the contacts' impulses; leaves the solution there, the gaps reached, nodes.load
  /// and nodes.position. `scale`, per body: which share of its mobility bound a body was seen to
  /// use.
  Outcome solve(std::span<Body> bodies, std::vector<Contact>& contacts, const ContactRows& rows,
                std::vector<double>& scale, const ContactSettings& settings);

 private:
  void prepare(std::span<const Body> bodies, const std::vector<Contact>& contacts,
               const ContactRows& rows);
  bool answer(std::vector<Contact>& contacts, const ContactRows& rows,
              const std::vector<double>& scale);
  void accelerate(std::vector<Contact>& contacts, bool last);
  void load(std::span<Body> bodies, const std::vector<Contact>& contacts, const ContactRows& rows);
  bool measure(const ContactRows& rows, std::vector<double>& scale);

  double theta_ = 1;
  std::vector<char> direct_;  // per body: moves by mobility

  // Per contact.
  std::vector<Vec3> accepted_, next_;  // p and p+; the impulses y stand in the contacts
  std::vector<Vec3>
      before_;  // [m] relative position at the start of the substep, moved with a collider
  std::vector<double> give_;          // gives way by so many times what its impulse moves
  std::vector<double> error_, turn_;  // residual over tolerance; term of the restart test

  // Per slot.
  std::vector<Vec3> position_, load_;    // now
  std::vector<double> bound_;            // mobility times the number of contacts
  std::vector<double> moved_, allowed_;  // terms of the measured scale
};

}  // namespace pliant
