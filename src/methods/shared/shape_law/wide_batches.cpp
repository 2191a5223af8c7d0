#include "methods/shared/shape_law/wide_batches.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/assert.h"
#include "core/random.h"
#include "methods/shared/coloring.h"
#include "methods/shared/wide_nodes.h"

namespace pliant::shape_law {
namespace {

/// Squared reach when there is no limit; what moves farther in one go is not finite any more.
constexpr float farthest = 1e30f;

int size_of(const Shapes& shapes, int g) { return shapes.start[g + 1] - shapes.start[g]; }
bool is_large(const Shapes& shapes, int g) { return size_of(shapes, g) > most_side_by_side; }

std::vector<int> by_place(const Shapes& shapes, const std::vector<Vec3>& points) {
  std::vector<Vec3> centres;
  for (int g = 0; g < shapes.size(); ++g) {
    Vec3& middle = centres.emplace_back(Vec3::Zero());
    for (const int p : shapes.members(g)) middle += points[p] / size_of(shapes, g);
  }
  return order_by_place(centres);
}

Coloring colored(const Shapes& shapes, const std::vector<int>& sequence,
                 const std::vector<Eigen::Vector3i>& cell, int particles) {
  Coloring coloring = cell.empty()
                          ? color_greedily(shapes.member, shapes.start, sequence, particles)
                          : color_by_parity(cell);
  // Groups of one size together, so that few lanes are idle; the large ones last.
  for (int color = 0; color < coloring.colors(); ++color)
    std::stable_sort(coloring.order.begin() + coloring.start[color],
                     coloring.order.begin() + coloring.start[color + 1],
                     [&](int a, int b) { return size_of(shapes, a) < size_of(shapes, b); });
  return coloring;
}

/// Neighbouring colours would sweep over the body in a fixed direction.
std::vector<int> shuffled_colors(int count) {
  std::vector<int> order(std::size_t(count), 0);
  std::iota(order.begin(), order.end(), 0);
  for (int i = count - 1; i > 0; --i)
    std::swap(order[i], order[int(random_unit(2, std::uint64_t(i)) * (i + 1))]);
  return order;
}

std::vector<int> slots_by_use(const Shapes& shapes, const std::vector<int>& sequence,
                              int particles) {
  std::vector<int> slot(std::size_t(particles), -1);
  int next = 0;
  for (const int g : sequence)
    for (const int p : shapes.members(g))
      if (slot[p] < 0) slot[p] = next++;
  for (int& place : slot)  // particles without a group fly with the others
    if (place < 0) place = next++;
  return slot;
}

/// Cuts one colour into batches.
void add_batches(const Shapes& shapes, std::span<const int> groups, WideBatches& batches) {
  const int lanes = batches.lanes;
  std::size_t at = 0;
  while (at < groups.size()) {
    Batch batch;
    const int first = groups[at];
    batch.large = is_large(shapes, first);
    std::size_t count = 1;
    if (!batch.large)
      while (count < std::size_t(lanes) && at + count < groups.size() &&
             !is_large(shapes, groups[at + count]))
        ++count;
    const int most = size_of(shapes, groups[at + count - 1]);  // they rise
    batch.alike = !batch.large && size_of(shapes, first) == most;
    batch.lean = batch.alike && batches.even;
    batch.rows = batch.large ? (most + lanes - 1) / lanes : most;
    for (int lane = 0; lane < lanes; ++lane)
      batches.group.push_back(batch.large                 ? first
                              : std::size_t(lane) < count ? groups[at + std::size_t(lane)]
                                                          : -1);
    batches.batch.push_back(batch);
    at += count;
  }
}

/// Which membership lies at (row, lane) of a batch; -1 = filled up.
int membership(const Shapes& shapes, const WideBatches& batches, int b, int row, int lane) {
  const int g = batches.group[std::size_t(b * batches.lanes + lane)];
  if (g < 0) return -1;
  const int k = batches.batch[b].large ? row * batches.lanes + lane : row;
  return k < size_of(shapes, g) ? shapes.start[g] + k : -1;
}

void place_members(const Shapes& shapes, WideBatches& batches) {
  for (int b = 0; b < int(batches.batch.size()); ++b) {
    Batch& batch = batches.batch[b];
    batch.place = batches.place.size();
    bool full = true;
    for (int row = 0; row < batch.rows; ++row)
      for (int lane = 0; lane < batches.lanes; ++lane) {
        const int k = membership(shapes, batches, b, row, lane);
        full = full && k >= 0;
        const int slot = k < 0 ? batches.slots : batches.slot[shapes.member[k]];
        batches.place.push_back(NodeFloats::per_node * slot);
      }
    if (!full) ++batches.slots;  // its own, so that threads write to different ones
  }
}

/// What a batch reads of its groups' rest shapes.
std::vector<float> rest_rows(const Shapes& shapes, const WideBatches& batches, int b) {
  const Batch& batch = batches.batch[b];
  const int lanes = batches.lanes;
  std::vector<float> rows(std::size_t(batch.rest_rows() * lanes), 0);
  for (int lane = 0; lane < lanes; ++lane) {
    const int g = batches.group[std::size_t(b * lanes + lane)];
    float* inverse = &rows[std::size_t(lane)];
    for (int axis = 0; axis < 3; ++axis) inverse[axis * lanes] = 1;
    if (g < 0) continue;
    const Shape& shape = shapes.shape[g];
    const double unit = batches.length;
    const double share = batches.even ? 1.0 / size_of(shapes, g) : 1.0;
    for (int axis = 0; axis < 3; ++axis)
      inverse[axis * lanes] = float(share * shape.mass * unit * unit / shape.spread[axis]);
    for (int row = batch.first_kept(); row < batch.rows; ++row) {
      const int k = membership(shapes, batches, b, row, lane);
      if (k < 0) continue;
      const int before = (row - batch.first_kept()) * batch.rows_per_member() + inverse_rows;
      float* member = &rows[std::size_t(before * lanes + lane)];
      const Vec3 arm = shape.axes.transpose() * shapes.arm[k] / unit;
      if (!batch.lean) member[member_share * lanes] = float(shapes.weight[k] / shape.mass);
      for (int axis = 0; axis < 3; ++axis) member[(member_x + axis) * lanes] = float(arm[axis]);
    }
  }
  return rows;
}

void write_answer(const Shapes& shapes, const std::vector<double>& mass,
                  const std::vector<char>& held, int b, int lane, WideBatches& batches) {
  const int lanes = batches.lanes, g = batches.group[std::size_t(b * lanes + lane)];
  float* to = batches.answer.data() + std::size_t(b * answer_rows * lanes + lane);
  Mat3 answer = Mat3::Identity();
  if (g >= 0) {
    const Shape& shape = shapes.shape[g];
    answer.setZero();
    for (int k = shapes.start[g]; k < shapes.start[g + 1]; ++k)
      if (const int p = shapes.member[k]; !held[p])
        answer += shapes.slope[k] * shapes.slope[k].transpose() / mass[p];
    answer = shape.mass * batches.length * batches.length *
             (shape.axes.transpose() * answer * shape.axes).eval();
  }
  const double row[answer_rows] = {answer(0, 0), answer(1, 1), answer(2, 2),     answer(1, 0),
                                   answer(2, 0), answer(2, 1), g < 0 ? 1.0 : 0.0};
  for (int k = 0; k < answer_rows; ++k) to[k * lanes] = float(row[k]);
}

/// Whether the members of each group weigh the same.
bool is_even(const Shapes& shapes) {
  for (int g = 0; g < shapes.size(); ++g)
    for (int k = shapes.start[g]; k < shapes.start[g + 1]; ++k)
      if (shapes.weight[k] != shapes.weight[shapes.start[g]]) return false;
  return true;
}

}  // namespace

/// Batches of a regular grid have the same rest shapes; kept once, they stay in the nearest cache.
void fill_rest(const Shapes& shapes, WideBatches& batches) {
  std::map<std::vector<float>, std::size_t> known;
  std::vector<float> all;
  for (int b = 0; b < int(batches.batch.size()); ++b) {
    std::vector<float> rows = rest_rows(shapes, batches, b);
    const auto [found, added] = known.try_emplace(std::move(rows), all.size());
    if (added) all.insert(all.end(), found->first.begin(), found->first.end());
    batches.batch[b].rest = found->second;
    // Irregular bodies: do not keep twice what will hardly be found.
    if (known.size() > 256) known.clear();
  }
  batches.rest.assign(all.size(), 0);
  std::copy(all.begin(), all.end(), batches.rest.data());
}

std::vector<int> WideBatches::order() const {
  std::vector<int> result;
  for (std::size_t b = 0; b < batch.size(); ++b)
    for (int lane = 0; lane < (batch[b].large ? 1 : lanes); ++lane)
      if (const int g = group[b * std::size_t(lanes) + std::size_t(lane)]; g >= 0)
        result.push_back(g);
  return result;
}

double WideBatches::lane_fill() const {
  const int particles = int(slot.size());
  std::size_t used = 0;
  for (const std::int32_t p : place) used += p < NodeFloats::per_node * particles ? 1 : 0;
  return double(used) / double(place.size());
}

WideBatches build_batches(const Shapes& shapes, const std::vector<Vec3>& points,
                          const std::vector<Eigen::Vector3i>& cell, int lanes) {
  WideBatches batches;
  batches.lanes = lanes;
  batches.even = is_even(shapes);
  double length = 0, mass = 0;
  for (const Shape& shape : shapes.shape) {
    length += shape.length;
    mass += shape.mass;
  }
  batches.length = length / shapes.size();
  batches.mass = mass / double(shapes.member.size());

  const int particles = int(points.size());
  std::vector<int> sequence(std::size_t(shapes.size()), 0);
  std::iota(sequence.begin(), sequence.end(), 0);
  if (cell.empty()) sequence = by_place(shapes, points);
  const Coloring coloring = colored(shapes, sequence, cell, particles);
  batches.slot = slots_by_use(shapes, sequence, particles);
  batches.slots = particles;
  batches.start.push_back(0);
  for (const int color : shuffled_colors(coloring.colors())) {
    const int begin = coloring.start[color], end = coloring.start[color + 1];
    add_batches(shapes, {&coloring.order[0] + begin, std::size_t(end - begin)}, batches);
    batches.start.push_back(int(batches.batch.size()));
  }
  place_members(shapes, batches);
  fill_rest(shapes, batches);
  batches.give.assign(batches.batch.size() * std::size_t(give_rows * lanes), 1);
  batches.answer.assign(batches.batch.size() * std::size_t(answer_rows * lanes), 0);
  return batches;
}

void fill_compliances(const Shapes& shapes, const std::vector<Compliance>& compliances, double cap,
                      WideBatches& batches) {
  const int lanes = batches.lanes;
  for (std::size_t i = 0; i < batches.group.size(); ++i) {
    const int g = batches.group[i];
    if (g < 0) continue;
    float* give = batches.give.data() + i / std::size_t(lanes) * std::size_t(give_rows * lanes) +
                  i % std::size_t(lanes);
    const Shape& shape = shapes.shape[g];
    const double unit = shape.mass * batches.length * batches.length;
    const double reach = cap * shape.length / batches.length;
    const double share = batches.even ? 1.0 / size_of(shapes, g) : 1.0;
    const double mass = shape.mass / batches.mass;
    give[give_shape * lanes] = float(unit * compliances[g].shape);
    give[give_volume * lanes] = float(unit * compliances[g].volume);
    give[give_gamma * lanes] = float(compliances[g].gamma);
    give[give_reach * lanes] =
        cap > 0 ? std::min(float(share * reach * reach), farthest) : farthest;
    give[give_filter * lanes] = float(share * mass * compliances[g].filter);
    give[give_mass * lanes] = float(mass);
    give[give_members * lanes] = float(size_of(shapes, g));
  }
}

void fill_answers(const Shapes& shapes, const std::vector<double>& mass,
                  const std::vector<char>& held, WideBatches& batches) {
  for (int b = 0; b < int(batches.batch.size()); ++b)
    for (int lane = 0; lane < batches.lanes; ++lane)
      write_answer(shapes, mass, held, b, lane, batches);
}

}  // namespace pliant::shape_law
