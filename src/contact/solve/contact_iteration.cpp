#include "contact/solve/contact_iteration.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"

namespace pliant {
namespace {

constexpr int grain = 256;
constexpr int large = 2 * grain;  // rows of an island whose loops are worth sharing

/// Bonds between grids that do not match ask for more than their nodes can do; impulses would grow
/// against each other without end. Giving way by this share of what an impulse moves keeps them
/// small: a hanging weight then sags by some g h^2.
constexpr double slack = 0.05;

/// A contact most of whose nodes are held asks the others for a multiple of its own way, without
/// end as their shares go to zero. Below this share of free nodes it gives way instead.
constexpr double least_free_share = 0.25;

/// A gap that is off is seen in the next substep and put right, but what slipped is forgotten: the
/// tolerance would let a rigid body that nearly slides creep by some mm/s. One that is alone with
/// colliders mostly is solved in a few iterations however exactly; stacks would need very many.
constexpr double slip_alone = 0.01;
constexpr int few = 30;  // iterations

/// The same where bodies answer exactly as their compliance says: sweeps are cheap there, and this
/// much of the tolerance a substep is 0.01 mm/s. A third of it takes 5 % longer in 60 substeps.
constexpr double slip_exact = 0.03;

/// Where bodies solve for their motion: sweeps over the contacts between two looks at what the
/// bodies really do, and such looks. A sweep costs microseconds, a look a Newton iteration.
constexpr int most_sweeps = 300;
constexpr int most_looks = 5;
/// A body that is bent is not what its compliance says: each look leaves about a third of the error
/// of the one before. From the second look on this many tolerances are good enough, a sixth of the
/// gap that is kept between surfaces; the next substep sees the rest of the error.
constexpr double good_enough = 4;
/// Contacts are solved to this share of the tolerance, so that most are right when bodies answer.
constexpr double model_share = 0.05;

/// work(i) for begin <= i < end.
template <class Work>
void for_each(int begin, int end, const Work& work) {
  parallel_for(end - begin, grain, [&](int from, int to) {
    for (int i = begin + from; i < begin + to; ++i) work(i);
  });
}

}  // namespace

void ContactIteration::start(std::span<Body> bodies, const ContactRows& rows) {
  direct_.assign(bodies.size(), 0);
  for (const int b : rows.bodies) {
    direct_[b] = bodies[b].method->moves_by_mobility();
    if (!direct_[b]) bodies[b].nodes.free = bodies[b].nodes.position;
  }
  const auto slots = std::size_t(rows.slots());
  for (std::vector<Vec3>* per_slot : {&previous_, &free_, &position_, &load_})
    per_slot->resize(slots);
  mobility_.resize(slots);
  bound_.resize(slots);
  for_each(0, rows.slots(), [&](int s) {
    const Nodes& nodes = bodies[rows.body[s]].nodes;
    const int i = rows.node[s];
    previous_[s] = nodes.previous[i];
    free_[s] = nodes.position[i];
    mobility_[s] = nodes.mobility[i];
  });
}

void ContactIteration::go_back(std::span<Body> bodies, const ContactRows& rows) const {
  for (const int b : rows.bodies)
    if (!direct_[b] && !bodies[b].method->compliance())
      bodies[b].nodes.position = bodies[b].nodes.free;
  for_each(0, rows.slots(), [&](int s) {
    if (direct_[rows.body[s]]) bodies[rows.body[s]].nodes.position[rows.node[s]] = free_[s];
  });
}

void ContactIteration::reset(const Problem& problem) {
  const ContactRows& rows = problem.rows;
  for_each(problem.begin.slot, problem.end.slot, [&](int s) {
    position_[s] = free_[s];
    load_[s] = Vec3::Zero();
    double sum = 0;
    for (int k = rows.slot_start[s]; k < rows.slot_start[s + 1]; ++k)
      sum += std::abs(rows.row_a[k]);
    bound_[s] = mobility_[s] * sum;
  });
}

void ContactIteration::take_contacts(const Problem& problem) {
  const ContactRows& rows = problem.rows;
  for_each(problem.begin.row, problem.end.row, [&](int r) {
    const Contact& contact = problem.contacts[rows.contact[r]];
    Answer& answer = answers_[r];
    answer.before = contact.motion;
    double free = 0;
    for (int k = rows.start[r]; k < rows.start[r + 1]; ++k) {
      const int s = rows.slot[k];
      answer.before += rows.a[k] * previous_[s];
      if (bound_[s] > 0) free += std::abs(rows.a[k]);
    }
    answer.relaxation = contact.relaxation;
    if (free > 0 && free < least_free_share)
      answer.relaxation += least_free_share * least_free_share / (free * free) - 1;
    answer.normal = contact.normal;
    answer.point = contact.point;
    impulse_[r] = answer.accepted = contact.impulse;
    answer.thickness = contact.thickness;
    answer.goal = contact.goal;
    answer.friction = contact.friction;
    answer.tolerance = contact.tolerance;
    answer.compliance = contact.compliance;
    answer.gap = contact.gap;
    answer.is_bond = contact.is_bond();
  });
}

/// What a contact's impulse can move at most, while all others answer too.
void ContactIteration::bound(const Problem& problem) {
  const ContactRows& rows = problem.rows;
  for_each(problem.begin.row, problem.end.row, [&](int r) {
    double w = 0;
    for (int k = rows.start[r]; k < rows.start[r + 1]; ++k) {
      const int s = rows.slot[k];
      w += std::abs(rows.a[k]) * problem.scale[rows.body[s]] * bound_[s];
    }
    answers_[r].mobility = w;
  });
}

/// One answer per contact, each as if it were alone with its share of the nodes' mobility. True
/// when the present impulses and positions already solve the problem.
bool ContactIteration::answer(const Problem& problem) {
  const ContactRows& rows = problem.rows;
  for_each(problem.begin.row, problem.end.row, [&](int r) {
    Answer& contact = answers_[r];
    const Vec3& n = contact.normal;
    Vec3 x = Vec3::Zero();
    for (int k = rows.start[r]; k < rows.start[r + 1]; ++k)
      x += rows.a[k] * position_[rows.slot[k]];
    const double w = contact.mobility;
    contact.gap = contact.is_bond ? -(x - contact.point).norm()
                                  : n.dot(x - contact.point) - contact.thickness;
    if (w == 0) {  // all nodes held: nothing can be done about it
      contact.next = Vec3::Zero();
      error_[r] = turn_[r] = 0;
      return;
    }
    const Vec3& y = impulse_[r];
    if (contact.is_bond) {
      const double compliance = contact.compliance + (slack + contact.relaxation) * w;
      const Vec3 off = x - contact.point + compliance * y;
      error_[r] = off.norm() / contact.tolerance;
      contact.next = y - off / (w + compliance);
      turn_[r] = (y - contact.next).dot(contact.next - contact.accepted);
      return;
    }
    const double pressing = y.dot(n);
    const Vec3 tangential = y - pressing * n;
    const Vec3 moved = x - contact.before;
    const Vec3 slip = moved - moved.dot(n) * n;

    const double compliance = contact.relaxation * w;
    const double off = contact.gap - contact.goal + compliance * pressing;
    double error = pressing > 0 ? std::abs(off) : std::max(0.0, -off);
    if (tangential.norm() < 0.999 * contact.friction * pressing)
      error = std::max(error, slip.norm() / problem.slip_share);
    error_[r] = error / contact.tolerance;

    const double new_pressing = std::max(0.0, pressing - off / (w + compliance));
    Vec3 q = tangential - slip / (w + compliance);
    const double size = q.norm(), most = contact.friction * new_pressing;
    if (size > most) q *= most / size;
    contact.next = new_pressing * n + q;
    turn_[r] = (y - contact.next).dot(contact.next - contact.accepted);
  });
  return std::all_of(error_.begin() + problem.begin.row, error_.begin() + problem.end.row,
                     [](double error) { return error < 1; });
}

void ContactIteration::accelerate(const Problem& problem, double& theta, bool last) {
  double turn = 0;
  for (int r = problem.begin.row; r < problem.end.row; ++r) turn += turn_[r];
  double push = 0;
  if (turn > 0) {
    theta = 1;
  } else {
    const double larger = 0.5 * (1 + std::sqrt(1 + 4 * theta * theta));
    push = (theta - 1) / larger;
    theta = larger;
  }
  if (last) push = 0;
  for_each(problem.begin.row, problem.end.row, [&](int r) {
    Answer& contact = answers_[r];
    impulse_[r] = contact.next;
    if (push > 0) {
      const Vec3 further = contact.next + push * (contact.next - contact.accepted);
      impulse_[r] =
          contact.is_bond ? further : clamp_to_cone(further, contact.normal, contact.friction);
    }
    contact.accepted = contact.next;
  });
}

/// Gathers the impulses into loads and lets the bodies respond; keeps how far each touched node
/// moved for it.
void ContactIteration::load(const Problem& problem) {
  const ContactRows& rows = problem.rows;
  for_each(problem.begin.slot, problem.end.slot, [&](int s) {
    Vec3 sum = Vec3::Zero();
    for (int k = rows.slot_start[s]; k < rows.slot_start[s + 1]; ++k)
      sum += rows.row_a[k] * impulse_[rows.row[k]];
    if (direct_[rows.body[s]]) {  // the default answer; the node hears of it at the end
      load_[s] = sum;
      position_[s] = free_[s] + mobility_[s] * sum;
    } else {
      problem.bodies[rows.body[s]].nodes.load[rows.node[s]] = sum;
    }
  });
  parallel_for(problem.end.part - problem.begin.part, 1, [&](int k, int) {
    const ContactRows::Part& part = rows.parts[problem.begin.part + k];
    if (direct_[part.body]) return;
    Body& body = problem.bodies[part.body];
    body.method->respond(body.nodes);
    Response response;
    for (int s = part.begin; s < part.end; ++s) {
      const int i = rows.node[s];
      const Vec3 more = body.nodes.load[i] - load_[s];
      response.moved += more.dot(body.nodes.position[i] - position_[s]);
      response.allowed += body.nodes.mobility[i] * more.squaredNorm();
      position_[s] = body.nodes.position[i];
      load_[s] = body.nodes.load[i];
    }
    responses_[problem.begin.part + k] = response;
  });
}

/// Raises the scale of bodies that moved further than it foresaw. True when one did.
bool ContactIteration::measure(const Problem& problem) {
  bool grew = false;
  for (int k = problem.begin.part; k < problem.end.part; ++k) {
    const ContactRows::Part& part = problem.rows.parts[k];
    if (direct_[part.body]) continue;
    const auto& [moved, allowed] = responses_[k];
    if (allowed <= 0) continue;
    const double seen = std::min(1.0, 1.2 * moved / allowed);
    if (seen <= problem.scale[part.body]) continue;
    problem.scale[part.body] = seen;
    grew = true;
  }
  return grew;
}

void ContactIteration::finish(const Problem& problem) {
  for_each(problem.begin.row, problem.end.row, [&](int r) {
    Contact& contact = problem.contacts[problem.rows.contact[r]];
    contact.impulse = impulse_[r];
    contact.gap = answers_[r].gap;
  });
}

/// Over the tolerance, by what the compliance says.
double ContactIteration::compliant_error(const Problem& problem, int row) {
  const Answer& contact = answers_[row];
  const Vec3 &n = contact.normal, &p = impulse_[row], &x = compliant_.x(row);
  if (contact.is_bond) {
    const double w = compliant_.diagonal(row).trace() / 3;
    const double compliance = contact.compliance + (slack + contact.relaxation) * w;
    return (x - contact.point + compliance * p).norm() / contact.tolerance;
  }
  const double above = n.dot(x - contact.point) - contact.thickness - contact.goal;
  if (p.isZero(0) && above >= 0) return 0;
  const double w = p.isZero(0) || contact.relaxation > 0 ? n.dot(compliant_.diagonal(row) * n) : 1;
  if (w <= 0) return 0;
  const double pressing = p.dot(n);
  const double off = above + contact.relaxation * w * pressing;
  double error = pressing > 0 ? std::abs(off) : std::max(0.0, -off);
  if ((p - pressing * n).norm() < 0.999 * contact.friction * pressing) {
    const Vec3 moved = x - contact.before;
    error = std::max(error, (moved - moved.dot(n) * n).norm() / problem.slip_share);
  }
  return error / contact.tolerance;
}

/// The impulse that a contact needs while all others keep theirs.
Vec3 ContactIteration::compliant_answer(int row) {
  const Answer& contact = answers_[row];
  const Vec3 &n = contact.normal, &p = impulse_[row], &x = compliant_.x(row);
  if (contact.is_bond) {
    const Mat3& diagonal = compliant_.diagonal(row);
    const double w = diagonal.trace() / 3;
    if (w <= 0) return p;
    const double compliance = contact.compliance + (slack + contact.relaxation) * w;
    return p - (diagonal + compliance * Mat3::Identity()).inverse() *
                   (x - contact.point + compliance * p);
  }
  const double above = n.dot(x - contact.point) - contact.thickness - contact.goal;
  if (p.isZero(0) && above >= 0) return Vec3::Zero();
  const Mat3& diagonal = compliant_.diagonal(row);
  const double w = n.dot(diagonal * n);
  if (w <= 0) return Vec3::Zero();
  const double pressing = p.dot(n), compliance = contact.relaxation * w;
  const double off = above + compliance * pressing;
  const double new_pressing = std::max(0.0, pressing - off / (w + compliance));
  if (new_pressing == 0) return Vec3::Zero();
  const Vec3 moved = x - contact.before;
  const Vec3 slip = moved - moved.dot(n) * n;
  // Sideways it gives way by no more than this.
  const double sideways = diagonal.trace() - w;
  Vec3 q = p - pressing * n - slip / (sideways + compliance);
  const double size = q.norm(), most = contact.friction * new_pressing;
  if (size > most) q *= most / size;
  return new_pressing * n + q;
}

double ContactIteration::worst_compliant_error(const Problem& problem) {
  double worst = 0;
  for (int r = problem.begin.row; r < problem.end.row; ++r)
    worst = std::max(worst, compliant_error(problem, r));
  return worst;
}

/// Gauss-Seidel: one contact after the other. Returns the square of what impulses changed by.
double ContactIteration::sweep(const Problem& problem) {
  double changed = 0;
  for (int r = problem.begin.row; r < problem.end.row; ++r) {
    const Vec3 next = compliant_answer(r), change = next - impulse_[r];
    if (change.isZero(0)) continue;
    changed += change.squaredNorm();
    impulse_[r] = next;
    compliant_.push(r, change);
  }
  return changed;
}

/// Impulses that solve the contacts if bodies are what their compliance says; returns the number of
/// sweeps. What a sweep changes serves as the gradient of conjugate gradients (nonsmooth nonlinear
/// conjugate gradients: Silcowitz-Hansen, Niebe, Erleben 2010): contacts of one body are coupled so
/// strongly that sweeps alone take ten times as many.
int ContactIteration::solve_model(const Problem& problem) {
  const auto rows = std::size_t(problem.end.row - problem.begin.row);
  before_.resize(rows);
  along_.assign(rows, Vec3::Zero());
  double last = 0;
  for (int i = 0; i < most_sweeps; ++i) {
    if (worst_compliant_error(problem) < model_share) return i;
    std::copy_n(impulse_.begin() + problem.begin.row, rows, before_.begin());
    const double changed = sweep(problem);
    const double share = last > 0 && changed <= last ? changed / last : 0;
    last = changed;
    for (int r = problem.begin.row; r < problem.end.row; ++r) {
      const auto k = std::size_t(r - problem.begin.row);
      const Vec3 gradient = impulse_[r] - before_[k];
      if (share > 0) {
        const Answer& contact = answers_[r];
        const Vec3 further = impulse_[r] + share * along_[k];
        const Vec3 next =
            contact.is_bond ? further : clamp_to_cone(further, contact.normal, contact.friction);
        const Vec3 change = next - impulse_[r];
        if (!change.isZero(0)) compliant_.push(r, change);
        impulse_[r] = next;
      }
      along_[k] = share * along_[k] + gradient;
    }
  }
  return most_sweeps;
}

/// Islands with bodies that solve for their motion: impulses by their compliance, then what they
/// really do, until the two agree.
ContactIteration::Outcome ContactIteration::solve_compliant(Problem problem) {
  Outcome outcome;
  // An earlier solve of this substep may have left them elsewhere.
  for (int i = problem.begin.slot; i < problem.end.slot; ++i)
    if (const int b = problem.rows.body[i]; direct_[b])
      problem.bodies[b].nodes.position[problem.rows.node[i]] = free_[i];
  compliant_.build(problem.bodies, problem.rows, problem.begin, problem.end, impulse_);
  if (compliant_.is_exact()) problem.slip_share = slip_exact;  // a few more sweeps, no other look
  for (int look = 1;; ++look) {
    outcome.iterations += solve_model(problem);
    compliant_.ask_bodies(impulse_);
    const double worst = worst_compliant_error(problem);
    if (worst < (look > 1 ? good_enough : 1)) break;
    if (look == most_looks) {
      outcome.converged = false;
      break;
    }
    compliant_.foresee();
  }
  for (int r = problem.begin.row; r < problem.end.row; ++r) {
    Answer& contact = answers_[r];
    const Vec3& x = compliant_.x(r);
    contact.gap = contact.is_bond ? -(x - contact.point).norm()
                                  : contact.normal.dot(x - contact.point) - contact.thickness;
  }
  for (int s = problem.begin.slot; s < problem.end.slot; ++s) {
    const Nodes& nodes = problem.bodies[problem.rows.body[s]].nodes;
    position_[s] = nodes.position[problem.rows.node[s]];
    load_[s] = nodes.load[problem.rows.node[s]];
  }
  finish(problem);
  return outcome;
}

ContactIteration::Outcome ContactIteration::solve(Problem problem,
                                                  const ContactSettings& settings) {
  bool rigid = false, costly = false;
  for (int k = problem.begin.part; k < problem.end.part; ++k) {
    const int b = problem.rows.parts[k].body;
    rigid = rigid || !problem.bodies[b].deforms;
    costly = costly || (problem.bodies[b].deforms && !direct_[b]);
    if (!direct_[b] && !problem.bodies[b].method->compliance())
      problem.scale[b] = std::max(0.02, 0.7 * problem.scale[b]);
  }
  if (rigid && problem.end.part - problem.begin.part == 1) problem.slip_share = slip_alone;
  const auto any = [&](const auto& is) {
    const int first = problem.begin.row;
    return parallel_any_of(problem.end.row - first, grain, [&](int r) {
      return is(problem.contacts[problem.rows.contact[first + r]]);
    });
  };
  const bool self = any([](const Contact& c) { return c.is_self(); });
  const bool compliant =
      CompliantIsland::applies(problem.bodies, problem.rows, problem.begin, problem.end);
  const bool busy =
      compliant || any([](const Contact& c) { return !c.impulse.isZero(0) || c.gap < c.goal; });
  const bool hard = (rigid || self) && !costly;
  const int most = hard ? settings.most_hard_iterations : settings.most_iterations;
  Outcome outcome;
  reset(problem);
  if (!busy) return outcome;
  take_contacts(problem);
  if (compliant) return solve_compliant(problem);
  double theta = 1;
  load(problem);
  measure(problem);
  bound(problem);
  while (true) {
    if (outcome.iterations == few) problem.slip_share = 1;  // it is jammed
    const bool solved = answer(problem);
    if (solved && outcome.iterations >= settings.least_iterations) break;
    if (outcome.iterations == most) {
      outcome.converged = false;
      break;
    }
    ++outcome.iterations;
    accelerate(problem, theta, outcome.iterations == most);
    load(problem);
    if (!measure(problem)) continue;
    theta = 1;
    bound(problem);
  }
  finish(problem);
  return outcome;
}

ContactIteration::Outcome ContactIteration::solve(std::span<Body> bodies, ContactList& contacts,
                                                  const ContactRows& rows,
                                                  std::vector<double>& scale,
                                                  const ContactSettings& settings) {
  for (const int b : rows.bodies)
    if (direct_[b]) scale[b] = 1;
  answers_.resize(contacts.size());
  impulse_.resize(contacts.size());
  error_.resize(contacts.size());
  turn_.resize(contacts.size());
  responses_.resize(rows.parts.size());

  // Large islands share their loops among the threads, the others are shared as they are.
  const auto is_large = [&](int i) {
    const ContactRows::Island &begin = rows.islands[i], &end = rows.islands[i + 1];
    bool whole = false;
    for (int k = begin.part; k < end.part; ++k) {
      const int b = rows.parts[k].body;
      // One CompliantIsland serves all that need one.
      whole = whole || !direct_[b] || bodies[b].method->compliance();
    }
    return whole || end.row - begin.row > large;
  };
  outcomes_.assign(std::size_t(rows.island_count()), {});
  const auto solve_island = [&](int i) {
    outcomes_[i] =
        solve({bodies, contacts, rows, scale, rows.islands[i], rows.islands[i + 1]}, settings);
  };
  for (int i = 0; i < rows.island_count(); ++i)
    if (is_large(i)) solve_island(i);
  parallel_for(rows.island_count(), 1, [&](int i, int) {
    if (!is_large(i)) solve_island(i);
  });

  Outcome outcome;
  for (const Outcome& island : outcomes_) {
    outcome.iterations = std::max(outcome.iterations, island.iterations);
    outcome.converged = outcome.converged && island.converged;
  }
  // What `respond` does, at the touched nodes: the others have no load.
  for_each(0, rows.slots(), [&](int s) {
    if (!direct_[rows.body[s]]) return;
    Nodes& nodes = bodies[rows.body[s]].nodes;
    nodes.position[rows.node[s]] = position_[s];
    nodes.load[rows.node[s]] = load_[s];
  });
  return outcome;
}

}  // namespace pliant
