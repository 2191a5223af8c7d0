#include "methods/clusters/clusters_method.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/assert.h"
#include "core/parallel.h"
#include "core/profile.h"
#include "math/polar.h"
#include "methods/clusters/bind.h"
#include "methods/clusters/fracture.h"
#include "methods/clusters/pieces.h"

// Mueller et al. 2022 for the law, Chentanez et al. 2016 for what flows; docs/methods/clusters.md.
// Here is only the order in which things happen.

namespace pliant::clusters {
namespace {

constexpr int node_grain = 512;
constexpr int cluster_grain = 8;

/// Flat clusters go this share of the way to their rigid fit in each substep.
constexpr double rigid_share = 0.1;
/// How much of the last turn a flat cluster's fit remembers: directions it has lost stay put.
constexpr double turn_memory = 0.01;

/// Frames with flow between two bindings of the skin: as smooth as binding in each.
constexpr int frames_between_bindings = 8;
/// Share of a piece's volume by which the skin may be wrong before it is bound anew at once: what
/// is pressed fast gives way in its outer layer first, and would lose a tenth in eight frames.
constexpr double volume_tolerance = 0.01;
/// [longest edges] that a vertex moves at most to keep the volume, in one binding.
constexpr double volume_step = 0.16;

InnerDamping inner_damping(const Matter& matter) {
  std::vector<double> rate;
  for (const int m : matter.material_of) rate.push_back(*matter.material[m].damping);
  return {std::move(rate), matter.piece};
}

}  // namespace

void ClustersMethod::rebuild(const Nodes& nodes) {
  shapes_ = {};
  flat_.clear();
  wide_.reset();
  damping_ = inner_damping(matter_);
  late_ = {};
  compliances_h_ = 0;
  if (rules_.paper) {
    matching_.emplace(matter_);
    return;
  }
  const std::vector<double> volume = volumes(matter_, nodes);
  std::vector<double> mass;
  for (int c = 0; c < int(matter_.clusters.size()); ++c) {
    const Cluster& cluster = matter_.clusters[c];
    if (fit(cluster, nodes).flat) {
      flat_.push_back(c);
      continue;
    }
    mass.clear();
    for (const int p : cluster.member) mass.push_back(nodes.mass[p]);
    add_shape({cluster.member, cluster.arm, mass, mass, volume[c]},
              matter_.material[cluster.material], shape_law::Law::neo_hookean, Lame::consistent,
              shapes_);
  }
  if (shapes_.size() > 0) wide_.emplace(shapes_, order_by_, std::vector<Eigen::Vector3i>(), false);
}

void ClustersMethod::prepare(const Nodes& nodes, double h) {
  if (outdated_) order_by_ = nodes.position;
  if (outdated_ || lost_) rebuild(nodes);
  outdated_ = lost_ = false;
  if (compliances_h_ == h) return;
  scale_compliances(shapes_, h, rules_.stiffening, compliances_);
  if (wide_) wide_->set_compliances(shapes_, compliances_, rules_.displacement_cap);
  compliances_h_ = h;
}

void ClustersMethod::advance(Nodes& nodes, const Substep& substep) {
  ASSERT(substep.h > 0, "a substep takes time");
  prepare(nodes, substep.h);
  if (rules_.paper) return advance_as_paper(nodes, substep);
  if (wide_) wide_->begin(shapes_, nodes);
  parallel_for(nodes.size(), node_grain, [&](int begin, int end) {
    if (wide_) wide_->fly_and_load(nodes, begin, end, substep.h, late_);
    else fly(nodes, begin, end, substep.h, late_);
  });
  if (wide_) {
    std::swap(nodes.position, nodes.previous);  // as fly_and_load() leaves them
    skipped_ += wide_->sweep(1, false).skipped;
    parallel_for(nodes.size(), node_grain,
                 [&](int begin, int end) { wide_->add_changes(nodes, begin, end); });
  }
  match_flat(nodes);
  late_ = {};
}

void ClustersMethod::advance_as_paper(Nodes& nodes, const Substep& substep) {
  parallel_for(nodes.size(), node_grain,
               [&](int begin, int end) { fly(nodes, begin, end, substep.h, late_); });
  matching_->apply(matter_, nodes, *rules_.paper);
  late_ = {};
}

/// Clusters in a plane, on a line or of few particles hold together without a law.
void ClustersMethod::match_flat(Nodes& nodes) {
  for (const int c : flat_) {
    Cluster& cluster = matter_.clusters[c];
    Vec3 centre = Vec3::Zero();
    double mass = 0;
    for (const int p : cluster.member) {
      centre += nodes.mass[p] * nodes.position[p];
      mass += nodes.mass[p];
    }
    centre /= mass;
    Mat3 P = Mat3::Zero();
    for (std::size_t k = 0; k < cluster.member.size(); ++k) {
      const int p = cluster.member[k];
      P += nodes.mass[p] * (nodes.position[p] - centre) * cluster.arm[k].transpose();
    }
    const Mat3 turn = polar_rotation(P + turn_memory * P.norm() * cluster.turn);
    if (turn.allFinite()) cluster.turn = turn;
    for (std::size_t k = 0; k < cluster.member.size(); ++k) {
      const int p = cluster.member[k];
      if (nodes.mobility[p] == 0) continue;
      nodes.position[p] +=
          rigid_share * (centre + cluster.turn * cluster.arm[k] - nodes.position[p]);
    }
  }
}

void ClustersMethod::finish(Nodes& nodes, const Substep& substep) {
  if (substep.last) damping_->finish(nodes, substep.h);
  else late_ = damping_->finish_late(nodes, substep.h);
}

/// The arms of a cluster go along with what has become permanent. How much flowed.
double ClustersMethod::flow_of(Cluster& cluster, const Nodes& nodes, double dt) const {
  const std::optional<PlasticLaw>& law = matter_.law[cluster.material];
  if (!law) return 0;
  const Fit now = fit(cluster, nodes);
  if (now.flat) return 0;
  Mat3 stretch;
  double strain;
  if (rules_.paper) {
    const PaperFlow flow =
        paper_flow(best_stretch(cluster, nodes), law->yield + law->hardening * cluster.strain,
                   -std::expm1(-law->rate * dt));
    stretch = flow.stretch;
    strain = flow.strain * dt;
  } else {
    const PlasticLaw::Change change = law->flow(now.map, cluster.strain, dt);
    stretch = change.stretch;
    strain = change.strain;
  }
  if (strain == 0) return 0;
  for (Vec3& arm : cluster.arm) arm = stretch * arm;
  cluster.plastic = stretch * cluster.plastic;
  cluster.strain += strain;
  cluster.damage += strain;
  return strain;
}

/// Every cluster flows. Whether any did.
bool ClustersMethod::flow(const Nodes& nodes, double dt) {
  const Timed timed(times_.flow);
  std::atomic<bool> flowed = false;
  parallel_for(int(matter_.clusters.size()), cluster_grain, [&](int begin, int end) {
    for (int c = begin; c < end; ++c)
      if (flow_of(matter_.clusters[c], nodes, dt) > 0) flowed = true;
  });
  return flowed;
}

ClustersMethod::Enclosed ClustersMethod::enclosed(const Skin& skin) const {
  Enclosed now{std::vector<double>(volume_.size(), 0), std::vector<double>(volume_.size(), 0)};
  const Vec3 origin = skin.position.front();
  for (const Triangle& t : skin.triangles) {
    const Vec3 a = skin.position[t[0]] - origin, b = skin.position[t[1]] - origin,
               c = skin.position[t[2]] - origin;
    const int piece = skin.provenance.piece[t[0]];
    now.area[piece] += (b - a).cross(c - a).norm() / 2;
    now.volume[piece] += a.dot(b.cross(c)) / 6;
  }
  return now;
}

bool ClustersMethod::has_volume(const Enclosed& now) const {
  for (std::size_t p = 0; p < volume_.size(); ++p)
    if (std::abs(now.volume[p] - volume_[p]) > volume_tolerance * volume_[p]) return false;
  return true;
}

/// Moves the skin out or in until its pieces enclose what they should, by a little at a time.
void ClustersMethod::keep_volume(Skin& skin, const Enclosed& now) const {
  const std::vector<Vec3> normal = vertex_normals(skin);
  const double most = volume_step * rules_.longest_edge;
  for (int v = 0; v < skin.size(); ++v) {
    const int p = skin.provenance.piece[v];
    skin.position[v] +=
        std::clamp((volume_[p] - now.volume[p]) / now.area[p], -most, most) * normal[v];
  }
}

/// The matter inside a skin that has changed.
Changes ClustersMethod::follow_surface(Nodes& nodes, Skin& skin, TrackedSkin::Advanced& surface) {
  const Timed timed(times_.resample);
  const std::vector<Bare> bare =
      follow_pieces(surface.pieces, tracked_, skin, nodes, matter_, volume_);
  Resampled done = resample(matter_, nodes, tracked_.interior(), bare);
  Changes changes;
  changes.triangles = surface.triangles;
  if (surface.triangles) {
    changes.vertex = std::move(surface.vertex);
    changes.triangle = std::move(surface.triangle);
  }
  changes.node = std::move(done.node);
  changes.born_from = std::move(done.born_from);
  outdated_ = true;
  return changes;
}

void ClustersMethod::bind(const Nodes& nodes, Skin& skin, const Weights& before,
                          const Changes& changes, const std::vector<char>& placed, bool all) {
  const Timed timed(times_.bind);
  std::vector<int> old(std::size_t(skin.size()), -1);
  for (int v = 0; v < int(changes.vertex.size()); ++v)
    if (changes.vertex[v] >= 0) old[changes.vertex[v]] = v;
  for (int v = 0; v < skin.size(); ++v) {
    if (changes.vertex.empty()) old[v] = v;
    if (placed[v]) old[v] = -1;
  }
  const Neighbours near(nodes.position, 2 * matter_.radius);
  const Binder binder(near, matter_.piece, matter_.radius);
  const OldRows rows{all ? nullptr : &before, old, changes.node};
  skin.weights = bound(skin, binder, skin.provenance.piece, rows);
}

Changes ClustersMethod::adapt(Nodes& nodes, Skin& skin, double dt) {
  Changes changes;
  if (!matter_.flows()) return changes;
  ++matter_.frame;
  const bool flowed = flow(nodes, dt);
  // The paper's law does not keep volume: the skin does it for it, in each step.
  is_skin_stale_ = is_skin_stale_ || flowed || rules_.paper;
  outdated_ = outdated_ || flowed;
  if (!is_skin_stale_) return changes;
  if (flowed && matter_.breaks())
    if (changes = fracture(nodes, skin); changes.any()) return changes;
  const Weights before = skin.weights;
  skin.refresh(nodes.position);
  TrackedSkin::Advanced surface;
  surface.placed.assign(std::size_t(skin.size()), 0);
  if (rules_.resample) {
    {
      const Timed timed(times_.track);
      const Neighbours near(nodes.position, 2 * matter_.radius);
      surface = tracked_.advance(skin, matter_, near);
    }
    changes = follow_surface(nodes, skin, surface);
  }
  const Enclosed now = enclosed(skin);
  const bool binds_all = matter_.frame % frames_between_bindings == 0 || !has_volume(now);
  if (binds_all) keep_volume(skin, now);
  bind(nodes, skin, before, changes, surface.placed, binds_all);
  changes.weights = true;
  is_skin_stale_ = !binds_all;
  return changes;
}

/// Cuts where the matter has borne more than it can, at one place in a frame.
Changes ClustersMethod::fracture(Nodes& nodes, Skin& skin) {
  for (const Cut& crack : cracks(matter_, nodes)) {
    Changes changes = cut(nodes, skin, crack);
    if (!changes.any()) continue;
    relieve(matter_, nodes, crack.point);
    return changes;
  }
  return {};
}

Changes ClustersMethod::cut(Nodes& nodes, Skin& skin, const Cut& cut) {
  const Weights before = skin.weights;
  skin.refresh(nodes.position);
  TrackedSkin::Advanced surface = tracked_.cut(skin, cut, rules_.clearance);
  if (!surface.triangles) return {};
  Changes changes = follow_surface(nodes, skin, surface);
  bind(nodes, skin, before, changes, surface.placed, false);
  changes.weights = true;
  is_skin_stale_ = true;
  return changes;
}

void ClustersMethod::archive(Archive& archive) {
  matter_.archive(archive);
  tracked_.archive(archive);
  archive.array("piece volumes", volume_);
  archive.value("skin is stale", is_skin_stale_);
  archive.value("outdated", outdated_);
  archive.array("order by", order_by_);
  if (archive.is_loading()) lost_ = true;
}

}  // namespace pliant::clusters
