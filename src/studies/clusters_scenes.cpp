#include "studies/clusters_scenes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/mesh/primitives.h"
#include "methods/rigid/rigid.h"

namespace pliant {
namespace {

constexpr double pi = std::numbers::pi;

Pose at(const Vec3& position, double turn = 0, const Vec3& axis = Vec3::UnitZ()) {
  return {Quat(Eigen::AngleAxisd(turn, axis)), position};
}

TriangleMesh figure(double edge) {
  TriangleMesh parts = capsule_mesh(0.5, 0.9, edge);
  add(parts, sphere_mesh(0.45, edge), at({0, 1.25, 0}));
  for (const double s : {-1.0, 1.0}) {
    add(parts, capsule_mesh(0.25, 1, edge), at({s * 0.8, 0.5, 0}, s * 1.1));
    add(parts, capsule_mesh(0.3, 1, edge), at({s * 0.4, -1.1, 0}, s * 0.2));
  }
  return united(parts, edge);
}

Body ball(const Vec3& from, const Vec3& velocity, double radius, double density) {
  Solid solid;
  solid.name = "ball";
  solid.surface = sphere_mesh(radius, 0.4 * radius);
  for (Vec3& p : solid.surface.points) p += from;
  solid.material = elastic_material(1e9, 0.3, density, 0);
  Body body = rigid::Settings().create(solid);
  for (Vec3& v : body.nodes.velocity) v = velocity;
  return body;
}

Collider plate(const Vec3& size, const Vec3& centre, double friction) {
  Collider collider;
  collider.shape = BoxShape{size / 2};
  collider.placement = at(centre);
  collider.friction = friction;
  return collider;
}

Collider bar(double radius, double length, const Vec3& centre, const Vec3& direction) {
  Collider collider;
  collider.shape = CapsuleShape{radius, length / 2};
  collider.placement = {Quat::FromTwoVectors(Vec3::UnitY(), direction), centre};
  return collider;
}

Motion::Key key(double time, const Vec3& move, double turn = 0, const Vec3& axis = Vec3::UnitZ()) {
  return {time, move, Quat(Eigen::AngleAxisd(turn, axis))};
}

}  // namespace

std::vector<Vec3> shot_places() {  // chest, belly, head, leg
  return {{0.1, 0.35, 0.5}, {-0.15, -0.3, 0.5}, {0, 1.3, 0.45}, {0.45, -1.3, 0.3}};
}

Show shot_figure(const ClustersSetup& setup) {
  Show show(clusters_body(figure(0.7 * setup.radius), setup), setup, Vec3::Zero());
  double away = 0.3;
  for (const Vec3& place : shot_places()) {
    show.world.bodies.push_back(ball(place + Vec3(0, 0, away), {0, 0, -12}, 0.2, 1500));
    away += 1.5;
  }
  return show;
}

Show pulled_bar(const ClustersSetup& setup, double times) {
  Show show(clusters_body(box_mesh({2, 0.5, 0.5}, setup.radius), setup), setup, Vec3::Zero());
  for (const int side : {-1, 1})
    show.grab(0, side, 0.3).motion.keys = {key(0, Vec3::Zero()),
                                           key(4, Vec3(side * (times - 1), 0, 0))};
  return show;
}

Show cut_bar(const ClustersSetup& setup) {
  Show show(clusters_body(box_mesh({2, 0.5, 0.5}, setup.radius), setup), setup, Vec3::Zero());
  const auto away = [](double by) { return Vec3(by, 0, 0); };
  for (const int side : {-1, 1})
    show.grab(0, side, 0.3).motion.keys = {key(0, away(0)), key(0.5, away(0)),
                                           key(2, away(0.25 * side)), key(2.5, away(0.25 * side)),
                                           key(4.5, away(-0.1 * side))};
  return show;
}

Show between_bars(const ClustersSetup& setup) {
  TriangleMesh mesh = sphere_mesh(0.7, 0.7 * setup.radius);
  for (Vec3& p : mesh.points) p.y() += 1.9;
  Show show(clusters_body(mesh, setup), setup);
  show.world.colliders.push_back(ground());
  for (const double x : {-0.75, 0.0, 0.75})
    show.world.colliders.push_back(bar(0.12, 3, {x, 1.0, 0}, Vec3::UnitZ()));
  for (const double s : {-1.0, 1.0}) {
    Collider moving = bar(0.12, 3, {s * 1.6, 1.6, 0}, Vec3::UnitZ());
    moving.motion.keys = {key(0.3, Vec3::Zero()), key(1.3, Vec3(-s * 1.3, 0, 0)),
                          key(2.3, Vec3::Zero())};
    show.world.colliders.push_back(moving);
  }
  return show;
}

Show kneaded(const ClustersSetup& setup) {
  TriangleMesh mesh = box_mesh({1.8, 0.6, 1.2}, setup.radius);
  for (Vec3& p : mesh.points) p.y() += 0.31;
  Show show(clusters_body(mesh, setup), setup);
  show.world.colliders.push_back(ground(0.8));
  for (const double s : {-1.0, 1.0}) {
    Collider knuckle;
    knuckle.shape = SphereShape{0.25};
    knuckle.placement = at({s * 0.45, 1.1, 0});
    for (int k = 0; k < 3; ++k) {  // by turns, each time elsewhere
      const double start = 1.2 * k + (s < 0 ? 0 : 0.6);
      const Vec3 over(0, 0, 0.3 * (k - 1));
      knuckle.motion.keys.push_back(key(start, over));
      knuckle.motion.keys.push_back(key(start + 0.3, over - Vec3(0, 0.55, 0)));
      knuckle.motion.keys.push_back(key(start + 0.6, over));
    }
    show.world.colliders.push_back(knuckle);
  }
  return show;
}

Taffy::Taffy(const ClustersSetup& setup)
    : show(clusters_body(box_mesh({length, width, width}, setup.radius), setup), setup,
           Vec3::Zero()) {}

void Taffy::fold() {
  begin_fold();
  show.play(seconds);
  show.let_go();
  show.world.colliders.clear();
}

void Taffy::begin_fold() {
  World& world = show.world;
  const double start = world.time;
  const Box box = show.bounds();
  const Vec3 centre = box.centre();
  const double pull = std::max(0.0, drawn_out * length - box.extent().x()) / 2;
  const double thick = width / std::sqrt(drawn_out);
  // One end stays, the other goes half a circle about the middle and ends above the first.
  for (const int side : {-1, 1}) {
    Handle& end = show.grab(0, side, held);
    const Vec3 away(side * (box.extent().x() - held) / 2, 0, 0);  // of the end from the middle
    end.motion.pivot = centre + away;
    end.motion.keys = {key(start, Vec3::Zero()), key(start + 1, Vec3(side * pull, 0, 0))};
    end.release = start + 2.7;
    if (side < 0) continue;
    const double arm = away.x() + pull;
    for (int k = 1; k <= 12; ++k) {
      const double share = k / 12.0, turn = pi * share;
      const Vec3 place(arm * std::cos(turn), arm * std::sin(turn) + 1.15 * thick * share, 0);
      end.motion.keys.push_back(key(start + 1 + 1.2 * share, place - away, turn));
    }
  }
  // Plates close from above and below and go; then others from the sides make it square again.
  const Vec3 middle = centre + Vec3(0, 0.6 * thick, 0);
  for (const int side : {-1, 1}) {
    press(middle, side * Vec3::UnitY(), start + 2.2, {1.1, 0.34 * width});
    press(middle, side * Vec3::UnitZ(), start + 4.2, {1.1, 0.52 * width});
  }
}

/// A plate that comes from far along `side` to a near and then to a last distance from the middle
/// within 1.5 s, and goes again.
void Taffy::press(const Vec3& middle, const Vec3& side, double start, std::array<double, 2> stops) {
  const double far = 3.5;
  const Vec3 size = Vec3::Constant(12) - 11.6 * side.cwiseAbs();
  Collider sheet = plate(size, middle + (far + 0.2) * side, 0.2);
  const Vec3 in = -(far - stops[1]) * side;
  sheet.motion.keys = {key(start, Vec3::Zero()), key(start + 0.3, -(far - stops[0]) * side),
                       key(start + 1.5, in), key(start + 1.6, in), key(start + 1.9, Vec3::Zero())};
  show.world.colliders.push_back(sheet);
}

Dough::Dough(const ClustersSetup& setup)
    : show(clusters_body(
               [&] {
                 TriangleMesh mesh = box_mesh({1.8, 0.8, 1.8}, setup.radius);
                 for (Vec3& p : mesh.points) p.y() += 0.42;
                 return mesh;
               }(),
               setup),
           setup) {
  show.world.colliders.push_back(ground(0.8));
}

void Dough::squeeze() {
  begin_squeeze();
  show.play(2);
}

void Dough::begin_squeeze() {
  World& world = show.world;
  const double start = world.time;
  Collider press = plate({6, 0.4, 6}, {0, 1.3, 0}, 0.4);
  const Vec3 down(0, -0.66, 0);
  press.motion.keys = {key(start, Vec3::Zero()), key(start + 1.2, down), key(start + 1.4, down),
                       key(start + 2, Vec3(0, 1, 0))};
  world.colliders.resize(1);
  world.colliders.push_back(press);
}

void Dough::roll() {
  World& world = show.world;
  const double start = world.time, radius = 0.4;
  const double top = show.height();
  Collider pin = bar(radius, 5, {-2.6, radius + 0.75 * top, 0}, Vec3::UnitZ());
  pin.motion.pivot = pin.placement.position;
  pin.motion.keys = {key(start, Vec3::Zero())};
  const double way = 5.2;
  for (int k = 1; k <= 16; ++k)  // in parts, as turns go the short way
    pin.motion.keys.push_back(
        key(start + 2.4 * k / 16, Vec3(way * k / 16, 0, 0), -way / radius * k / 16));
  world.colliders.resize(1);
  world.colliders.push_back(pin);
  show.play(2.5);
}

void Dough::fold() {
  World& world = show.world;
  const double start = world.time;
  const Box box = show.bounds();
  Handle& end = show.grab(0, 1, 0.4);
  const double thick = box.extent().y(), half = box.extent().x() / 2 - 0.2;
  end.motion.pivot = Vec3(box.high.x() - 0.2, box.centre().y(), box.centre().z());
  end.motion.keys = {key(start, Vec3::Zero())};
  for (int k = 1; k <= 12; ++k) {
    const double share = k / 12.0, turn = pi * share;
    end.motion.keys.push_back(key(
        start + 1.5 * share,
        Vec3(half * (std::cos(turn) - 1), half * std::sin(turn) + 1.3 * thick * share, 0), turn));
  }
  end.release = start + 1.9;
  const Vec3 down(0, -(2.9 - 1.3 * thick), 0);
  Collider press = plate({6, 0.4, 6}, {0, 0.2 + 2.9, 0}, 0.4);
  press.motion.keys = {key(start + 1.4, Vec3::Zero()), key(start + 2.4, down),
                       key(start + 2.6, down), key(start + 3, Vec3::Zero())};
  world.colliders.resize(1);
  world.colliders.push_back(press);
  show.play(3.2);
  show.let_go();
}

}  // namespace pliant
