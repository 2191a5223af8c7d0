#include "scene/tie.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "geometry/query/bvh.h"
#include "scene/attach.h"
#include "scene/json.h"
#include "scene/words.h"

namespace pliant {
namespace {

constexpr double near_share = 0.02;  // of the smaller body: tied where no region says what

template <class Named>
int find_name(const std::vector<Named>& all, const std::string& name) {
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].name == name) return int(i);
  return -1;
}

template <class Named>
void add_names(const std::vector<Named>& all, std::vector<std::string>& names) {
  for (const Named& one : all) names.push_back(one.name);
}

/// Of the chosen vertices those that are no farther from the other body's skin than `within`.
std::vector<int> near_body(const Body& body, const Body& other, const std::vector<int>& vertices,
                           double within) {
  TriangleMesh surface;
  surface.points = other.skin.position;
  surface.triangles = other.skin.triangles;
  const Bvh bvh(surface);
  std::vector<int> near;
  for (const int v : vertices)
    if (bvh.closest_point(surface, body.skin.position[v], within).triangle >= 0) near.push_back(v);
  return near;
}

/// [m] From the nearest of these vertices to the other body's skin.
double distance_to_body(const Body& body, const Body& other, const std::vector<int>& vertices) {
  TriangleMesh surface;
  surface.points = other.skin.position;
  surface.triangles = other.skin.triangles;
  const Bvh bvh(surface);
  double nearest = std::numeric_limits<double>::infinity();
  for (const int v : vertices) {
    const Vec3& p = body.skin.position[v];
    const SurfacePoint found = bvh.closest_point(surface, p, nearest);
    if (found.triangle >= 0) nearest = std::min(nearest, (found.point - p).norm());
  }
  return nearest;
}

void tie_one(AttachmentDescription& description, const std::vector<BodyDescription>& described,
             const std::string& where, World& world, BuildLog& log) {
  Attachment attachment;
  std::vector<std::string> bodies, partners;
  add_names(world.bodies, bodies);
  partners = bodies;
  add_names(world.colliders, partners);
  partners.push_back("world");
  attachment.a = find_name(world.bodies, description.body);
  attachment.b = find_name(world.bodies, description.to);
  if (attachment.b < 0) attachment.collider = find_name(world.colliders, description.to);
  if (attachment.a < 0)
    return log.problem(where + "/body", fmt::format("is {}; it must be one of {}",
                                                    quote(description.body), joined(bodies, ", ")));
  if (attachment.b < 0 && attachment.collider < 0 && description.to != "world")
    return log.problem(where + "/to", fmt::format("is {}; it must be one of {}",
                                                  quote(description.to), joined(partners, ", ")));
  const Body& body = world.bodies[attachment.a];
  for (const auto& [field, index] : {std::pair("/body", attachment.a), {"/to", attachment.b}})
    if (index >= 0 && world.bodies[index].method->changes_body())
      return log.problem(where + field,
                         fmt::format("is {}, whose surface flows: nothing can be fastened to it",
                                     quote(world.bodies[index].name)),
                         "handles and pins hold its particles");
  description.region.settle(bounds(body.skin.rest), described[std::size_t(attachment.a)].frame);
  try {
    const Skin& skin = body.drawn_skin();
    attachment.vertices = select(description.region, skin.rest, skin.triangles, skin.groups);
    if (body.drawn) attachment.vertices = contact_vertices_for(*body.drawn, attachment.vertices);
  } catch (const InputError& error) {
    return log.problem(where + "/region/group", error);
  }
  if (attachment.vertices.empty())
    return report_empty(description.region, body.skin.rest, "vertex", where, log);
  if (attachment.b >= 0) {
    const Body& other = world.bodies[attachment.b];
    if (!description.within && description.region.is_everything())
      description.within = near_share * std::min(body.contact_scale, other.contact_scale);
    const std::vector<int> chosen = attachment.vertices;
    if (description.within)
      attachment.vertices = near_body(body, other, chosen, *description.within);
    if (attachment.vertices.empty())
      return log.problem(
          where, fmt::format("ties nothing: no chosen vertex of {} is within {} m of {}; the "
                             "nearest is {:.3g} m away",
                             body.name, shown(*description.within), other.name,
                             distance_to_body(body, other, chosen)));
  } else if (description.region.is_everything()) {
    return log.problem(where + "/region", "is left out; something that moves must stay free",
                       "say which part of the body is tied");
  }
  if (description.stiffness) attachment.stiffness = *description.stiffness;
  if (description.strength) attachment.strength = *description.strength;
  if (!world.contact.bonds.tie(attachment, world.bodies, world.colliders))
    return log.problem(
        where, fmt::format("ties {} to points off {}, which is too flat to carry them", body.name,
                           description.to));
  const std::size_t count = attachment.vertices.size();
  log.notes.push_back(fmt::format("{} of {} {} tied to {}{}",
                                  count == 1 ? "1 point" : fmt::format("{} points", count),
                                  body.name, count == 1 ? "is" : "are", description.to,
                                  count == 1   ? ", so it turns freely about it"
                                  : count == 2 ? ", so it turns freely about their line"
                                               : ""));
}

}  // namespace

void tie(SceneDescription& scene, World& world, BuildLog& log) {
  for (std::size_t i = 0; i < scene.attachments.size(); ++i)
    tie_one(scene.attachments[i], scene.bodies, fmt::format("/attachments/{}", i), world, log);
}

}  // namespace pliant
