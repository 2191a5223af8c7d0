#include "methods/nurbs/paper/settings.h"

namespace pliant::nurbs::paper {
namespace {

template <class Choice>
void describe_choice(Fields& fields, const char* name, Choice& value,
                     std::span<const char* const> names, const char* help) {
  int chosen = int(value);
  fields.choice(name, chosen, names, {.help = help});
  value = Choice(chosen);
}

}  // namespace

void describe(Fields& fields, Settings& settings) {
  fields.integer("order", settings.order,
                 {.at_least = 1, .at_most = 2, .help = "of the polynomials: linear or quadratic"});
  static const char* const connections[] = {"none", "weld", "stitch"};
  describe_choice(fields, "connect", settings.connect, connections,
                  "none: faces hang together by their blended polynomials alone, as in the paper; "
                  "weld: control points at one place are one; stitch: and borders follow the face "
                  "that they lie on");
  fields.number("cutoff", settings.cutoff,
                {.unit = "m",
                 .above = 0,
                 .help = "how far a face is felt inside",
                 .computed = "1.3 times the largest depth"});
  fields.number("sparsity", settings.sparsity,
                {.above = 0,
                 .at_most = 1,
                 .help = "least share of pairs of inner points and faces that feel each other; "
                         "chooses the cut-off",
                 .computed = "by the cut-off"});
  fields.check(!(settings.cutoff && settings.sparsity), "sparsity",
               "is given beside a cut-off; only one can be meant");
  fields.vector("rays", settings.rays,
                {.at_least = 1,
                 .at_most = 1000,
                 .help = "rays along x in a grid of so many in y and z, and points on each run of "
                         "a ray inside",
                 .computed = "about 1500 points, along the axis with the fewest openings"});
  static const char* const insides[] = {"winding", "orientation"};
  describe_choice(fields, "inside", settings.inside, insides,
                  "which runs of a ray are inside, by winding number or, as in the paper, by "
                  "counting faces that look forwards and backwards");
  fields.number("stability", settings.stability,
                {.above = 0,
                 .at_most = 1e6,
                 .help = "stiffness of the error energy in Young's moduli over its length; no "
                         "value is right for all models"});
  fields.number("length", settings.length,
                {.unit = "m",
                 .above = 0,
                 .help = "of the error energy",
                 .computed = "cube root of the volume"});
  fields.number("pull", settings.pull,
                {.at_least = 0,
                 .at_most = 1,
                 .help = "how strongly a face that hardly tells its linear terms takes those of "
                         "its cluster; 0 = plain least squares"});
  static const char* const origins[] = {"heaviest", "lightest"};
  describe_choice(fields, "origins", settings.origins, origins,
                  "cluster that a face belongs to: the one that weighs it most, or least as the "
                  "paper's text says");
  static const char* const metrics[] = {"area", "parameter"};
  describe_choice(fields, "metric", settings.metric, metrics,
                  "measure of faces in the fits: area, or du dv as in the paper");
}

}  // namespace pliant::nurbs::paper
