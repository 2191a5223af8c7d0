#include "methods/registry.h"

#include "methods/clusters/clusters.h"
#include "methods/groups/groups.h"
#include "methods/meshless/meshless.h"
#include "methods/nurbs/nurbs.h"
#include "methods/rigid/rigid.h"
#include "methods/tets/tets.h"

namespace pliant {
namespace {

const MethodKind kinds[] = {
    {"tets", "position-based tetrahedra: fast, robust, any surface",
     []() -> std::unique_ptr<MethodSettings> { return std::make_unique<tets::Settings>(); }},
    {"groups", "particles in groups that keep their shape: fast, robust, any surface",
     []() -> std::unique_ptr<MethodSettings> { return std::make_unique<groups::Settings>(); }},
    {"meshless", "particles and moving least squares, implicit: accurate, also static, any surface",
     []() -> std::unique_ptr<MethodSettings> { return std::make_unique<meshless::Settings>(); }},
    {"nurbs", "CAD faces whose control points move, implicit: accurate, also static, CAD comes out",
     []() -> std::unique_ptr<MethodSettings> { return std::make_unique<nurbs::Settings>(); }},
    {"clusters", "particles in clusters that flow: dough, clay, taffy; any closed surface",
     []() -> std::unique_ptr<MethodSettings> { return std::make_unique<clusters::Settings>(); }},
    {"rigid", "keeps its shape: any closed surface, six degrees of freedom",
     []() -> std::unique_ptr<MethodSettings> { return std::make_unique<rigid::Settings>(); }},
};

}  // namespace

std::span<const MethodKind> registered_methods() { return kinds; }

const MethodKind* find_method(const std::string& name) {
  for (const MethodKind& kind : kinds)
    if (kind.name == name) return &kind;
  return nullptr;
}

}  // namespace pliant
