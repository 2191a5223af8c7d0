#include "picture/stage.h"

#include <algorithm>
#include <numbers>

#include "core/assert.h"
#include "picture/normals.h"

namespace pliant {
namespace {

using Eigen::Vector3f;

Vector3f linear(const Vec3& srgb) { return to_linear(srgb).cast<float>(); }

float ground_share(const View& view, const Vector3f& place) {
  const float away = (place - view.eye).norm() / view.distance;
  const float t = std::clamp((away - 0.9f) / (5.0f - 0.9f), 0.0f, 1.0f);
  return 1 - t * t * (3 - 2 * t);
}

/// Of a painted mesh at a place seen by a pixel of that size [m].
Vector3f painted(const ShotMesh& mesh, const Vector3f& otherwise, const RayHit& hit, float pixel) {
  const ShotPaint& paint = *mesh.paint;
  const std::size_t t = std::size_t(hit.triangle);
  const float weight[3] = {1 - hit.u - hit.v, hit.u, hit.v};
  const int kind = paint.kind.empty() ? -1 : paint.kind[t];
  Vector3f color = kind >= 0 || !paint.color.empty() ? Vector3f(Vector3f::Ones()) : otherwise;
  if (kind >= 0) color = paint.kinds[std::size_t(kind)].color;
  if (!paint.color.empty()) {
    Vector3f sum = Vector3f::Zero();
    for (std::size_t k = 0; k < 3; ++k) sum += weight[k] * paint.color[3 * t + k];
    color = color.cwiseProduct(sum);
  }
  const Texture* const texture = kind < 0 ? nullptr : paint.kinds[std::size_t(kind)].texture;
  if (!texture || paint.uv.empty()) return color;
  const Eigen::Vector2f* const uv = &paint.uv[3 * t];
  const Eigen::Vector2f at = weight[0] * uv[0] + weight[1] * uv[1] + weight[2] * uv[2];
  const Eigen::Vector2f a = uv[1] - uv[0], b = uv[2] - uv[0];
  const Triangle& corner = mesh.triangles[t];
  const Vector3f& first = mesh.points[std::size_t(corner[0])];
  const float of_image = std::abs(a.x() * b.y() - a.y() * b.x());  // twice the areas
  const float on_surface = (mesh.points[std::size_t(corner[1])] - first)
                               .cross(mesh.points[std::size_t(corner[2])] - first)
                               .norm();
  const float scale = on_surface > 0 ? std::sqrt(of_image / on_surface) : 1.0f;
  return color.cwiseProduct(texture->at(at, pixel * scale));
}

Vector3f mean_paint(const ShotPaint& paint, const Vector3f& otherwise) {
  Vector3f sum = Vector3f::Zero();
  if (!paint.color.empty()) {
    for (const Vector3f& c : paint.color) sum += c / float(paint.color.size());
    return sum;
  }
  for (const int kind : paint.kind) {
    const ShotPaint::Kind* const k = kind < 0 ? nullptr : &paint.kinds[std::size_t(kind)];
    sum += !k           ? otherwise
           : k->texture ? Vector3f(k->color.cwiseProduct(k->texture->mean()))
                        : k->color;
  }
  return sum / float(std::max<std::size_t>(1, paint.kind.size()));
}

// Share of [x - width/2, x + width/2] covered by lines of thickness `line` around the whole
// numbers.
float line_cover(float x, float line, float width) {
  const auto covered = [&](float end) {  // from 0 to end
    const float whole = std::floor(end);
    const float rest = end - whole;
    return whole * line + std::min(rest, line / 2) + std::max(0.0f, rest - (1 - line / 2));
  };
  return (covered(x + width / 2) - covered(x - width / 2)) / width;
}

}  // namespace

View::View(const Camera& camera, int columns, int rows)
    : eye(camera.eye.cast<float>()), width(columns), height(rows) {
  const Mat3 axes = view_axes(camera);
  const double tangent = std::tan(camera.fov * std::numbers::pi / 360);
  const double aspect = double(columns) / rows;
  right = (axes.col(0) * (2 * tangent * aspect / columns)).cast<float>();
  down = (-axes.col(1) * (2 * tangent / rows)).cast<float>();
  down_size = down.norm();
  corner = (axes.col(2) - tangent * aspect * axes.col(0) + tangent * axes.col(1)).cast<float>();
  distance = float((camera.target - camera.eye).norm());
}

void Stage::build(const Shot& shot) {
  rays_.clear();
  boxes_.clear();
  meshes_.clear();
  planes_.clear();
  for (const ShotMesh& source : shot.meshes) {
    ASSERT(source.values.empty() || source.values.size() == source.points.size(),
           "a field has one value per point");
    Mesh mesh{.source = source, .normals = {}, .colors = {}, .mean_color = {}};
    mesh.normals = corner_normals(source.points, source.triangles, source.crease);
    if (source.values.empty()) mesh.colors = {linear(source.color)};
    else
      for (int i = 0; i < 256; ++i) mesh.colors.push_back(linear(map_color(source.map, i / 255.0)));
    mesh.mean_color = Vector3f::Zero();
    for (const Vector3f& c : mesh.colors) mesh.mean_color += c / float(mesh.colors.size());
    if (source.values.empty() && source.paint)
      mesh.mean_color = mean_paint(*source.paint, mesh.colors.front());
    rays_.add(source.points, source.triangles);
    boxes_.begin_mesh(bounds_of(source.points));
    boxes_.add(source.points, source.triangles);
    boxes_.end_mesh();
    meshes_.push_back(std::move(mesh));
  }
  rays_.build();

  const Light light(shot.look, shot.camera);
  for (const ShotPlane& source : shot.planes) {
    Plane plane;
    plane.point = source.point.cast<float>();
    plane.normal = source.normal.normalized().cast<float>();
    // Floors get their lines along x and z; others one level set of lines.
    const Vector3f along =
        std::abs(plane.normal.x()) < 0.9f ? Vector3f::UnitX() : Vector3f::UnitZ();
    plane.u = (along - along.dot(plane.normal) * plane.normal).normalized();
    plane.v = plane.normal.cross(plane.u);
    plane.lit = light.open(plane.normal);
    planes_.push_back(plane);
  }
  ground_ = linear(shot.look.ground);
  spacing_ = float(grid_spacing(shot.camera));
  size_ = float(0.25 * (shot.camera.target - shot.camera.eye).norm());
}

void Stage::take_mesh(const Mesh& mesh, const View& view, const Ray& ray, const RayHit& hit,
                      Surface& surface) const {
  surface.what = hit.mesh;
  surface.depth = hit.distance;
  surface.position = ray.origin + hit.distance * ray.direction;
  const float weight[3] = {1 - hit.u - hit.v, hit.u, hit.v};
  const Triangle& t = mesh.source.triangles[hit.triangle];
  const Vector3f* corner = &mesh.normals[3 * std::size_t(hit.triangle)];

  Vector3f normal = weight[0] * corner[0] + weight[1] * corner[1] + weight[2] * corner[2];
  Vector3f flat = hit.normal.normalized();
  if (flat.dot(ray.direction) > 0) flat = -flat;
  // Corners agree with the triangle's own orientation, or with its opposite in broken files.
  const float side = normal.dot(flat) < 0 ? -1.0f : 1.0f;
  normal = side * normal.normalized();
  if (!normal.allFinite()) normal = flat;
  surface.normal = normal;

  // Rays towards light start from a rounded surface above the flat triangle; coarse meshes would
  // otherwise show their facets where light grazes. Hanika 2021.
  Vector3f lift = Vector3f::Zero();
  for (int k = 0; k < 3; ++k) {
    const Vector3f n = side * corner[k];
    const float below = std::min(0.0f, (surface.position - mesh.source.points[t[k]]).dot(n));
    lift -= weight[k] * below * n;
  }
  surface.start = surface.position + lift + 1e-4f * size_ * flat;

  if (mesh.source.values.empty()) {
    surface.color = mesh.source.paint ? painted(mesh.source, mesh.colors.front(), hit,
                                                view.pixel_size(surface.depth))
                                      : mesh.colors.front();
    return;
  }
  float value = 0;
  for (int k = 0; k < 3; ++k) value += weight[k] * mesh.source.values[t[k]];
  const double fraction = mesh.source.range.fraction(value);
  surface.color = std::isfinite(fraction)
                      ? mesh.colors[std::size_t(std::clamp(fraction, 0.0, 1.0) * 255 + 0.5)]
                      : Vector3f(Vector3f::Constant(0.21f));
}

Vector3f Stage::grid(const Plane& plane, const View& view, const Vector3f& direction,
                     const Vector3f& place) const {
  // The pixel's extent on the plane, so that lines fade into an even tone instead of flickering.
  const auto meet = [&](const Vector3f& d) -> Vector3f {
    return view.eye + (plane.point - view.eye).dot(plane.normal) / d.dot(plane.normal) * d;
  };
  const Vector3f across = meet(direction + view.right) - place;
  const Vector3f along = meet(direction + view.down) - place;
  const Vector3f p = place - plane.point + plane.u * plane.point.dot(plane.u) +
                     plane.v * plane.point.dot(plane.v);  // lines at whole multiples of the world
  float clear = 1;
  for (const Vector3f& axis : {plane.u, plane.v}) {
    const float width = (std::abs(across.dot(axis)) + std::abs(along.dot(axis))) / spacing_;
    if (!std::isfinite(width) || width > 50) continue;
    const float x = p.dot(axis) / spacing_;
    const float thin = std::max(0.012f, 0.25f * width);
    clear *= 1 - 0.16f * line_cover(x, std::min(0.5f, thin), std::max(width, 1e-4f)) *
                     std::clamp(1.5f - 2.5f * width, 0.0f, 1.0f);
  }
  return ground_ * clear;
}

Surface Stage::surface(const View& view, float x, float y, const RayHit& hit) const {
  const Vector3f direction = view.direction(x, y);
  const Ray ray{.origin = view.eye, .direction = direction};
  Surface surface;
  surface.depth = std::numeric_limits<float>::infinity();
  if (hit.mesh >= 0) take_mesh(meshes_[hit.mesh], view, ray, hit, surface);
  for (int k = 0; k < int(planes_.size()); ++k) {
    const Plane& plane = planes_[k];
    const float approach = direction.dot(plane.normal);
    if (approach >= 0) continue;  // from behind, or along it
    const float depth = (plane.point - view.eye).dot(plane.normal) / approach;
    if (depth <= 0 || depth >= surface.depth) continue;
    surface.what = -2 - k;
    surface.depth = depth;
    surface.position = view.eye + depth * direction;
    surface.normal = plane.normal;
    surface.start = surface.position + 1e-4f * size_ * plane.normal;
  }
  if (surface.is_plane()) {
    surface.ground = ground_share(view, surface.position);
    surface.color = grid(planes_[surface.plane()], view, direction, surface.position)
                        .cwiseQuotient(planes_[surface.plane()].lit);
  }
  return surface;
}

Vector3f Stage::arriving(const Light& light, const Ray& ray, const RayHit& hit) const {
  float nearest = hit.distance;
  const Plane* met = nullptr;
  for (const Plane& plane : planes_) {
    const float approach = ray.direction.dot(plane.normal);
    if (approach >= 0) continue;
    const float distance = (plane.point - ray.origin).dot(plane.normal) / approach;
    if (distance <= 0 || distance >= nearest) continue;
    nearest = distance;
    met = &plane;
  }
  if (met) {
    // Close to the plane the body itself keeps light from it.
    const float height = (ray.origin - met->point).dot(met->normal);
    const float share = height / (height + 0.15f * size_);
    return ground_ * (0.75f * share);
  }
  if (hit.mesh < 0) return light.sky(ray.direction);
  const Vector3f& color = meshes_[hit.mesh].mean_color;
  Vector3f normal = hit.normal.normalized();
  if (normal.dot(ray.direction) > 0) normal = -normal;
  const float facing = std::max(0.0f, normal.dot(light.key_direction()));
  return color.cwiseProduct(0.22f * light.mean_sky() + 0.40f * facing * light.key());
}

}  // namespace pliant
