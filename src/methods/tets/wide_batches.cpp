#include "methods/tets/wide_batches.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/assert.h"
#include "methods/shared/coloring.h"
#include "methods/shared/wide_nodes.h"
#include "methods/tets/packing.h"
#include "methods/tets/slabs.h"

namespace pliant::tets {
namespace {

/// Squared reach when there is no limit; what moves farther in one go is not finite any more.
constexpr float farthest = 1e30f;

/// B as L Q with Q a rotation. Only lengths of F = [edges] B and of its images of B's rows matter,
/// and those are the same for [edges] L: six numbers instead of nine, and a third less arithmetic.
Mat3 triangular(const Mat3& B) {
  Mat3 L = Mat3::Zero();
  const Vec3 r1 = B.row(0), r2 = B.row(1), r3 = B.row(2);
  L(0, 0) = r1.norm();
  const Vec3 q1 = r1 / L(0, 0);
  L(1, 0) = r2.dot(q1);
  const Vec3 rest2 = r2 - L(1, 0) * q1;
  L(1, 1) = rest2.norm();
  const Vec3 q2 = rest2 / L(1, 1);
  L(2, 0) = r3.dot(q1);
  L(2, 1) = r3.dot(q2);
  L(2, 2) = r3.dot(q1.cross(q2));  // negative where the corners were renumbered inside out
  return L;
}

/// Whether the edges at the first corner are at right angles, to what a float can tell.
bool is_right_angled(const Mat3& L) {
  const double off = std::abs(L(1, 0)) + std::abs(L(2, 0)) + std::abs(L(2, 1));
  return off < 1e-8 * L.diagonal().cwiseAbs().minCoeff();
}

/// Rows of B for the corners in another order: the gradient of a corner belongs to the corner.
Mat3 reordered(const Mat3& B, const Tet& from, const Tet& to) {
  Mat3 result;
  for (int k = 0; k < 3; ++k) {
    const auto at = std::find(from.begin(), from.end(), to[k + 1]) - from.begin();
    ASSERT(at < 4, "the same corners in another order");
    if (at == 0) result.row(k) = -B.colwise().sum();
    else result.row(k) = B.row(at - 1);
  }
  return result;
}

/// The corners of an element's tets in the order of the kernel.
Tet corners_of(const TetCell& cell, int t) {
  Tet tet;
  for (int k = 0; k < 4; ++k) tet[k] = cell.corner[cell_tets[t][k]];
  return tet;
}

/// The node of `tet` that `other` does not have; -1 unless it is exactly one.
int only_in_first(const Tet& tet, const Tet& other) {
  int found = -1;
  for (const int node : tet) {
    if (std::find(other.begin(), other.end(), node) != other.end()) continue;
    if (found >= 0) return -1;
    found = node;
  }
  return found;
}

std::vector<Vec3> centres(const std::vector<int>& corners, int width,
                          const std::vector<Vec3>& points) {
  std::vector<Vec3> result(corners.size() / std::size_t(width), Vec3::Zero());
  for (std::size_t i = 0; i < corners.size(); ++i)
    result[i / std::size_t(width)] += points[corners[i]] / width;
  return result;
}

/// Nodes numbered as the elements, followed by place, first meet them.
std::vector<int> slots_by_use(const std::vector<int>& corners, int width,
                              const std::vector<int>& sequence, int nodes) {
  std::vector<int> slot(std::size_t(nodes), -1);
  int next = 0;
  for (const int element : sequence)
    for (int k = 0; k < width; ++k) {
      int& s = slot[corners[std::size_t(element * width + k)]];
      if (s < 0) s = next++;
    }
  ASSERT(next == nodes, "every node belongs to a tet");
  return slot;
}

/// How elements are shared out.
struct Blocks {
  std::vector<int> sequence;      // all elements, near in space, near in the sequence
  std::vector<Packing> packings;  // of each block, in the order in which blocks are solved
  bool colored = false;           // runs are colours: no batch shares a node with another
};

/// Colours, each filled up for itself.
Packing pack_colors(const Coloring& coloring, int lanes) {
  Packing packing;
  packing.start.push_back(0);
  for (int color = 0; color < coloring.colors(); ++color) {
    const int begin = coloring.start[color], end = coloring.start[color + 1];
    packing.element.insert(packing.element.end(), &coloring.order[0] + begin,
                           &coloring.order[0] + end);
    while (packing.element.size() % std::size_t(lanes) != 0) packing.element.push_back(-1);
    packing.start.push_back(int(packing.element.size()) / lanes);
  }
  return packing;
}

/// Every colour is a pass over all nodes of a block. Tets of which a thread's nearest large cache
/// holds the nodes, a few times over, so that many threads find blocks to do.
constexpr int tets_of_slab = 6000;

/// Batches of the smallest block. With fewer, too many lanes would have nothing to do: a node has
/// up to 32 tets or eight cells, and can be in every second batch at most.
int least_batches(int width) { return width == 4 ? 128 : 16; }

/// How many slabs: shared by up to four threads, or by two if the body is small.
int wanted_slabs(int elements, int width, int lanes) {
  const int most = elements / (least_batches(width) * lanes);
  const int tets = width == 4 ? elements : 5 * elements;
  return most < 8 ? most / 4 * 4 : std::max(8, tets / (8 * tets_of_slab) * 8);
}

/// Colours of some elements, which are numbered anew.
Coloring color(std::span<const int> own, const std::vector<int>& corners, int width,
               const std::vector<Eigen::Vector3i>& grid, int nodes) {
  if (grid.empty()) {
    std::vector<int> sequence(own.size());
    std::iota(sequence.begin(), sequence.end(), 0);
    return color_greedily(corners, width, sequence, nodes);
  }
  std::vector<Eigen::Vector3i> places;
  for (const int e : own) places.push_back(grid[e]);
  return color_by_parity(places);
}

Blocks slab_blocks(const std::vector<int>& corners, int width, const std::vector<Vec3>& centre,
                   const std::vector<Eigen::Vector3i>& grid, int nodes, int lanes) {
  const int wanted = wanted_slabs(int(centre.size()), width, lanes);
  Slabs slabs = cut_into_slabs(corners, width, centre, nodes, wanted);
  // Cells come row by row, which is near enough, and in a full block gives eight colours by itself.
  for (int slab = 0; slab < slabs.size() && width == 8; ++slab)
    std::sort(&slabs.order[0] + slabs.start[slab], &slabs.order[0] + slabs.start[slab + 1]);
  Blocks blocks;
  blocks.sequence = slabs.order;
  blocks.colored = wanted > 1 && slabs.size() == 1;  // large, but threads can share colours only
  for (const int first : {0, 1})
    for (int slab = first; slab < slabs.size(); slab += 2) {
      const std::span<const int> own = slabs.elements(slab);
      std::vector<int> own_corners;
      for (const int e : own)
        own_corners.insert(own_corners.end(), &corners[0] + width * e,
                           &corners[0] + width * (e + 1));
      const Coloring coloring = color(own, own_corners, width, grid, nodes);
      blocks.packings.push_back(blocks.colored
                                    ? pack_colors(coloring, lanes)
                                    : pack(own_corners, width, coloring.order, nodes, lanes));
      for (int& e : blocks.packings.back().element) e = e < 0 ? e : own[e];
    }
  return blocks;
}

/// The inverse rest shape of every element's tets in units of the body, corners in the order of the
/// kernel.
std::vector<Mat3> rest_shapes(const WideBatches& batches, const TetElements& elements,
                              const std::vector<TetCell>& cells) {
  std::vector<Mat3> shapes;
  const auto add = [&](int tet, const Tet& order) {
    const Mat3 B = reordered(elements.inverse_rest[tet], elements.nodes[tet], order);
    shapes.push_back(batches.length * triangular(B));
  };
  for (const TetCell& cell : cells)
    for (int t = 0; t < 5; ++t) add(cell.tet[t], corners_of(cell, t));
  for (int tet = 0; cells.empty() && tet < elements.size(); ++tet) add(tet, elements.nodes[tet]);
  return shapes;
}

/// Whether all cells are boxes of one size, or mirror images: their corner tets right-angled and
/// alike, but for rounding.
bool are_boxes(const std::vector<Mat3>& shapes) {
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (i % 5 == 4) continue;  // the middle tet is what the others leave
    const Vec3 size = shapes[i].diagonal().cwiseAbs(), first = shapes[0].diagonal().cwiseAbs();
    if (!is_right_angled(shapes[i]) || !size.isApprox(first, 1e-7)) return false;
  }
  return true;
}

/// Turns mirror images the right side out: x and y change places, which is nothing to a cube.
void turn_same_way(const std::vector<Mat3>& shapes, std::vector<TetCell>& cells) {
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (shapes[5 * c].determinant() > 0) continue;
    std::swap(cells[c].corner[1], cells[c].corner[2]);
    std::swap(cells[c].corner[5], cells[c].corner[6]);
    std::swap(cells[c].tet[2], cells[c].tet[3]);
  }
}

