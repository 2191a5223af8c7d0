#include "formats/usda.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "formats/frame_file.h"

namespace pliant {
namespace {

using Vec3f = Eigen::Vector3f;

/// Names of prims are identifiers, and differ.
std::string prim_name(const std::string& name, std::set<std::string>& taken) {
  std::string good;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool digit = c >= '0' && c <= '9';
    if (good.empty() && digit) good.push_back('_');
    good += letter || digit ? c : '_';
  }
  if (good.empty()) good.append("mesh");
  std::string unique = good;
  for (int i = 2; !taken.insert(unique).second; ++i) unique = fmt::format("{}_{}", good, i);
  return unique;
}

template <class Values, class Print>
void append_list(std::string& text, const Values& values, const Print& print) {
  text += '[';
  bool first = true;
  for (const auto& value : values) {
    if (!first) text += ", ";
    first = false;
    print(value);
  }
  text += ']';
}

class UsdaWriter {
 public:
  UsdaWriter(const std::filesystem::path& path, int frames, const std::string& job)
      : file_(path, job), frames_(frames) {}

  void begin(double fps) {
    line(
        "#usda 1.0\n(\n    defaultPrim = \"pliant\"\n    metersPerUnit = 1\n    upAxis = \"Y\"\n"
        "    startTimeCode = 0\n    endTimeCode = {}\n    timeCodesPerSecond = {}\n"
        "    framesPerSecond = {}\n)\n\ndef Xform \"pliant\"\n{{\n",
        std::max(0, frames_ - 1), fps, fps);
  }

  void add(const UsdaMesh& mesh, FunctionRef<std::span<const Vec3f>(int)> positions) {
    line("    def Mesh \"{}\"\n    {{\n", prim_name(mesh.name, names_));
    if (mesh.changes.empty()) add_faces(mesh.faces);
    else add_changing_faces(mesh);
    line("        color3f[] primvars:displayColor = [({}, {}, {})]\n", mesh.color.x(),
         mesh.color.y(), mesh.color.z());
    add_points(positions);
    if (mesh.changes.empty()) add_groups(mesh.faces);
    else add_changing_groups(mesh);
    line("    }}\n");
  }

  void end() {
    line("}}\n");
    flush();
    file_.commit();
  }

 private:
  template <class... Values>
  void line(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Values>(values)...);
  }
  void flush() {
    file_.append(text_);
    text_.clear();
  }
  void numbers(std::span<const int> values) {
    append_list(text_, values, [&](int v) { line("{}", v); });
  }

  void add_faces(const Faces& faces) {
    line("        int[] faceVertexCounts = ");
    counts(faces);
    line("\n        int[] faceVertexIndices = ");
    numbers(faces.vertex);
    line("\n        uniform token subdivisionScheme = \"none\"\n");
    flush();
    if (!faces.has_textures()) return;
    line("        texCoord2f[] primvars:st = ");
    coordinates(faces);
    line(
        " (\n            interpolation = \"faceVarying\"\n        )\n"
        "        int[] primvars:st:indices = ");
    textures(faces);
    text_ += '\n';
    flush();
  }

  void counts(const Faces& faces) {
    std::vector<int> corners;
    for (int f = 0; f < faces.size(); ++f) corners.push_back(faces.start[f + 1] - faces.start[f]);
    numbers(corners);
  }
  void coordinates(const Faces& faces) {
    append_list(text_, faces.uv,
                [&](const Eigen::Vector2f& uv) { line("({}, {})", uv.x(), uv.y()); });
  }
  void textures(const Faces& faces) {
    std::vector<int> texture = faces.texture;
    texture.resize(faces.vertex.size(), 0);
    for (int& t : texture) t = std::max(t, 0);
    numbers(texture);
  }

  // Frame 0, and each with other faces.
  template <class Print>
  void samples(const char* what, const UsdaMesh& mesh, const Print& print) {
    line("        {}.timeSamples = {{\n", what);
    for (std::size_t i = 0; i <= mesh.changes.size(); ++i) {
      const int frame = i == 0 ? 0 : mesh.changes[i - 1];
      line("            {}: ", frame);
      print(mesh.faces_at(frame));
      line(",\n");
      flush();
    }
    line("        }}\n");
  }

