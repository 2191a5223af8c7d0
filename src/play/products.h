#pragma once

#include "play/run.h"

namespace pliant {

struct Products {
  std::vector<std::filesystem::path> files;  // in the order in which people look at them
  bool film_failed = false;                  // the program that codes it failed; the user was told
};

/// Makes what people look at from a recording: picture, animation, PLY files and, last since
/// another program has a hand in it, the film, as the scene's outputs ask. A run that was stopped
/// on the way gets no film: it would keep the user waiting.
Products make_products(const BuiltScene& scene, const RunFolder& folder, const std::string& name,
                       bool finished, RunWatcher& watcher);

}  // namespace pliant