/// Finds out what there is to know about the elements at rest.
void find_rest_shape(const std::vector<Mat3>& shapes, std::vector<TetCell>& cells,
                     WideBatches& batches) {
  if (cells.empty() || !are_boxes(shapes)) return;
  const Vec3 size = shapes[0].diagonal().cwiseAbs();
  const bool cubes = size.isApprox(Vec3::Constant(size[0]), 1e-7);
  batches.at_rest = cubes ? RestShape::cubes : RestShape::boxes;
  if (!cubes) return;
  batches.length /= size[0];
  turn_same_way(shapes, cells);
}

void write_shape(const Mat3& L, int lanes, float* to) {
  const double row[rest_rows] = {L(0, 0), L(1, 1), L(2, 2), L(1, 0), L(2, 0), L(2, 1)};
  for (int k = 0; k < rest_rows; ++k) to[k * lanes] = float(row[k]);
}

/// Writes down what the kernel needs of it; of cubes that is nothing. `element`: per batch and
/// lane.
void fill_shapes(const std::vector<Mat3>& shapes, const std::vector<int>& element,
                 WideBatches& batches) {
  const std::size_t lanes = std::size_t(batches.lanes), tets = std::size_t(batches.tets);
  if (batches.at_rest == RestShape::cubes) return;
  if (batches.at_rest == RestShape::boxes) {
    const Vec3 squares = shapes[0].diagonal().cwiseAbs2();
    const double product = std::abs(shapes[0].determinant());
    batches.rest.assign(box_rows * lanes, 1);
    for (std::size_t i = 0; i < box_rows * lanes; ++i)
      batches.rest.data()[i] = float(squares[Eigen::Index(i / lanes)]);
    batches.determinant.assign(element.size(), float(product));
    for (std::size_t i = 0; i < element.size(); ++i)
      if (element[i] >= 0 && shapes[5 * std::size_t(element[i])].determinant() < 0)
        batches.determinant.data()[i] = float(-product);
    return;
  }
  batches.rest.assign(element.size() * tets * rest_rows, 1);
  for (std::size_t i = 0; i < element.size(); ++i)
    for (std::size_t t = 0; t < tets; ++t)
      write_shape(
          element[i] < 0 ? Mat3(Mat3::Identity()) : shapes[std::size_t(element[i]) * tets + t],
          batches.lanes,
          batches.rest.data() + (i / lanes * tets + t) * rest_rows * lanes + i % lanes);
}