  void add_changing_faces(const UsdaMesh& mesh) {
    samples("int[] faceVertexCounts", mesh, [&](const Faces& f) { counts(f); });
    samples("int[] faceVertexIndices", mesh, [&](const Faces& f) { numbers(f.vertex); });
    line("        uniform token subdivisionScheme = \"none\"\n");
    if (!mesh.faces.has_textures()) return;
    line(
        "        texCoord2f[] primvars:st (\n            interpolation = \"faceVarying\"\n"
        "        )\n");
    samples("texCoord2f[] primvars:st", mesh, [&](const Faces& f) {
      if (f.uv.empty()) line("[(0, 0)]");
      else coordinates(f);
    });
    samples("int[] primvars:st:indices", mesh, [&](const Faces& f) { textures(f); });
  }

  void add_changing_groups(const UsdaMesh& mesh) {
    std::set<std::string> groups;
    for (std::size_t i = 0; i <= mesh.changes.size(); ++i)
      for (const auto& group : mesh.faces_at(i == 0 ? 0 : mesh.changes[i - 1]).groups)
        groups.insert(group.name);
    std::set<std::string> names;
    for (const std::string& name : groups) {
      begin_group(name, names);
      line("\n");
      samples("    int[] indices", mesh, [&](const Faces& f) {
        const auto group = std::find_if(f.groups.begin(), f.groups.end(),
                                        [&](const auto& g) { return g.name == name; });
        if (group == f.groups.end()) line("[]");
        else numbers(group->triangles);
      });
      line("        }}\n");
    }
  }

  void begin_group(const std::string& name, std::set<std::string>& names) {
    line(
        "\n        def GeomSubset \"{}\"\n        {{\n"
        "            uniform token elementType = \"face\"\n"
        "            uniform token familyName = \"group\"",
        prim_name(name, names));
  }

  void add_points(FunctionRef<std::span<const Vec3f>(int)> positions) {
    std::vector<std::pair<Vec3f, Vec3f>> boxes;
    line("        point3f[] points.timeSamples = {{\n");
    flush();
    for (int frame = 0; frame < frames_; ++frame) {
      if (file_.has_next()) {
        const FrameFile::Note box = file_.take_next();
        boxes.emplace_back(Vec3f(box[0], box[1], box[2]), Vec3f(box[3], box[4], box[5]));
        continue;
      }
      const std::span<const Vec3f> points = positions(frame);
      Vec3f low = points.empty() ? Vec3f(Vec3f::Zero()) : points[0], high = low;
      line("            {}: ", frame);
      append_list(text_, points, [&](const Vec3f& p) {
        low = low.cwiseMin(p), high = high.cwiseMax(p);
        line("({}, {}, {})", p.x(), p.y(), p.z());
      });
      line(",\n");
      boxes.emplace_back(low, high);
      flush();
      file_.end_frame({low.x(), low.y(), low.z(), high.x(), high.y(), high.z()});
    }
    line("        }}\n        float3[] extent.timeSamples = {{\n");
    for (int frame = 0; frame < frames_; ++frame) {
      const auto& [low, high] = boxes[std::size_t(frame)];
      line("            {}: [({}, {}, {}), ({}, {}, {})],\n", frame, low.x(), low.y(), low.z(),
           high.x(), high.y(), high.z());
    }
    line("        }}\n");
    flush();
  }

  void add_groups(const Faces& faces) {
    std::set<std::string> names;
    for (const TriangleMesh::Group& group : faces.groups) {
      begin_group(group.name, names);
      line("\n            int[] indices = ");
      numbers(group.triangles);
      line("\n        }}\n");
      flush();
    }
  }

  FrameFile file_;
  int frames_;
  std::set<std::string> names_;
  std::string text_;
};

}  // namespace

void write_usda(const std::filesystem::path& path, std::span<const UsdaMesh> meshes, int frames,
                double fps, FunctionRef<std::span<const Vec3f>(int mesh, int frame)> positions,
                const std::string& job) {
  UsdaWriter writer(path, frames, job);
  writer.begin(fps);
  for (int m = 0; m < int(meshes.size()); ++m) {
    const auto of_mesh = [&](int frame) { return positions(m, frame); };
    writer.add(meshes[std::size_t(m)], of_mesh);
  }
  writer.end();
}

}  // namespace pliant
