#include "methods/nurbs/report.h"

#include <algorithm>

#include "core/formatted.h"

namespace pliant::nurbs {
namespace {

// Of the surface: more thin walls, or faces with too coarse a net, are worth a warning.
constexpr double much = 0.1;
// Spans that are longer than so many thicknesses do not follow how the solid bends: twice what
// compliances within 10 % were measured with.
constexpr double coarse_spans = 3;

std::string metres(double length) { return formatted("%.2g m", length); }
std::string percent(double share) { return formatted("%.0f %%", 100 * share); }

/// "0.01 m", "0.01 to 0.02 m"
std::string range(double least, double most) {
  const std::string from = formatted("%.2g", least), to = formatted("%.2g", most);
  return from == to ? to + " m" : from + " to " + to + " m";
}

std::string counts(const Kinematics& made, int loose) {
  std::string text = std::to_string(made.net.patches.size()) + " faces, " +
                     std::to_string(made.net.given) + " control points, refined and welded to " +
                     std::to_string(made.net.point.size()) + ", ";
  if (loose > 0) text += std::to_string(loose) + " points of triangles, ";
  return text + "and " + std::to_string(made.particles) + " particles inside";
}

std::string net_chosen(const Kinematics& made, const KinematicsSettings& settings) {
  double least = 1e300, most = 0;
  for (const FaceDetail& face : made.net.detail) {
    least = std::min(least, face.span);
    most = std::max(most, face.span);
  }
  if (settings.spans == 0) return "net: as in the file, spans of " + range(least, most);
  return "net: spans of " + range(least, most) + ", at most " + formatted("%g", settings.spans) +
         " thicknesses of the solid behind the face (\"spans\"), though not below " +
         metres(settings.spans * made.lengths.least);
}

std::string samples_chosen(const Kinematics& made, const KinematicsSettings& settings) {
  return "samples: " + range(made.closest, made.widest) + " apart, " +
         formatted("%g", settings.density) + " thicknesses (\"density\") between " +
         percent(least_length) + " and " + percent(settings.coarsest) + " of the longest side";
}

std::string inside_chosen(const Kinematics& made, int energy_points) {
  return "inside: " + std::to_string(made.voxels) + " voxels of " + metres(made.voxel) +
         " (\"voxels\"), up to eight to each of " + std::to_string(energy_points) +
         " energy points, half of that in thin walls";
}

/// Of the surface: faces whose spans are too long for the solid behind them.
double coarse_share(const Net& net) {
  double coarse = 0, all = 0;
  for (const FaceDetail& face : net.detail) {
    all += face.area;
    if (face.span > coarse_spans * face.thickness) coarse += face.area;
  }
  return all > 0 ? coarse / all : 0;
}

void warn_about_detail(const Kinematics& made, const KinematicsSettings& settings, Body& body) {
  const double coarse = coarse_share(made.net);
  if (made.thin_share > much)
    body.warnings.push_back(percent(made.thin_share) + " of its surface has walls thinner than " +
                            metres(made.thin_below) +
                            ", for which net and samples are too coarse: its stiffness may be off "
                            "by tens of percent");
  else if (coarse > much)
    body.warnings.push_back(
        "the net is too coarse on " + percent(coarse) + " of its surface, with spans longer than " +
        formatted("%g", coarse_spans) +
        " thicknesses of the solid behind them: it will be too stiff in bending; \"spans\": 1.5 "
        "refines it (" +
        formatted("%g", settings.spans) + " was asked for)");
}

}  // namespace

void report(const Kinematics& made, const KinematicsSettings& settings, int loose,
            int energy_points, Body& body) {
  body.stages = made.clock.stages;
  body.notes.push_back(counts(made, loose));
  if (!made.net.detail.empty()) {
    body.notes.push_back(net_chosen(made, settings));
    body.notes.push_back(samples_chosen(made, settings));
    body.notes.push_back(inside_chosen(made, energy_points));
  }
  body.notes.push_back(std::to_string(made.samples) + " samples, " + std::to_string(energy_points) +
                       " energy points, " + std::to_string(made.seams) +
                       " stitches; linear fields " + formatted("exact to %.1g", made.consistency));
  body.notes.insert(body.notes.end(), made.notes.begin(), made.notes.end());
  if (made.unfitted > 0)
    body.warnings.push_back(std::to_string(made.unfitted) +
                            " places have too few neighbours for a fit and were left out");
  warn_about_detail(made, settings, body);
  if (made.left_out > 0)
    body.warnings.push_back(
        "pieces of it are too small to have a stiffness of their own; more \"voxels\" resolve "
        "them");
  if (made.pieces > 1)
    body.warnings.push_back("it is in " + std::to_string(made.pieces) +
                            " pieces that do not hang together; each moves on its own");
}

}  // namespace pliant::nurbs
