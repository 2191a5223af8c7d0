#include "methods/shared/two_constraints.h"

#include <string>

#include "core/errors.h"

namespace pliant {

Multipliers solve_pair(double a11, double a12, double a22, double r1, double r2) {
  constexpr double nothing = 1e-30;
  const double det = a11 * a22 - a12 * a12;
  if (det > 1e-12 * a11 * a22) return {(a22 * r1 - a12 * r2) / det, (a11 * r2 - a12 * r1) / det};
  // Hardly told apart: shape first, then volume with what is left, so that volume is met.
  const double shape = a11 > nothing ? r1 / a11 : 0;
  const double volume = a22 > nothing ? (r2 - a12 * shape) / a22 : 0;
  return {shape, volume};
}

void describe(Fields& fields, Lame& lame) {
  static const char* const names[] = {"consistent", "paper"};
  int chosen = int(lame);
  fields.choice("lame", chosen, names,
                {.help = "what E and nu mean to the neo_hookean law: consistent = what they say; "
                         "paper = as the papers put them in, which acts like other values"});
  lame = Lame(chosen);
}

void describe(Fields& fields, Solve& solve) {
  static const char* const names[] = {"together", "in_turn"};
  int chosen = int(solve);
  fields.choice("solve", chosen, names,
                {.help = "shape and volume together, or in turn as the papers do (drifts at rest, "
                         "slow: plain kernel)"});
  solve = Solve(chosen);
}

NeoHookean constrained_law(double young, double poisson, bool hookean, Lame lame) {
  const std::string has = "has Poisson's ratio " + std::to_string(poisson);
  if (hookean && poisson > 0.499)
    throw InputError(
        "", "",
        has + "; the hookean law allows at most 0.499, since it has no incompressible limit");
  if (lame == Lame::consistent || hookean) return NeoHookean::from(young, poisson);
  if (poisson <= 0.125)
    throw InputError("", "",
                     has +
                         "; with \"lame\": \"paper\" it must be above 0.125, since the material is "
                         "unstable below");
  return NeoHookean::from_paper(young, poisson);
}

}  // namespace pliant
