#pragma once

#include <string_view>

#include "body/method.h"
#include "core/function_ref.h"

namespace pliant {

// Reports of bodies made of elements that each have one deformation gradient.

/// One element as it is now.
struct ElementNow {
  Mat3 F;
  double volume = 0;  // [m^3] at rest
  double energy = 0;  // [J]
};

/// Sums over all elements, the same for any number of threads.
Measures measure_elements(int count, FunctionRef<ElementNow(int)> element);

/// Principal stretches, the largest first. The last is negative when the element is inverted, so
/// that their product is always J.
Vec3 principal_stretches(const Mat3& F);

/// What every body of elements can show: J, von_mises, stretch_1 .. stretch_3.
std::vector<std::string> element_field_names();
/// One of these, a value per element; false when there is no such field.
bool element_values(std::string_view name, int count, FunctionRef<Mat3(int)> F,
                    FunctionRef<double(int, const Mat3&)> von_mises, std::vector<double>& values);

/// Values of elements as values of nodes: the mean over a node's elements by weight.
/// `present_volume`: that of an element now; `nodes_of`: which nodes it has.
void spread_to_nodes(const std::vector<double>& of_elements,
                     FunctionRef<double(int)> present_volume,
                     FunctionRef<std::span<const int>(int)> nodes_of, int nodes,
                     std::vector<double>& values);

/// A cloud of the body's nodes, each with the mean over its elements. `stress`: Cauchy [Pa].
void bulk_of_elements(int count, FunctionRef<Mat3(int)> F,
                      FunctionRef<Mat3(int, const Mat3&)> stress,
                      FunctionRef<double(int)> plastic_strain, FunctionRef<double(int)> rest_volume,
                      FunctionRef<std::span<const int>(int)> nodes_of, const Nodes& nodes,
                      Bulk& bulk);

/// [m^3] what an element of this rest volume weighs in such means. The stress of one squeezed to
/// nothing is without bound, its share of the force is not.
double present_volume(double rest_volume, double J);

/// The warning that a guard softened elements ("tets", "groups") for substeps of length h; `worst`:
/// the largest factor.
std::string softened_line(int count, int of, const char* what, double worst, double h);

/// The warning that elements can flow no further without being made anew.
std::string flow_end_line(int count, int of, const char* what);

}  // namespace pliant
