#include "math/types.h"

namespace pliant {

Box bounds(const std::vector<Vec3>& points) {
  Box box;
  for (const Vec3& p : points) box.add(p);
  return box;
}

}  // namespace pliant
