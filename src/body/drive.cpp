#include "body/body.h"
#include "core/assert.h"

namespace pliant {
namespace {

void add_load(const Load& load, const Skin& skin, Nodes& nodes) {
  switch (load.kind) {
    case Load::Kind::force:
      for (std::size_t i = 0; i < load.vertices.size(); ++i)
        skin.weights.scatter(load.vertices[i], load.share[i] * load.vector, nodes.force);
      return;
    case Load::Kind::moment:
      for (std::size_t i = 0; i < load.vertices.size(); ++i)
        skin.weights.scatter(load.vertices[i], load.force[i], nodes.force);
      return;
    case Load::Kind::pressure:
      for (const int index : load.triangles) {
        const Triangle& t = skin.triangles[index];
        const Vec3 edge1 = skin.position[t[1]] - skin.position[t[0]];
        const Vec3 edge2 = skin.position[t[2]] - skin.position[t[0]];
        const Vec3 third =
            -load.pressure / 6 * edge1.cross(edge2);  // a third of the triangle's force
        for (const int vertex : t) skin.weights.scatter(vertex, third, nodes.force);
      }
      return;
    case Load::Kind::acceleration:
      for (const int node : load.nodes) nodes.force[node] += nodes.mass[node] * load.vector;
      return;
  }
}

void hold(const Handle& handle, double time, Nodes& nodes) {
  if (time > handle.release) return;
  const Pose pose = handle.motion.at(time);
  const Mat3 turn = pose.rotation.toRotationMatrix();  // half the work of a quaternion's turn
  for (std::size_t i = 0; i < handle.nodes.size(); ++i) {
    nodes.held[handle.nodes[i]] = 1;
    nodes.target[handle.nodes[i]] = turn * handle.rest[i] + pose.position;
  }
}

/// For methods that hold the skin: every held vertex of every handle.
void hold_skin(Body& body, double time) {
  body.held_vertices.clear();
  body.held_targets.clear();
  for (const Handle& handle : body.handles) {
    if (time > handle.release) continue;
    const Pose pose = handle.motion.at(time);
    for (std::size_t i = 0; i < handle.vertices.size(); ++i) {
      body.held_vertices.push_back(handle.vertices[i]);
      body.held_targets.push_back(pose.apply(handle.vertex_rest[i]));
    }
  }
  body.method->hold_skin(body.drawn_skin(), body.held_vertices, body.held_targets);
}

void set_rollers(Body& body, double time) {
  Rollers rollers;
  for (const Handle& handle : body.handles) {
    if (time > handle.release) continue;
    const Pose pose = handle.motion.at(time);
    const Rollers& of = handle.rollers;
    rollers.vertex.insert(rollers.vertex.end(), of.vertex.begin(), of.vertex.end());
    rollers.direction.insert(rollers.direction.end(), of.direction.begin(), of.direction.end());
    for (const Vec3& place : of.place) rollers.place.push_back(pose.apply(place));
  }
  body.method->set_rollers(body.drawn_skin(), rollers);
}

}  // namespace

void apply_loads(Body& body, const Vec3& gravity, double time) {
  ASSERT(int(body.nodes.mass.size()) == body.nodes.size(), "each node has a mass");
  Nodes& nodes = body.nodes;
  for (int i = 0; i < nodes.size(); ++i) nodes.force[i] = nodes.mass[i] * gravity;
  nodes.only_gravity = false;  // others may add to the forces; a world knows when nobody does
  bool followed = false;
  for (const Load& load : body.loads) {
    if (!load.acts_at(time)) continue;
    // Pressure follows the skin, which is kept up to date only where something is near.
    if (load.kind == Load::Kind::pressure && !followed) body.drawn_skin().refresh(nodes.position);
    followed = followed || load.kind == Load::Kind::pressure;
    add_load(load, body.drawn_skin(), nodes);
  }
}

void move_handles(Body& body, double time) {
  ASSERT(int(body.nodes.held.size()) == body.nodes.size(), "each node is held or not");
  std::fill(body.nodes.held.begin(), body.nodes.held.end(), char(0));
  for (const Handle& handle : body.handles) hold(handle, time, body.nodes);
  if (body.method && body.method->holds_skin()) hold_skin(body, time);
  if (body.method && body.method->has_rollers()) set_rollers(body, time);
}

bool are_handles_at_rest(const Body& body, double time, double later) {
  if (body.method && body.method->holds_skin()) return false;  // it is told every time
  for (const Handle& handle : body.handles) {
    if ((time > handle.release) != (later > handle.release)) return false;
    if (!handle.motion.moves()) continue;
    const Pose before = handle.motion.at(time), after = handle.motion.at(later);
    if (before.position != after.position || before.rotation.coeffs() != after.rotation.coeffs())
      return false;
  }
  return true;
}

}  // namespace pliant
