#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <doctest/doctest.h>
#include <limits>
#include <new>

#include "core/parallel.h"
#include "math/test_random.h"
#include "methods/shared/galerkin/galerkin_method.h"
#include "methods/shared/galerkin/hex_block.h"

// Every request for memory in this test program passes here and is counted.

namespace {
std::atomic<long> requests = 0;

void* counted(std::size_t size, std::size_t alignment) {
  ++requests;
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  if (void* memory = std::aligned_alloc(alignment, whole > 0 ? whole : alignment)) return memory;
  throw std::bad_alloc();
}
}  // namespace

void* operator new(std::size_t size) { return counted(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, std::size_t(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

using namespace pliant;
using namespace pliant::test;
using namespace pliant::galerkin;

namespace {

/// Requests for memory during five steps, after two that may make what lasts. The least of three
/// times five: a thread makes what lasts for it when it first gets work, which on a busy machine
/// may be late; what a step asks for each time is in all of them.
long requests_of_steps(Law::Kind kind, bool with_factor) {
  const HexBlock block = hex_block({8, 6, 6}, {0.8, 0.6, 0.6});
  Nodes nodes = Nodes::at(block.nodes);
  for (int n = 0; n < nodes.size(); ++n) {
    nodes.mass[n] = 0.5;
    nodes.held[n] = nodes.position[n].x() < 1e-9;
    nodes.target[n] = nodes.position[n];
    nodes.velocity[n] = 0.2 * random_vector(1, n);
  }
  const std::vector<double> rates(block.nodes.size(), 1);
  GalerkinMethod method(Elastic(block.points, {Law::from(kind, 1e5, 0.4)}, nodes.size()),
                        block.nodes, InnerDamping(rates, std::vector<int>(block.nodes.size(), 0)),
                        {.solver = Solver::iterative, .newton = 2, .stiffness_damping = 1e-4}, 10,
                        1);
  method.system().set_factor_from(with_factor ? 0 : 1e300);
  const double h = 0.01;
  long before = 0, least = std::numeric_limits<long>::max();
  for (int i = 0; i < 17; ++i) {
    if (i > 2 && i % 5 == 2) least = std::min(least, requests - before);
    if (i % 5 == 2) before = requests;
    const Substep substep{h, h * i};
    method.advance(nodes, substep);
    nodes.free = nodes.position;
    for (int n = 0; n < nodes.size(); ++n) nodes.load[n] = 1e-4 * random_vector(2 + i, n);
    method.respond(nodes);
    method.finish(nodes, substep);
  }
  if (!method.implicit_step()) CHECK(method.system().has_factor() == with_factor);
  return std::min(least, requests - before);
}

}  // namespace

TEST_CASE("a step asks for no memory, whatever the law, the preconditioner and the threads") {
  const long before = requests;
  const std::vector<int> something(10);
  CHECK(requests > before);  // they are counted
  for (const int threads : {1, 3}) {
    set_threads(threads);
    for (const Law::Kind kind :
         {Law::Kind::corotated, Law::Kind::neo_hookean, Law::Kind::log_neo_hookean})
      for (const bool with_factor : {false, true}) CHECK(requests_of_steps(kind, with_factor) == 0);
  }
  set_threads(0);
}
