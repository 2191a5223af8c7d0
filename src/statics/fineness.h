#pragma once

#include "core/function_ref.h"
#include "scene/build.h"
#include "statics/figures.h"

namespace pliant {

/// How fine the bodies of a static scene were made, and what that leaves to be wrong.
struct Fineness {
  struct OfBody {
    std::string body;
    int nodes = 0;                                    // asked of its method
    double displacement_error = 0, stress_error = 0;  // shares
  };
  std::vector<OfBody> bodies;  // those whose scene left it open
  std::string why;             // a sentence for the user; empty: nothing was chosen

  void add_errors(std::vector<StaticFigures>& figures) const;
};

/// Builds a static scene as fine as its "accuracy" asks: solves it, makes what the scene leaves
/// open finer, and compares, until the largest displacement and stress of all bodies change by no
/// more than that, or bodies have as many nodes as seconds allow. Other scenes are built as they
/// are. `tell`: called before each solution.
BuiltScene build_fine_enough(const SceneDescription& scene, const SceneSource& source, bool strict,
                             FunctionRef<void(int nodes)> tell, Fineness& fineness);

}  // namespace pliant