bool is_like(float a, float b) { return std::abs(a - b) <= 1e-6f * std::abs(b); }

/// Cells of a grid give way the same but for rounding, except that those which the surface cuts are
/// softer: then the compliances of a full one are kept once. What does not fit that is left as it
/// is.
void keep_once_if_alike(WideBatches& batches) {
  const std::size_t lanes = std::size_t(batches.lanes), tets = std::size_t(batches.tets);
  const auto place = [&](std::size_t i, GiveRow row) {  // of the tet and lane i
    return (i / lanes * give_rows + row) * lanes + i % lanes;
  };
  // The stiffest of each tet of a cell: none is cut less.
  std::vector<std::size_t> stiffest(tets, batches.tet.size());
  float* give = batches.give.data();
  for (std::size_t i = 0; i < batches.tet.size(); ++i) {
    std::size_t& other = stiffest[i / lanes % tets];
    if (batches.tet[i] < 0) continue;
    if (other == batches.tet.size() || give[place(i, give_shape)] < give[place(other, give_shape)])
      other = i;
  }
  const auto times = [&](std::size_t i) {  // softer than that
    return give[place(i, give_shape)] / give[place(stiffest[i / lanes % tets], give_shape)];
  };
  bool softer = false;
  for (std::size_t i = 0; i < batches.tet.size(); ++i) {
    if (batches.tet[i] < 0) continue;
    const std::size_t other = stiffest[i / lanes % tets];
    if (!is_like(give[place(i, give_gamma)], give[place(other, give_gamma)]) ||
        !is_like(give[place(i, give_volume)], times(i) * give[place(other, give_volume)]))
      return;
    softer = softer || !is_like(times(i), 1);
  }
  batches.give_step = 0;
  if (softer) {
    batches.softer_step = tets * lanes;
    for (std::size_t i = 0; i < batches.tet.size(); ++i)
      if (batches.tet[i] >= 0) batches.softer.data()[i] = times(i);
  } else {
    // The shortest reach is good for all: it only decides when to look more closely.
    const float shortest = *std::min_element(
        batches.near_reach.data(), batches.near_reach.data() + batches.batches() * batches.lanes);
    batches.near_step = 0;
    std::fill_n(batches.near_reach.data(), lanes, shortest);
  }
  for (std::size_t t = 0; t < tets; ++t)
    for (const GiveRow row : {give_shape, give_volume, give_gamma}) {
      const float value = give[place(stiffest[t], row)];
      std::fill_n(give + (t * give_rows + row) * lanes, lanes, value);
    }
}

}  // namespace

