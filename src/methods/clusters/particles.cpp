#include "methods/clusters/particles.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/random.h"

// Chentanez et al. 2016, section 3.3, with mass and momentum that go from particle to particle
// instead of being copied, in whole quanta so that their sum never changes.

namespace pliant::clusters {
namespace {

// Lengths in radii.
constexpr double crowded = 0.1;      // nearer pairs become one particle
constexpr double skin_depth = 0.25;  // particles this far outside live
constexpr double neighbourhood = 2;  // particles that give and take mass
constexpr double even_reach = 1.5;   // particles whose masses even out
constexpr double lightest = 0.1;     // of the mean mass; lighter ones die
constexpr double uneven = 1.5;       // ratio of masses that are evened out
constexpr int fewest_in_piece = 5;   // no piece gets fewer
constexpr double drawn_out = 1.8;    // norm of F_P (1.73 at rest) from which there are seeds
constexpr int tries = 5;             // per particle and frame

template <class T>
void keep(std::vector<T>& values, const std::vector<char>& dead) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!dead[i]) values[kept++] = values[i];
  values.resize(kept);
}

}  // namespace

Particles::Particles(Matter& matter, Nodes& nodes, const Neighbours& near)
    : matter_(matter),
      nodes_(nodes),
      near_(near),
      before_(nodes.size()),
      dead_(std::size_t(nodes.size()), 0) {
  for (const int piece : matter.piece) {
    if (piece >= int(in_piece_.size())) in_piece_.resize(std::size_t(piece) + 1, 0);
    ++in_piece_[piece];
  }
}

double Particles::quantised(double mass) const {
  return std::floor(mass / matter_.quantum) * matter_.quantum;
}

void Particles::move_mass(int from, int to, double mass) {
  const double sum = nodes_.mass[to] + mass;
  nodes_.velocity[to] =
      (nodes_.mass[to] * nodes_.velocity[to] + mass * nodes_.velocity[from]) / sum;
  nodes_.mass[to] = sum;
  nodes_.mass[from] -= mass;
}

bool Particles::is_crowded(int p, std::vector<int>& found) const {
  near_.within(nodes_.position[p], crowded * matter_.radius, found);
  return std::any_of(found.begin(), found.end(), [&](int q) {
    return q > p && !dead_[q] && matter_.piece[q] == matter_.piece[p];
  });
}

/// Its mass goes to its neighbours, or to the nearest particle of its piece.
bool Particles::give_away(int p) {
  const double r = matter_.radius;
  std::vector<int> heirs;
  for (double reach = neighbourhood * r; heirs.empty(); reach *= 2) {
    near_.within(nodes_.position[p], reach, heirs);
    std::erase_if(
        heirs, [&](int q) { return q == p || dead_[q] || matter_.piece[q] != matter_.piece[p]; });
    if (reach > 1e6 * r) return false;
  }
  std::vector<double> share;
  double sum = 0;
  for (const int q : heirs) {
    share.push_back(1 / std::max((nodes_.position[q] - nodes_.position[p]).norm(), 0.05 * r));
    sum += share.back();
  }
  const double whole = nodes_.mass[p];
  for (std::size_t k = 0; k + 1 < heirs.size(); ++k)
    move_mass(p, heirs[k], quantised(whole * share[k] / sum));
  move_mass(p, heirs.back(), nodes_.mass[p]);
  dead_[p] = 1;
  --in_piece_[matter_.piece[p]];
  ++matter_.removed;
  return true;
}

void Particles::remove_bad(const Interior& interior) {
  double mean = 0;
  for (const double mass : nodes_.mass) mean += mass / nodes_.size();
  std::vector<int> found;
  for (int p = 0; p < before_; ++p) {
    if (nodes_.held[p] || in_piece_[matter_.piece[p]] <= fewest_in_piece) continue;
    const bool bad = nodes_.mass[p] < lightest * mean || is_crowded(p, found) ||
                     !interior.is_near(nodes_.position[p], skin_depth * matter_.radius);
    if (bad) give_away(p);
  }
}

/// No live particle nearer than r.
bool Particles::has_room(const Vec3& place, std::vector<int>& found) const {
  near_.within(place, matter_.radius, found);
  if (std::any_of(found.begin(), found.end(), [&](int q) { return !dead_[q]; })) return false;
  for (int q = before_; q < nodes_.size(); ++q)
    if ((nodes_.position[q] - place).norm() < matter_.radius) return false;
  return true;
}

