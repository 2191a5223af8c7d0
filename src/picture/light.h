#pragma once

#include "picture/render.h"

namespace pliant {

/// The lamps of the studio: one large key light far away, and a sky around everything. Radiance is
/// counted so that a white matte surface facing radiance 1 from everywhere shows as 1.
class Light {
 public:
  Light(const Look& look, const Camera& camera);

  const Eigen::Vector3f& key_direction() const { return key_direction_; }
  const Eigen::Vector3f& key() const { return key_; }  // what a white surface facing it reflects

  /// A direction towards a point of the key light; (u, v) in the unit square.
  Eigen::Vector3f key_sample(const Eigen::Vector2f& uv) const;

  /// What comes from a direction (unit length) in which there is nothing.
  Eigen::Vector3f sky(const Eigen::Vector3f& direction) const;
  Eigen::Vector3f mean_sky() const { return mean_sky_; }

  /// What a white surface of this normal reflects when nothing is in the way.
  Eigen::Vector3f open(const Eigen::Vector3f& normal) const;

 private:
  Eigen::Vector3f key_direction_, key_side_, key_up_;
  Eigen::Vector3f key_;
  Eigen::Vector3f mean_sky_;
  float key_spread_;  // tangent of the light's angular radius
};

/// Point i of a fixed, very even sequence in the unit square (Sobol's first two dimensions). Every
/// aligned block of 2^m points is even by itself.
Eigen::Vector2f even_point(int i);

/// The point of the unit disk that belongs to (u, v) in the unit square; keeps areas and evenness.
Eigen::Vector2f to_disk(const Eigen::Vector2f& uv);

/// The direction about `normal` above a point of the unit disk: even points give cosine-distributed
/// directions.
Eigen::Vector3f on_hemisphere(const Eigen::Vector3f& normal, const Eigen::Vector2f& disk);

/// How a rubbery surface sends light to the eye. `lit` is the visible part of the key light in [0,
/// 1], `ambient` what a white surface would reflect of everything else; `to_eye` has unit length.
Eigen::Vector3f reflected(const Light& light, const Eigen::Vector3f& normal,
                          const Eigen::Vector3f& to_eye, const Eigen::Vector3f& color, float lit,
                          const Eigen::Vector3f& ambient);

/// Film: straight for dark and middle tones, so that colors stay what they are, rolling off
/// towards white. In and out linear.
Eigen::Vector3f tone(const Eigen::Vector3f& radiance);

}  // namespace pliant
