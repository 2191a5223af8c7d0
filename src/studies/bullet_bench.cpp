#include "studies/bullet_bench.h"

#ifndef PLIANT_WITH_BULLET

namespace pliant {
std::span<const Benchmark> bullet_benchmarks() { return {}; }
}  // namespace pliant

#else

#include <BulletSoftBody/btDeformableBodySolver.h>
#include <BulletSoftBody/btDeformableMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h>
#include <BulletSoftBody/btDeformableNeoHookeanForce.h>
#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>
#include <memory>
#include <numeric>

#include "core/parallel.h"
#include "geometry/sample/tet_block.h"
#include "studies/bars.h"
#include "studies/stopwatch.h"

// Bullet's implicit Neo-Hookean body, pulled as in stretch_bench.cpp, one step per frame. Contact
// is off in both. Two traps: without `setUseProjection` an implicit body does not move at all, and
// its linear solver stops after 20 iterations, long before it is converged; 300 are what a bar of
// this size needs.

namespace pliant {
namespace {

struct Solver : btDeformableBodySolver {
  explicit Solver(int iterations) { m_cg.m_maxIterations = iterations; }
};

class BulletBar {
 public:
  BulletBar(const Bar& bar, double young, double poisson, int iterations)
      : mesh_(tet_block(bar.cells(), {bar.length(), 1, 1})),
        dispatcher_(&configuration_),
        solver_(std::make_unique<Solver>(iterations)) {
    constraints_.setDeformableSolver(solver_.get());
    world_ = std::make_unique<btDeformableMultiBodyDynamicsWorld>(
        &dispatcher_, &broadphase_, &constraints_, &configuration_, solver_.get());
    world_->setGravity({0, 0, 0});
    world_->getWorldInfo().m_gravity.setValue(0, 0, 0);
    world_->setImplicit(true);
    world_->setUseProjection(true);

    std::vector<btVector3> points;
    for (const Vec3& p : mesh_.points)
      points.emplace_back(btScalar(p.x()), btScalar(p.y()), btScalar(p.z()));
    body_ = std::make_unique<btSoftBody>(&world_->getWorldInfo(), int(points.size()), points.data(),
                                         nullptr);
    for (const Tet& t : mesh_.tets) body_->appendTetra(t[0], t[1], t[2], t[3]);
    body_->setVolumeDensity(1000);
    body_->initializeDmInverse();
    body_->m_tetraScratches.resize(body_->m_tetras.size());
    body_->m_tetraScratchesTn.resize(body_->m_tetras.size());
    body_->m_cfg.collisions = 0;
    body_->setActivationState(DISABLE_DEACTIVATION);
    for (int i = 0; i < body_->m_nodes.size(); ++i)
      if (mesh_.points[i].x() == 0 || mesh_.points[i].x() == bar.length()) body_->setMass(i, 0);
    world_->addSoftBody(body_.get());
    const double mu = young / (2 * (1 + poisson));
    const double lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
    force_ = std::make_unique<btDeformableNeoHookeanForce>(btScalar(mu), btScalar(lambda), 0);
    world_->addForce(body_.get(), force_.get());
  }

  ~BulletBar() { world_->removeSoftBody(body_.get()); }

  void move_far_end(const Pose& pose) {
    for (int i = 0; i < body_->m_nodes.size(); ++i) {
      btSoftBody::Node& node = body_->m_nodes[i];
      if (node.m_im > 0 || mesh_.points[i].x() == 0) continue;
      const Vec3 there = pose.apply(mesh_.points[i]);
      node.m_x = btVector3(btScalar(there.x()), btScalar(there.y()), btScalar(there.z()));
      node.m_q = node.m_x;
    }
  }

  void step() { world_->stepSimulation(btScalar(1.0 / 60), 0); }

  double volume_ratio() const {
    TetMesh now = mesh_;
    for (int i = 0; i < body_->m_nodes.size(); ++i) {
      const btVector3& x = body_->m_nodes[i].m_x;
      now.points[i] = {x.x(), x.y(), x.z()};
    }
    return volume(now) / volume(mesh_);
  }

 private:
  TetMesh mesh_;
  btSoftBodyRigidBodyCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  std::unique_ptr<btDeformableBodySolver> solver_;
  btDeformableMultiBodyConstraintSolver constraints_;
  std::unique_ptr<btDeformableMultiBodyDynamicsWorld> world_;
  std::unique_ptr<btSoftBody> body_;
  std::unique_ptr<btDeformableNeoHookeanForce> force_;
};

constexpr int frames = 20;
constexpr double frame = 1.0 / 60;

/// Runs of each until two seconds are over, at least three; noise only adds time, so of each frame
/// the fastest counts.
void repeat_runs(const auto& run) {
  double spent = 0;
  for (int r = 0; r < 3 || spent < 2000; ++r) spent += milliseconds_of(run);
}

void keep_fastest(std::vector<double>& ms, const auto& play_frame) {
  ms.resize(frames, std::numeric_limits<double>::infinity());
  for (int f = 0; f < frames; ++f)
    ms[f] = std::min(ms[f], milliseconds_of([&] { play_frame(f + 1); }));
}

double mean(const std::vector<double>& ms) {
  return std::accumulate(ms.begin(), ms.end(), 0.0) / double(ms.size());
}

std::vector<BenchRow> peers(const BenchWish& wish) {
  set_threads(1);
  std::vector<BenchRow> rows;
  const auto add = [&](const std::string& name, double ms, double volume) -> BenchRow& {
    BenchRow& row = rows.emplace_back();
    row.name = name;
    row.add("ms/frame", ms);
    row.add("volume", volume);
    return row;
  };
  for (const Bar& bar : {bar_1k, bar_10k})
    for (const double young : {1e5, 1e6}) {
      if (wish.quick && (bar.across > 4 || young > 1e5)) continue;
      const std::string name = fmt::format("{}-E{:.0e}", bar.name, young);
      if (!wish.wants(name, {"/bullet-cg20", "/bullet-cg300", "/tets-20x1"})) continue;
      const Motion pull = pulled_to(1.5, bar, frames * frame);
      double theirs = 0, their_volume = 1;
      for (const int iterations : {20, 300}) {
        std::vector<double> ms;
        repeat_runs([&] {
          BulletBar peer(bar, young, 0.45, iterations);
          keep_fastest(ms, [&](int f) {
            peer.move_far_end(pull.at(f * frame));
            peer.step();
          });
          their_volume = peer.volume_ratio();
        });
        theirs = mean(ms);
        add(fmt::format("{}/bullet-cg{}", name, iterations), theirs, their_volume);
      }
      std::vector<double> ms;
      Measures measures;
      repeat_runs([&] {
        World world = bar_world(bar, {.young = young, .substeps = 20});
        far_end(world).motion = pull;
        keep_fastest(ms, [&](int) { play(world, 1); });
        measures = world.bodies[0].method->measure(world.bodies[0].nodes);
      });
      const double ours = mean(ms);
      BenchRow& row = add(name + "/tets-20x1", ours, measures.volume / measures.rest_volume);
      if (std::abs(their_volume - 1) < 0.1) row.add("x bullet-cg300", theirs / ours);
    }
  set_threads(0);
  return rows;
}

constexpr Benchmark all[] = {
    {"tets-bullet",
     "bars pulled to 1.5 times in 20 frames, one thread, beside Bullet's implicit Neo-Hookean "
     "body; "
     "cg20, cg300: at most so many iterations of its linear solver; no ratio where it loses the "
     "solution",
     peers}};

}  // namespace

std::span<const Benchmark> bullet_benchmarks() { return all; }

}  // namespace pliant

#endif
