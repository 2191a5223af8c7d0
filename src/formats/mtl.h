#pragma once

#include <map>
#include <string_view>

#include "formats/model_images.h"

namespace pliant {

/// Materials of a Wavefront MTL file, appended to the paints of `faces`, by name: the diffuse color
/// (`Kd`, taken as linear, as Blender does) or image (`map_Kd`, in place of the color). All else is
/// passed over, and so is what is wrong.
std::map<std::string, int, std::less<>> parse_mtl(std::string_view text, Faces& faces,
                                                  ModelImages& images);

}  // namespace pliant
