#include "formats/blender_script.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "formats/part_file.h"

namespace pliant {
namespace {

constexpr const char* script = R"(# blender --python {file}
# Point caches know no frame rate: these have {fps:.6g} samples a second.
import math, pathlib
import bpy

folder = pathlib.Path(__file__).resolve().parent
scene = bpy.context.scene
scene.render.fps, scene.render.fps_base = {whole}, {base:.9g}
scene.frame_start, scene.frame_end = 0, {last}
for name in [{names}]:
    model, cache = str(folder / (name + ".obj")), str(folder / (name + ".pc2"))
    if "obj" in dir(bpy.ops.import_scene):  # before 4.0; it keeps points of no face, too
        bpy.ops.import_scene.obj(filepath=model, axis_forward="Y", axis_up="Z", split_mode="OFF")
    else:
        bpy.ops.wm.obj_import(filepath=model, forward_axis="Y", up_axis="Z")
    body = bpy.context.selected_objects[0]
    body.rotation_euler = (math.pi / 2, 0, 0)
    modifier = body.modifiers.new("cache", "MESH_CACHE")
    modifier.cache_format, modifier.filepath = "PC2", cache
    modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"
    modifier.frame_start, modifier.play_mode = 0, "SCENE"
)";

}  // namespace

void write_blender_script(const std::filesystem::path& path, std::span<const std::string> names,
                          int frames, double fps) {
  std::string list;
  for (const std::string& name : names) {
    if (!list.empty()) list += ", ";
    list += '"' + name + '"';
  }
  const double whole = std::max(1.0, std::round(fps));  // Blender divides it by fps_base
  PartFile file(path);
  file.append(fmt::format(fmt::runtime(script), fmt::arg("file", path.filename().string()),
                          fmt::arg("fps", fps), fmt::arg("whole", int(whole)),
                          fmt::arg("base", whole / fps), fmt::arg("last", std::max(0, frames - 1)),
                          fmt::arg("names", list)));
  file.commit();
}

}  // namespace pliant
