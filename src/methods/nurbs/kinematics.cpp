#include "methods/nurbs/kinematics.h"

#include <algorithm>
#include <map>

#include "core/errors.h"
#include "core/parallel.h"
#include "methods/nurbs/seams.h"
#include "methods/nurbs/spread.h"

namespace pliant::nurbs {
namespace {

// Lengths that follow the thickness, as shares of the longest side.
constexpr double least_length = 0.03;
constexpr double most_length = 0.12;
// Error energy: of surface and particles in Young's moduli per radius, and of control points, where
// it only decides those that no sample sees.
constexpr double sample_error = 2;
constexpr double control_error = 1e-3;
// Voxels along an edge of an energy point, and energy points along an edge of a bundle.
constexpr int voxels_across = 2;
constexpr int points_across = 2;

/// Energy points: blocks of voxels, sorted so that neighbours come together.
struct Blocks {
  std::vector<Vec3> middle;
  std::vector<double> volume;
  std::vector<int> bundle = {0};
};

Blocks gather_voxels(const Occupancy& solid) {
  struct Block {
    int voxels = 0;
    Vec3 sum = Vec3::Zero();
  };
  // Key: bundle, then block within it.
  std::map<std::array<int, 6>, Block> blocks;
  for (int v = 0; v < solid.size(); ++v) {
    const Eigen::Vector3i block = solid.cell[v] / voxels_across;
    const Eigen::Vector3i bundle = block / points_across;
    Block& to = blocks[{bundle[0], bundle[1], bundle[2], block[0], block[1], block[2]}];
    ++to.voxels;
    to.sum += solid.centre[v];
  }
  Blocks result;
  std::array<int, 3> last = {-1, -1, -1};
  const double voxel = solid.edge * solid.edge * solid.edge;
  for (const auto& [key, block] : blocks) {
    const std::array<int, 3> bundle = {key[0], key[1], key[2]};
    if (!result.middle.empty() && bundle != last)
      result.bundle.push_back(int(result.middle.size()));
    last = bundle;
    result.middle.push_back(block.sum / block.voxels);
    result.volume.push_back(block.voxels * voxel);
  }
  result.bundle.push_back(int(result.middle.size()));
  return result;
}

/// A row of a fit over the nodes.
struct NodeRow {
  bool is_there = false;
  double radius = 0;
  std::vector<int> node;
  std::vector<double> value;
  std::vector<Vec3> gradient;
};

/// Fits at many places, in parallel.
std::vector<NodeRow> fit_all(const Fitter& fitter, const std::vector<Sample>& samples,
                             const Occupancy& solid, const std::vector<Vec3>& places,
                             bool through_solid, int nodes) {
  std::vector<NodeRow> rows(places.size());
  // Places in one voxel share a search through the solid.
  std::vector<std::pair<int, int>> order;
  for (int i = 0; i < int(places.size()); ++i) order.emplace_back(solid.near(places[i]), i);
  std::sort(order.begin(), order.end());
  parallel_for(int(places.size()), 256, [&](int begin, int end) {
    Fitter::Fit fit(fitter);
    Spread spread(nodes);
    for (int k = begin; k < end; ++k) {
      const int i = order[k].second;
      if (!fitter.at(places[i], through_solid, fit)) continue;
      NodeRow& row = rows[i];
      row.is_there = true;
      row.radius = fit.radius;
      spread.clear();
      for (std::size_t s = 0; s < fit.sample.size(); ++s)
        spread.add(samples[fit.sample[s]].row, fit.value[s], fit.gradient[s]);
      spread.take(row.node, row.value, row.gradient);
    }
  });
  return rows;
}

double affine_error(const NodeRow& row, const std::vector<Vec3>& node) {
  double sum = -1;
  Mat3 identity = -Mat3::Identity();
  for (std::size_t k = 0; k < row.node.size(); ++k) {
    sum += row.value[k];
    identity += node[row.node[k]] * row.gradient[k].transpose();
  }
  return std::max(std::abs(sum), identity.norm());
}

void add_points(const Blocks& blocks, const std::vector<NodeRow>& rows, Kinematics& made) {
  galerkin::Points& points = made.points;
  std::size_t next = 1;  // bundle
  for (int p = 0; p < int(rows.size()); ++p) {
    if (p == blocks.bundle[next]) {
      if (points.bundle.back() != points.size()) points.bundle.push_back(points.size());
      ++next;
    }
    const NodeRow& row = rows[p];
    if (!row.is_there) {
      ++made.unfitted;
      continue;
    }
    points.node.insert(points.node.end(), row.node.begin(), row.node.end());
    points.value.insert(points.value.end(), row.value.begin(), row.value.end());
    points.gradient.insert(points.gradient.end(), row.gradient.begin(), row.gradient.end());
    points.start.push_back(int(points.node.size()));
    points.rest.push_back(blocks.middle[p]);
    points.volume.push_back(blocks.volume[p]);
    made.consistency = std::max(made.consistency, affine_error(row, made.node));
  }
  if (points.bundle.back() != points.size()) points.bundle.push_back(points.size());
}

/// |fit - own|^2, own a row over the nodes.
void add_error(const NodeRow& row, const std::vector<int>& own, const std::vector<double>& weights,
               double weight, const Vec3& place, Kinematics& made) {
  if (!row.is_there) {
    ++made.unfitted;
    return;
  }
  std::map<int, double> sum;
  for (std::size_t k = 0; k < row.node.size(); ++k) sum[row.node[k]] += row.value[k];
  for (std::size_t k = 0; k < own.size(); ++k) sum[own[k]] -= weights[k];
  ErrorRow error{.weight = weight, .place = place};
  for (const auto& [node, coefficient] : sum) {
    error.node.push_back(node);
    error.coefficient.push_back(coefficient);
  }
  made.error.push_back(std::move(error));
}

}  // namespace

Kinematics make_kinematics(const std::vector<NurbsPatch>& patches, const TriangleMesh& surface,
                           const KinematicsSettings& settings) {
  Kinematics made;
  const Occupancy solid(surface, settings.voxels);
  made.left_out = solid.left_out;
  made.occupied = solid.volume();
  const double side = bounds(surface.points).extent().maxCoeff();
  const Lengths lengths{least_length * side, most_length * side};
  made.net = make_net(patches, solid, lengths, settings.spans);
  made.node = made.net.point;
  std::vector<Sample> samples = surface_samples(made.net, solid, lengths, settings.density);
  if (samples.empty()) throw InputError("", "", "its faces have no area");
  made.samples = int(samples.size());
  const Interior interior = fill_interior(samples, solid, lengths);
  made.particles = int(interior.particle.size());
  for (std::size_t p = 0; p < interior.particle.size(); ++p) {
    Sample sample{.place = interior.particle[p], .spacing = interior.spacing[p]};
    sample.row = {{int(made.node.size())}, {1}};
    sample.area = sample.spacing * sample.spacing;
    samples.push_back(std::move(sample));
    made.node.push_back(interior.particle[p]);
  }
  made.least_spacing =
      *std::min_element(interior.voxel_spacing.begin(), interior.voxel_spacing.end());

  const int nodes = int(made.node.size());
  const Fitter fitter(samples, solid, interior.voxel_spacing);
  const Blocks blocks = gather_voxels(solid);
  add_points(blocks, fit_all(fitter, samples, solid, blocks.middle, true, nodes), made);
  if (made.points.size() == 0) throw InputError("", "", "its faces are too far from each other");

  std::vector<Vec3> places;
  for (const Sample& sample : samples) places.push_back(sample.place);
  std::vector<NodeRow> rows = fit_all(fitter, samples, solid, places, true, nodes);
  for (std::size_t s = 0; s < samples.size(); ++s)
    add_error(rows[s], samples[s].row.pole, samples[s].row.weight,
              sample_error * samples[s].area / rows[s].radius, places[s], made);
  rows = fit_all(fitter, samples, solid, made.net.point, false, nodes);
  for (int n = 0; n < int(rows.size()); ++n)
    add_error(rows[n], {n}, {1.0}, control_error * rows[n].radius, made.node[n], made);
  if (settings.stitch > 0) {
    std::vector<ErrorRow> seams = stitch_seams(made.net, samples, fitter, nodes, settings.stitch);
    made.seams = int(seams.size());
    std::move(seams.begin(), seams.end(), std::back_inserter(made.error));
  }
  return made;
}

}  // namespace pliant::nurbs
