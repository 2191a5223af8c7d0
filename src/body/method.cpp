#include "body/method.h"

#include "core/parallel.h"

namespace pliant {

void Method::respond(Nodes& nodes) const {
  parallel_for(nodes.size(), 1024, [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      nodes.position[i] = nodes.free[i] + nodes.mobility[i] * nodes.load[i];
  });
}

}  // namespace pliant
