#include "picture/light.h"

#include <cmath>
#include <cstdint>
#include <numbers>

namespace pliant {
namespace {

using Eigen::Vector2f;
using Eigen::Vector3f;

constexpr float pi = std::numbers::pi_v<float>;

float radians(double degrees) { return float(degrees * std::numbers::pi / 180); }

float smooth_step(float low, float high, float x) {
  const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
  return t * t * (3 - 2 * t);
}

}  // namespace

// Concentric map: keeps evenness, unlike radius and angle. Shirley and Chiu 1997.
Vector2f to_disk(const Vector2f& uv) {
  const float a = 2 * uv.x() - 1, b = 2 * uv.y() - 1;
  if (a == 0 && b == 0) return Vector2f::Zero();
  const bool wide = std::abs(a) > std::abs(b);
  const float radius = wide ? a : b;
  const float angle = wide ? pi / 4 * b / a : pi / 2 - pi / 4 * a / b;
  return radius * Vector2f(std::cos(angle), std::sin(angle));
}

Light::Light(const Look& look, const Camera& camera) {
  // Fixed to the camera's side of the scene: whatever the view, light comes over the left shoulder.
  const Vec3 back = camera.eye - camera.target;
  const float azimuth = float(std::atan2(back.x(), back.z())) + radians(look.light_azimuth);
  const float elevation = radians(look.light_elevation);
  key_direction_ = {std::sin(azimuth) * std::cos(elevation), std::sin(elevation),
                    std::cos(azimuth) * std::cos(elevation)};
  key_side_ = key_direction_.unitOrthogonal();
  key_up_ = key_direction_.cross(key_side_);
  key_spread_ = std::tan(radians(look.light_radius));
  key_ = Vector3f(1.00f, 0.965f, 0.91f) * float(1.02 * look.exposure);
  mean_sky_ = Vector3f(0.46f, 0.485f, 0.53f) * float(look.exposure);
}

Vector3f Light::key_sample(const Vector2f& uv) const {
  const Vector2f d = key_spread_ * to_disk(uv);
  return (key_direction_ + d.x() * key_side_ + d.y() * key_up_).normalized();
}

Vector3f Light::sky(const Vector3f& direction) const {
  // A bright ceiling, dimmer walls, a dim floor.
  const float up = smooth_step(-0.35f, 0.9f, direction.y());
  return mean_sky_ * (0.45f + 0.85f * up);
}

Vector3f Light::open(const Vector3f& normal) const {
  Vector3f sum = Vector3f::Zero();
  constexpr int count = 256;
  for (int i = 0; i < count; ++i) sum += sky(on_hemisphere(normal, to_disk(even_point(i))));
  return sum / count + key_ * std::max(0.0f, normal.dot(key_direction_));
}

Vector2f even_point(int i) {
  std::uint32_t x = 0, y = 0, direction = 1u << 31;
  for (std::uint32_t n = std::uint32_t(i), bit = 1u << 31; n; n >>= 1, bit >>= 1) {
    if (n & 1) {
      x ^= bit;
      y ^= direction;
    }
    direction ^= direction >> 1;
  }
  // Half a cell inwards, 24 bits: never 0 and never 1.
  constexpr float scale = 1.0f / (1 << 24);
  return {(float(x >> 8) + 0.5f) * scale, (float(y >> 8) + 0.5f) * scale};
}

Vector3f on_hemisphere(const Vector3f& normal, const Vector2f& d) {
  const float z = std::sqrt(std::max(0.0f, 1 - d.squaredNorm()));
  // Continuous frame but for one direction, Duff et al. 2017: no seams across smooth surfaces.
  const float sign = std::copysign(1.0f, normal.z());
  const float a = -1 / (sign + normal.z()), b = normal.x() * normal.y() * a;
  const Vector3f side(1 + sign * normal.x() * normal.x() * a, sign * b, -sign * normal.x());
  const Vector3f up(b, sign + normal.y() * normal.y() * a, -normal.y());
  return d.x() * side + d.y() * up + z * normal;
}

Vector3f reflected(const Light& light, const Vector3f& normal, const Vector3f& to_eye,
                   const Vector3f& color, float lit, const Vector3f& ambient) {
  constexpr float facing = 0.04f;   // mirrored share head-on, as of any plastic or rubber
  constexpr float grazing = 0.45f;  // and at the rim: a rough surface does not reach 1
  constexpr float rough = 0.24f;    // GGX width, the light's size included

  // The cosine, eased into 0: soft matter has no hard line where its own shadow begins.
  const float steep = std::max(0.0f, normal.dot(light.key_direction()));
  const float cos_key = steep * steep * 1.14f / (steep + 0.14f);
  const float cos_eye = std::clamp(normal.dot(to_eye), 0.02f, 1.0f);
  const float turned = 1 - cos_eye, rim = turned * turned * turned * turned * turned;
  const float mirror = facing + (grazing - facing) * rim;

  const Vector3f half = (to_eye + light.key_direction()).normalized();
  const float cos_half = std::max(0.0f, normal.dot(half));
  const float spread = cos_half * cos_half * (rough * rough - 1) + 1;
  const float highlight = rough * rough / (spread * spread);                 // GGX times pi
  const float shade = 0.25f / (0.15f + 0.85f * std::max(cos_key, cos_eye));  // masking, roughly

  const Vector3f matte = color.cwiseProduct(ambient + lit * cos_key * light.key()) * (1 - mirror);
  const Vector3f key_glance = light.key() * (lit * cos_key * facing * highlight * shade);
  const Vector3f bounce = 2 * cos_eye * normal - to_eye;
  const float open = std::min(1.0f, ambient.sum() / light.mean_sky().sum());
  const Vector3f sky_glance = mirror * open * light.sky(bounce);
  return matte + key_glance + sky_glance;
}

Vector3f tone(const Vector3f& radiance) {
  static constexpr float knee = 0.55f, end = 8;
  static constexpr int steps = 1024;
  // By a table to 1e-5: exponentials were a twentieth of a film's frame.
  static const std::vector<float> falls = [] {
    std::vector<float> values;
    for (int i = 0; i <= steps + 1; ++i) values.push_back(std::exp(-end * float(i) / steps));
    return values;
  }();
  return radiance.unaryExpr([](float x) {
    if (x < knee) return x;
    const float at = std::min((x - knee) / (1 - knee), end) * (steps / end);
    const std::size_t i = std::size_t(at);
    const float fall = falls[i] + (at - float(i)) * (falls[i + 1] - falls[i]);
    return knee + (1 - knee) * (1 - fall);
  });
}

}  // namespace pliant
