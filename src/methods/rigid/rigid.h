#pragma once

#include <optional>

#include "body/solid.h"

namespace pliant::rigid {

/// Bodies that keep their shape: mass and inertia of any solid, carried by four nodes. They turn,
/// touch, rub and bounce; nothing bends them.
class Settings final : public MethodSettings {
 public:
  std::optional<double> mass;  // [kg] left out: volume times the material's density
  double restitution = 0;      // share of the speed that comes back from a bounce

  void describe(Fields& fields) override;
  Body create(const Solid& solid) const override;
  bool deforms() const override { return false; }
};

}  // namespace pliant::rigid
