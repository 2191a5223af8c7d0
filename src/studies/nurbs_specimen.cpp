#include "studies/nurbs_specimen.h"

#include "core/assert.h"
#include "formats/cad.h"

namespace pliant {
namespace {

// Far below what is asked of a deflection, and where Newton's method is done soon.
constexpr double static_residual = 1e-4;

}  // namespace

Material paper_rubber() { return elastic_material(1e6, 0.45); }

std::optional<std::vector<NurbsPatch>> paper_model(const std::string& file) {
  std::error_code ignored;
  const std::filesystem::path path = cad_folder() / file;
  if (!has_cad() || !std::filesystem::exists(path, ignored)) return std::nullopt;
  CadModel model = read_cad(path);
  for (NurbsPatch& patch : model.patches)
    for (Vec3& pole : patch.pole) pole /= model.unit;
  return std::move(model.patches);
}

PaperRow skipped(const std::string& file) {
  return {.expected = "-",
          .ours = "skipped",
          .met = true,
          .remark = has_cad() ? "there is no " + (cad_folder() / file).string()
                              : "built without OpenCASCADE, which reads " + file};
}

Specimen::Specimen(std::vector<NurbsPatch> patches, const Material& material,
                   const nurbs::paper::Settings& settings, const std::vector<Solid::Part>& parts,
                   galerkin::Law::Kind law) {
  Solid solid = cad_solid(std::move(patches), material);
  solid.name = "specimen";
  solid.parts = parts;
  nurbs::Settings method;
  method.kinematics.paper = settings;
  method.law = law;
  method.rules.static_residual = static_residual;
  body = method.create(solid);
  rest = body.nodes.position;
}

galerkin::GalerkinMethod& Specimen::method() const {
  auto* method = dynamic_cast<galerkin::GalerkinMethod*>(body.method.get());
  ASSERT(method, "nurbs are a Galerkin method");
  return *method;
}

void Specimen::hold(const Chosen& chosen, const std::function<Vec3(const Vec3&)>& move) {
  for (int n = 0; n < body.nodes.size(); ++n) {
    if (!chosen(rest[n])) continue;
    body.nodes.held[n] = 1;
    body.nodes.target[n] = move ? move(rest[n]) : rest[n];
  }
}

void Specimen::hold_patches(const Chosen& chosen) {
  for (const std::vector<int>& nodes : body.control_net->nodes) {
    bool is_in = true;
    for (const int n : nodes) is_in = is_in && chosen(rest[n]);
    if (!is_in) continue;
    for (const int n : nodes) {
      body.nodes.held[n] = 1;
      body.nodes.target[n] = rest[n];
    }
  }
}

void Specimen::release() {
  for (char& held : body.nodes.held) held = 0;
  for (Vec3& f : body.nodes.force) f.setZero();
  body.nodes.position = rest;
}

void Specimen::weigh(const Vec3& gravity, double density) {
  const galerkin::Points& at = points();
  for (int p = 0; p < at.size(); ++p)
    for (int k = at.start[p]; k < at.start[p + 1]; ++k)
      body.nodes.force[at.node[k]] += density * at.volume[p] * at.value[k] * gravity;
}

Box Specimen::box() {
  body.refresh_skins();
  return bounds(body.drawn_skin().position);
}

double Specimen::least_J() {
  galerkin::Elastic& elastic = method().elastic();
  elastic.update(body.nodes.position);
  double least = std::numeric_limits<double>::infinity();
  for (int p = 0; p < points().size(); ++p) least = std::min(least, elastic.F(p).determinant());
  return least;
}

World on_floor(Body body, double height, const Vec3& velocity, double up) {
  World world;
  world.gravity = {0, -up, 0};
  const double low = bounds(body.drawn_skin().rest).low.y();
  for (Vec3& v : body.nodes.velocity) v = velocity;
  world.bodies.push_back(std::move(body));
  Collider floor;
  floor.name = "floor";
  floor.shape = PlaneShape{};
  floor.placement = Pose{Quat::Identity(), Vec3(0, low - height, 0)};
  world.colliders.push_back(std::move(floor));
  return world;
}

}  // namespace pliant
