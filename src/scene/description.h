#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "body/solid.h"
#include "contact/data/contact_settings.h"
#include "core/fields.h"
#include "geometry/query/region.h"
#include "materials/material.h"
#include "math/types.h"

namespace pliant {

// What a scene file says, and nothing else: plain data in the units of the file (metres, seconds,
// degrees). Each struct has one `describe`, from which reading, checking, writing, the schema and
// the reference page come. Values left out stay empty until build_scene() chooses them.

struct BoxDescription {
  Vec3 size = Vec3::Ones();  // [m]
};
struct SphereDescription {
  double radius = 0.5;  // [m]
};
struct CylinderDescription {
  double radius = 0.5, height = 1;  // [m] along y
};
struct CapsuleDescription {
  double radius = 0.25, length = 0.5;  // [m] along y; length of the straight part
};
struct TorusDescription {
  double ring = 0.5, tube = 0.2;  // [m] around y; radii of the centre line and of the tube
};
struct FishDescription {
  double length = 1;  // [m] along x, nose at -x
};
/// A CAD model that pliant makes itself.
struct MadeModelDescription {
  int name = 0;  // index into made_models()
};
struct PlaneDescription {
  Vec3 point = Vec3::Zero();    // [m]
  Vec3 normal = Vec3::UnitY();  // any length but zero
};
struct MeshDescription {
  std::string file;
};
struct WaveDescription {
  double height = 0.1;   // [m] from its middle to its crest
  double length = 1;     // [m]
  double direction = 0;  // [degrees] from x towards z
  double phase = 0;      // [degrees]
};
struct HeightfieldDescription {
  Vec2 size = {10, 10};                // [m] along x and z
  std::optional<std::string> file;     // a table of heights
  double scale = 1;                    // [m] per unit of the file
  std::vector<WaveDescription> waves;  // added up
  std::optional<double> edge;          // [m] of the cells of waves
};

/// A material of the scene or a preset by name, or values, or both: then the values win.
struct MaterialUse {
  std::string name;
  Material values;
};

/// One of the registered methods and its settings. Copies share the settings, which nobody changes
/// after reading.
struct MethodDescription {
  MethodDescription();
  explicit MethodDescription(const std::string& name);
  std::string name;
  std::shared_ptr<MethodSettings> settings;
  bool is_chosen = false;  // else by default, which depends on the shape
};

struct KeyDescription {
  double time = 0;             // [s]
  Vec3 move = Vec3::Zero();    // [m]
  Vec3 rotate = Vec3::Zero();  // [degrees]
};
struct SpinDescription {
  Vec3 axis = Vec3::UnitY();      // any length but zero
  double degrees_per_second = 0;  //
  double start = 0;               // [s]
  std::optional<double> end;      // [s]
};
/// How the scene moves a handle or a collider.
struct MotionDescription {
  std::vector<KeyDescription> keyframes;
  std::optional<SpinDescription> spin;
  std::optional<Vec3> pivot;  // [m]
};

struct RegionMaterial {
  Region region;
  MaterialUse material;
};
/// Along what a pin holds; across it the surface slides.
inline constexpr const char* axes_names[] = {"xyz", "x", "y", "z", "xy", "xz", "yz", "normal"};

struct PinDescription {
  enum Axes : int { all = 0, normal = 7 };
  Region region;
  int axes = all;                 // index of axes_names
  std::optional<double> release;  // [s]
};
struct HandleDescription {
  Region region;
  MotionDescription motion;
  std::optional<double> release;  // [s]
};
struct LoadDescription {
  std::optional<Vec3> force;         // [N] in all
  std::optional<double> pressure;    // [Pa]
  std::optional<Vec3> moment;        // [N m] in all
  std::optional<Vec3> acceleration;  // [m/s^2]
  Region region;
  double start = 0;           // [s]
  std::optional<double> end;  // [s]
};
struct FieldDescription {
  std::string name;
};

struct ProbeDescription {
  std::optional<std::string> name;
  Vec3 point = Vec3::Zero();  // [m]
  std::vector<FieldDescription> fields;
};

/// How a body starts, if not in its own shape.
struct StartDescription {
  int scramble = 0;  // index into scramble_names
  int seed = 0;
};

/// Lengths of a model file, in metres.
// "file": what a CAD file says; other files say nothing and are in metres.
inline constexpr const char* unit_names[] = {"file", "m", "cm", "mm", "in", "ft"};
inline constexpr double unit_lengths[] = {1, 1, 0.01, 0.001, 0.0254, 0.3048};
/// Which axis of a model file points up; the world's is y.
inline constexpr const char* up_names[] = {"y", "z", "x"};

/// A shape of a body: exactly one.
struct ShapeDescription {
  std::optional<std::string> file;
  std::optional<BoxDescription> box;
  std::optional<SphereDescription> sphere;
  std::optional<CylinderDescription> cylinder;
  std::optional<CapsuleDescription> capsule;
  std::optional<TorusDescription> torus;
  std::optional<FishDescription> fish;
  std::optional<MadeModelDescription> model;
};

/// Another shape that is one solid with the first; placed in the body, which is placed in the
/// world.
struct PartDescription : ShapeDescription {
  std::optional<std::string> name;  // of its group
  std::optional<double> edge;       // [m] of a primitive's triangles
  int unit = 0;                     // of a file, index into unit_names
  int up = 0;                       // of a file, index into up_names
  double scale = 1;
  Vec3 rotate = Vec3::Zero();  // [degrees] see rotation()
  Vec3 place = Vec3::Zero();   // [m]
};

struct BodyDescription : ShapeDescription {
  std::vector<PartDescription> parts;
  std::optional<std::string> name;
  std::optional<double> edge;       // [m] of a primitive's triangles
  int unit = 0;                     // of a file, index into unit_names
  int up = 0;                       // of a file, index into up_names
  bool centre = false;              // of a file: its middle becomes its origin
  double weld = 0;                  // [m] of a file: points closer than this become one
  std::optional<double> thickness;  // [m] of a file: what an open surface becomes
  double contact_detail = 1;        // of its contact surface: finer than by default
  double scale = 1;
  Vec3 rotate = Vec3::Zero();  // [degrees] see rotation()
  Vec3 place = Vec3::Zero();   // [m]
  MethodDescription method;
  MaterialUse material;
  std::vector<RegionMaterial> regions;
  Vec3 velocity = Vec3::Zero();  // [m/s]
  Vec3 spin = Vec3::Zero();      // [degrees/s]
  std::optional<StartDescription> start;
  std::optional<Vec3> color;  // linear RGB
  std::optional<Vec3> inside_color;
  std::vector<PinDescription> pins;
  std::vector<HandleDescription> handles;
  std::vector<LoadDescription> loads;
  std::vector<ProbeDescription> probes;