/// A particle without mass.
int Particles::add(int beside, const Vec3& place) {
  nodes_.position.push_back(place);
  nodes_.previous.push_back(place);
  nodes_.velocity.push_back(Vec3::Zero());
  nodes_.mass.push_back(0);
  dead_.push_back(0);
  matter_.piece.push_back(matter_.piece[beside]);
  matter_.material_of.push_back(matter_.material_of[beside]);
  born_from_.push_back(beside);
  ++in_piece_[matter_.piece[beside]];
  return nodes_.size() - 1;
}

/// Every piece gets the particles it needs, each with half of the mass of the nearest one.
void Particles::populate(std::span<const Bare> bare) {
  for (const auto& [piece, place] : bare) {
    int nearest = -1;
    for (int p = 0; p < before_; ++p)
      if (matter_.piece[p] == piece &&
          (nearest < 0 || (nodes_.position[p] - place).squaredNorm() <
                              (nodes_.position[nearest] - place).squaredNorm()))
        nearest = p;
    if (nearest < 0) continue;
    const double half = quantised(nodes_.mass[nearest] / 2);
    move_mass(nearest, add(nearest, place), half);
    ++matter_.seeded;
  }
}

/// A particle made of an equal part of each neighbour's mass.
bool Particles::try_seed(int beside, const Vec3& place) {
  std::vector<int> givers;
  near_.within(place, neighbourhood * matter_.radius, givers);
  std::erase_if(givers,
                [&](int q) { return dead_[q] || matter_.piece[q] != matter_.piece[beside]; });
  if (givers.empty()) return false;
  const int born = add(beside, place);
  for (const int q : givers)
    move_mass(q, born, quantised(nodes_.mass[q] / double(givers.size() + 1)));
  ++matter_.seeded;
  return true;
}

void Particles::seed(const Interior& interior) {
  std::vector<char> wanted(std::size_t(before_), 0);
  for (const Cluster& cluster : matter_.clusters)
    if (cluster.plastic.norm() > drawn_out)
      for (const int p : cluster.member) wanted[p] = 1;
  std::vector<int> found;
  for (int p = 0; p < before_; ++p) {
    if (!wanted[p] || dead_[p]) continue;
    for (int k = 0; k < tries; ++k) {
      const auto draw = [&](int which) {
        return random_unit(
            std::uint64_t(matter_.frame) * 3 + 2,
            (std::uint64_t(p) * tries + std::uint64_t(k)) * 3 + std::uint64_t(which));
      };
      // Even in the volume between one and two radii.
      const double away = matter_.radius * std::cbrt(1 + 7 * draw(0));
      const double z = 2 * draw(1) - 1, turn = 2 * std::numbers::pi * draw(2);
      const double across = std::sqrt(1 - z * z);
      const Vec3 place =
          nodes_.position[p] + away * Vec3(across * std::cos(turn), across * std::sin(turn), z);
      if (!has_room(place, found)) continue;
      if (interior.piece_at(place) != matter_.piece[p]) continue;
      if (interior.joins && !interior.joins(nodes_.position[p], place)) continue;
      try_seed(p, place);
    }
  }
}

void Particles::even_out() {
  std::vector<int> found;
  for (int p = 0; p < before_; ++p) {
    if (dead_[p]) continue;
    near_.within(nodes_.position[p], even_reach * matter_.radius, found);
    int light = -1;
    for (const int q : found)
      if (q != p && !dead_[q] && matter_.piece[q] == matter_.piece[p] &&
          (light < 0 || nodes_.mass[q] < nodes_.mass[light]))
        light = q;
    if (light >= 0 && nodes_.mass[p] > uneven * nodes_.mass[light])
      move_mass(p, light, quantised((nodes_.mass[p] - nodes_.mass[light]) / 4));
  }
}

Resampled Particles::compact() {
  Resampled result;
  if (born_from_.empty() && std::find(dead_.begin(), dead_.end(), 1) == dead_.end()) return result;
  int alive = 0;
  for (int p = 0; p < before_; ++p) result.node.push_back(dead_[p] ? -1 : alive++);
  keep(nodes_.position, dead_);
  keep(nodes_.previous, dead_);
  keep(nodes_.velocity, dead_);
  keep(nodes_.mass, dead_);
  keep(matter_.piece, dead_);
  keep(matter_.material_of, dead_);
  nodes_.fit_to_positions();
  result.born_from = std::move(born_from_);
  return result;
}

}  // namespace pliant::clusters
