#pragma once

#include <string>

#include "scene/description.h"

namespace pliant {

/// The scene as JSON with every default spelled out, in the order of the reference page. Reading it
/// back gives the same scene; the same scene always gives the same text. Values still to be chosen
/// are left out, so write BuiltScene::resolved to see all of them. Lines after the first start with
/// `indent` spaces.
std::string write_scene(const SceneDescription& scene, int indent = 0);

/// A text in quotes, escaped; bytes that are no UTF-8 are replaced.
std::string json_text(const std::string& text);

}  // namespace pliant