std::optional<std::vector<TetCell>> find_cells(const std::vector<Tet>& tets) {
  if (tets.empty() || tets.size() % 5 != 0) return std::nullopt;
  std::vector<TetCell> cells;
  for (int first = 0; first < int(tets.size()); first += 5) {
    // Each corner tet has one node of its own and lacks one of the middle tet's.
    const Tet& middle = tets[first + 4];
    TetCell cell;
    for (int t = 0; t < 4; ++t) {
      const int own = cell_tets[t][0], lacking = 7 - own;
      cell.corner[own] = only_in_first(tets[first + t], middle);
      cell.corner[lacking] = only_in_first(middle, tets[first + t]);
    }
    std::array<int, 8> sorted = cell.corner;
    std::sort(sorted.begin(), sorted.end());
    const bool distinct = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    if (sorted[0] < 0 || !distinct) return std::nullopt;
    std::iota(cell.tet.begin(), cell.tet.end(), first);
    cells.push_back(cell);
  }
  return cells;
}

std::vector<int> WideBatches::tet_order() const {
  std::vector<int> order;
  for (int b = 0; b < batches(); ++b)
    for (int lane = 0; lane < lanes; ++lane)
      for (int t = 0; t < tets; ++t) {
        const int number = tet[std::size_t((b * tets + t) * lanes + lane)];
        if (number >= 0) order.push_back(number);
      }
  return order;
}

double WideBatches::lane_fill() const {
  const auto used = std::count_if(tet.begin(), tet.end(), [](int number) { return number >= 0; });
  return double(used) / double(tet.size());
}

