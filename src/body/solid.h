#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "body/body.h"
#include "core/fields.h"
#include "geometry/mesh/tet_mesh.h"
#include "geometry/mesh/triangle_mesh.h"
#include "geometry/nurbs/patch.h"
#include "geometry/query/near_group.h"
#include "geometry/query/region.h"
#include "materials/material.h"

namespace pliant {

/// What a body is made of, before a method discretises it. Already placed in the world, in metres.
struct Solid {
  struct Part {
    Region region;
    Material material;
    std::shared_ptr<const NearGroup> near = nullptr;  // of a region that names a group

    bool contains(const Vec3& rest_point) const {
      return near ? near->contains(rest_point) : region.contains(rest_point);
    }
  };
  std::string name;
  TriangleMesh surface;         // empty when `tets` is given
  std::optional<TetMesh> tets;  // for methods that can use the user's own elements
  /// Of CAD models: their faces, and where on them each point of `surface` lies: patch -1 is a
  /// point of a plain surface that is one solid with them.
  std::vector<NurbsPatch> patches;
  std::vector<Tessellation::Vertex> on_patch;
  Material material;          // every value set
  std::vector<Part> parts;    // other materials in regions; a later one wins
  double contact_detail = 1;  // how many times finer than by default its contact surface is

  const Material& material_at(const Vec3& rest_point) const;
};

/// Finds what goes with the groups that regions of parts name. Throws InputError (no file).
void find_groups(Solid& solid);

/// A method's settings: describes its fields and makes bodies.
class MethodSettings {
 public:
  virtual ~MethodSettings() = default;
  virtual void describe(Fields&) = 0;
  /// Throws InputError when the solid cannot become a body; `file` and `where` are left to the
  /// caller.
  virtual Body create(const Solid&) const = 0;
  /// Whether it moves CAD faces themselves (Solid::patches), and not the triangles drawn of them.
  virtual bool moves_patches() const { return false; }
  /// Whether the stiffness of the material matters.
  virtual bool deforms() const { return true; }
  /// Of methods that find equilibrium: whether the user left open how fine the body is, and the
  /// same settings for about so many nodes.
  virtual bool leaves_nodes_open() const { return false; }
  virtual std::unique_ptr<MethodSettings> with_nodes(int) const { return nullptr; }
  /// Whether Material::plastic is honoured; scenes with plastic bodies of other methods are
  /// refused.
  virtual bool flows() const { return false; }
  /// Whether Plastic::fracture is honoured too.
  virtual bool breaks() const { return false; }
};

inline void describe(Fields& fields, MethodSettings& settings) { settings.describe(fields); }

}  // namespace pliant