  Region::Frame frame;  // not described: of the file or shape, known when it is placed
};

struct ColliderDescription {
  // Its shape: exactly one.
  std::optional<PlaneDescription> plane;
  std::optional<SphereDescription> sphere;
  std::optional<BoxDescription> box;
  std::optional<CapsuleDescription> capsule;
  std::optional<MeshDescription> mesh;
  std::optional<HeightfieldDescription> heightfield;

  std::optional<std::string> name;
  int unit = 0;
  int up = 0;
  double scale = 1;
  Vec3 rotate = Vec3::Zero();
  Vec3 place = Vec3::Zero();
  double friction = 0.5;
  std::optional<Vec3> color;
  bool visible = true;
  bool cuts = false;
  MotionDescription motion;
};

/// Ties a part of a body to another body, a collider or the world.
struct AttachmentDescription {
  std::string body, to;
  Region region;
  std::optional<double> within;     // [m]
  std::optional<double> stiffness;  // [N/m]
  std::optional<double> strength;   // [N]
};

struct CornerDescription {
  Vec3 point = Vec3::Zero();  // [m]
};
/// Parts a body along a plane, or along the part of one within a polygon: exactly one.
struct CutDescription {
  std::string body;
  double time = 0;  // [s]
  std::optional<PlaneDescription> plane;
  std::vector<CornerDescription> polygon;
};

struct OutputsDescription {
  bool film = true;
  bool picture = true;
  bool glb = true;
  bool ply = false;
  int surface = 1;                       // index into surface_names
  bool contact_surface = false;          // shown instead of the drawn one
  std::vector<FieldDescription> fields;  // recorded besides color_by
  bool volume = false;                   // the insides of bodies, too
  std::string color_by = "body";
  std::optional<Vec2> color_range;  // values of the first and the last color
  double film_fps = 30;             // of film and animation
  double slow_motion = 1;           // how many times slower than the motion they play
  int width = 1280, height = 720;
  bool trim = true;           // the film ends when all is at rest
  int samples = 4;            // rays a pixel to each of lamp and sky
  int checkpoint_every = 10;  // frames
};

struct CameraDescription {
  std::optional<Vec3> eye, target;  // [m]
  double fov = 28;                  // [degrees] from bottom to top
  enum Follow : int { automatic, never, always };
  int follow = automatic;  // index of follow_names
};

inline constexpr int default_frames = 240;  // of scenes that move

struct SceneDescription {
  static constexpr int newest_version = 1;

  int version = newest_version;
  std::string title;
  Vec3 gravity = {0, -9.81, 0};  // [m/s^2]
  std::optional<int> frames;
  double fps = 60;
  std::optional<int> substeps;
  bool statics = false;
  double accuracy = 0.05;  // of static scenes that leave open how fine their bodies are
  int touch = int(ContactSettings().touch);  // index of touch_names
  enum Overlap : int { refuse, separate, push };
  int overlap = refuse;  // index of overlap_names
  int seed = 0;
  std::vector<std::pair<std::string, Material>> materials;  // by rising name
  std::vector<BodyDescription> bodies;
  std::optional<std::vector<ColliderDescription>> colliders;  // left out: a floor is laid
  std::vector<AttachmentDescription> attachments;
  std::vector<CutDescription> cuts;
  OutputsDescription outputs;
  CameraDescription camera;
};

void describe(Fields& fields, SceneDescription& scene);
void describe(Fields& fields, BodyDescription& body);
void describe(Fields& fields, ColliderDescription& collider);
void describe(Fields& fields, MotionDescription& motion);
void describe(Fields& fields, MaterialUse& use);
void describe(Fields& fields, MethodDescription& method);

/// When the camera goes with the bodies.
inline constexpr const char* follow_names[] = {"auto", "never", "always"};

/// What files of surfaces show.
inline constexpr const char* surface_names[] = {"skin", "original"};

/// A point of a file whose axis `up`, an index into up_names, points up. Exact.
Vec3 upright(const Vec3& point, int up);

/// Degrees about the x axis first, then about y, then about z, the axes standing still.
Quat rotation(const Vec3& degrees);

/// "box", "sphere", ... or "file".
const char* shape_name(const ShapeDescription& shape);
const char* shape_name(const ColliderDescription& collider);

/// Gives every body, collider and probe that has no name one: the file's or the shape's, made
/// unique with a number.
void complete_names(SceneDescription& scene);

/// Names end up in file names and table headings.
bool is_good_name(const std::string& name);
inline constexpr const char* good_name_rule =
    "a name has 1 to 64 letters, digits, spaces, _ - or . and starts with a letter or digit";

}  // namespace pliant