WideBatches build_batches(const TetElements& elements, const std::vector<double>& mass,
                          const std::vector<Vec3>& points, std::vector<TetCell> cells,
                          const std::vector<Eigen::Vector3i>& grid, int lanes) {
  const int nodes = int(mass.size());
  WideBatches batches;
  batches.lanes = lanes;
  batches.corners = cells.empty() ? 4 : 8;
  batches.tets = cells.empty() ? 1 : 5;
  const int width = batches.corners;
  batches.length =
      std::accumulate(elements.length.begin(), elements.length.end(), 0.0) / elements.size();
  batches.mass = std::accumulate(mass.begin(), mass.end(), 0.0) / nodes;

  const std::vector<Mat3> shapes = rest_shapes(batches, elements, cells);
  find_rest_shape(shapes, cells, batches);
  std::vector<int> corners;
  if (cells.empty())
    for (const Tet& tet : elements.nodes) corners.insert(corners.end(), tet.begin(), tet.end());
  for (const TetCell& cell : cells)
    corners.insert(corners.end(), cell.corner.begin(), cell.corner.end());
  const Blocks blocks =
      slab_blocks(corners, width, centres(corners, width, points), grid, nodes, lanes);
  batches.slot = slots_by_use(corners, width, blocks.sequence, nodes);
  batches.slots = nodes + filling_nodes * int(blocks.packings.size());
  batches.first_blocks = (int(blocks.packings.size()) + 1) / 2;
  batches.colored = blocks.colored;

  std::vector<int> element;  // per batch and lane; -1 = filled up
  batches.start.push_back(0);
  batches.block.push_back(0);
  for (const Packing& packing : blocks.packings) {
    const int first = batches.start.back();
    for (std::size_t run = 1; run < packing.start.size(); ++run)
      batches.start.push_back(first + packing.start[run]);
    element.insert(element.end(), packing.element.begin(), packing.element.end());
    batches.block.push_back(batches.runs());
  }

  std::vector<int> filling;  // per batch: where its block's begins
  for (int k = 0; k < batches.blocks(); ++k)
    filling.resize(std::size_t(batches.start[batches.block[k + 1]]), nodes + filling_nodes * k);

  batches.place.resize(element.size() * std::size_t(width));
  batches.tet.resize(element.size() * std::size_t(batches.tets));
  for (std::size_t i = 0; i < element.size(); ++i) {
    const int e = element[i], lane = int(i) % lanes, b = int(i) / lanes;
    for (int k = 0; k < width; ++k) {
      const int node = e < 0 ? filling[b] + k : batches.slot[corners[e * width + k]];
      batches.place[std::size_t((b * width + k) * lanes + lane)] = NodeFloats::per_node * node;
    }
    for (int t = 0; t < batches.tets; ++t)
      batches.tet[std::size_t((b * batches.tets + t) * lanes + lane)] =
          e < 0 || cells.empty() ? e : cells[e].tet[t];
  }
  fill_shapes(shapes, element, batches);
  batches.give.assign(std::size_t(batches.batches()) * batches.give_per_batch(), 1);
  batches.softer.assign(batches.tet.size(), 1);
  batches.near_reach.assign(element.size(), farthest);
  batches.reach.assign(batches.tet.size(), farthest);
  batches.lightest.assign(batches.tet.size(), 1);
  for (std::size_t i = 0; i < batches.tet.size(); ++i) {
    if (batches.tet[i] < 0) continue;
    const Tet& tet = elements.nodes[batches.tet[i]];
    const double least =
        std::min(std::min(mass[tet[0]], mass[tet[1]]), std::min(mass[tet[2]], mass[tet[3]]));
    batches.lightest[i] = float(batches.mass / least);
  }
  return batches;
}

void fill_compliances(const TetElements& elements, const std::vector<Compliance>& compliances,
                      double cap, WideBatches& batches) {
  const int lanes = batches.lanes;
  const double unit = batches.mass * batches.length * batches.length;
  const std::size_t per_element = std::size_t(batches.tets * lanes);
  batches.give_step = batches.give_per_batch();
  batches.softer_step = 0;
  batches.near_step = std::size_t(lanes);
  std::fill_n(batches.softer.data(), batches.tet.size(), 1.0f);
  std::fill_n(batches.near_reach.data(), batches.tet.size() / std::size_t(batches.tets), farthest);
  for (std::size_t i = 0; i < batches.tet.size(); ++i) {
    const int tet = batches.tet[i];
    if (tet < 0) continue;
    const double reach = cap * elements.length[tet] / batches.length;
    const std::size_t row = i / std::size_t(lanes) * give_rows * std::size_t(lanes);
    float* give = batches.give.data() + row + i % std::size_t(lanes);
    give[give_shape * lanes] = float(unit * compliances[tet].shape);
    give[give_volume * lanes] = float(unit * compliances[tet].volume);
    give[give_gamma * lanes] = float(compliances[tet].gamma);
    const float squared = cap > 0 ? std::min(float(reach * reach), farthest) : farthest;
    batches.reach.data()[i] = squared;
    float& near_reach =
        batches.near_reach.data()[i / per_element * std::size_t(lanes) + i % std::size_t(lanes)];
    near_reach = std::min(near_reach, squared / batches.lightest[i]);
  }
  if (batches.at_rest != RestShape::any) keep_once_if_alike(batches);
}

}  // namespace pliant::tets
