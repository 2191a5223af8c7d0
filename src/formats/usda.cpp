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
    if (!mesh.colors_at) add_color(mesh);
    if (mesh.poses.empty()) add_points(positions);
    else add_rigid(positions(0), mesh.poses);
    add_fields(mesh);
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

  /// Time samples of all frames, as far as they are not there; `print(frame)` writes one and says
  /// what is to be known of it when it is not written again.
  template <class Print, class Known>
  void add_samples(const std::string& declaration, const Print& print, const Known& known) {
    line("        {}.timeSamples = {{\n", declaration);
    flush();
    for (int frame = 0; frame < frames_; ++frame) {
      if (file_.has_next()) {
        known(file_.take_next());
        continue;
      }
      line("            {}: ", frame);
      const FrameFile::Note note = print(frame);
      line(",\n");
      flush();
      known(note);
      file_.end_frame(note);
    }
    line("        }}\n");
  }

  void add_vectors(const std::string& declaration,
                   const std::function<std::span<const Vec3f>(int)>& vectors) {
    const auto print = [&](int frame) {
      append_list(text_, vectors(frame),
                  [&](const Vec3f& v) { line("({:.4g}, {:.4g}, {:.4g})", v.x(), v.y(), v.z()); });
      return FrameFile::Note{};
    };
    add_samples(declaration, print, [](const FrameFile::Note&) {});
  }

  void add_color(const UsdaMesh& mesh) {
    const auto list = [&](std::span<const Vec3f> colors, const char* interpolation) {
      line("        color3f[] primvars:displayColor = ");
      append_list(text_, colors,
                  [&](const Vec3f& c) { line("({:.4g}, {:.4g}, {:.4g})", c.x(), c.y(), c.z()); });
      line(" (\n            interpolation = \"{}\"\n        )\n", interpolation);
    };
    if (!mesh.face_colors.empty()) list(mesh.face_colors, "uniform");
    else if (!mesh.vertex_colors.empty()) list(mesh.vertex_colors, "vertex");
    else
      line("        color3f[] primvars:displayColor = [({}, {}, {})]\n", mesh.color.x(),
           mesh.color.y(), mesh.color.z());
    flush();
  }

  void add_fields(const UsdaMesh& mesh) {
    const char* const per_vertex = " (\n            interpolation = \"vertex\"\n        )\n";
    if (mesh.velocities_at) add_vectors("vector3f[] velocities", mesh.velocities_at);
    if (mesh.colors_at) {
      line("        color3f[] primvars:displayColor{}", per_vertex);
      add_vectors("color3f[] primvars:displayColor", mesh.colors_at);
    }
    if (!mesh.values_at) return;
    std::set<std::string> none;
    const std::string declaration = "float[] primvars:" + prim_name(mesh.field, none);
    line("        {}{}", declaration, per_vertex);
    const auto print = [&](int frame) {
      append_list(text_, mesh.values_at(frame), [&](float v) { line("{:.5g}", v); });
      return FrameFile::Note{};
    };
    add_samples(declaration, print, [](const FrameFile::Note&) {});
  }

  // Matrices are those of row vectors.
  void print_pose(const Pose& pose) {
    const Mat3 R = pose.rotation.toRotationMatrix();
    text_ += '(';
    for (int column = 0; column < 3; ++column)
      line("({:.9g}, {:.9g}, {:.9g}, 0), ", R(0, column), R(1, column), R(2, column));
    line("({:.9g}, {:.9g}, {:.9g}, 1))", pose.position.x(), pose.position.y(), pose.position.z());
  }

  void add_rigid(std::span<const Vec3f> points, const std::vector<Pose>& poses) {
    line("        point3f[] points = ");
    append_list(text_, points, [&](const Vec3f& p) { line("({}, {}, {})", p.x(), p.y(), p.z()); });
    const auto stands = [&](const Pose& pose) {
      return pose.position == poses[0].position &&
             pose.rotation.coeffs() == poses[0].rotation.coeffs();
    };
    line("\n        matrix4d xformOp:transform");
    if (std::all_of(poses.begin(), poses.end(), stands)) {
      line(" = ");
      print_pose(poses[0]);
    } else {
      line(".timeSamples = {{\n");
      for (std::size_t frame = 0; frame < poses.size(); ++frame) {
        line("            {}: ", frame);
        print_pose(poses[frame]);
        line(",\n");
      }
      line("        }}");
    }
    line("\n        uniform token[] xformOpOrder = [\"xformOp:transform\"]\n");
    flush();
  }

  void add_points(FunctionRef<std::span<const Vec3f>(int)> positions) {
    std::vector<FrameFile::Note> boxes;
    const auto print = [&](int frame) {
      const std::span<const Vec3f> points = positions(frame);
      Vec3f low = points.empty() ? Vec3f(Vec3f::Zero()) : points[0], high = low;
      append_list(text_, points, [&](const Vec3f& p) {
        low = low.cwiseMin(p), high = high.cwiseMax(p);
        line("({}, {}, {})", p.x(), p.y(), p.z());
      });
      return FrameFile::Note{low.x(), low.y(), low.z(), high.x(), high.y(), high.z()};
    };
    add_samples("point3f[] points", print,
                [&](const FrameFile::Note& box) { boxes.push_back(box); });
    line("        float3[] extent.timeSamples = {{\n");
    for (int frame = 0; frame < frames_; ++frame) {
      const FrameFile::Note& box = boxes[std::size_t(frame)];
      line("            {}: [({}, {}, {}), ({}, {}, {})],\n", frame, box[0], box[1], box[2], box[3],
           box[4], box[5]);
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
