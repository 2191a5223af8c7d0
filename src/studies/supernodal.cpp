#include "studies/supernodal.h"

#ifndef PLIANT_WITH_CHOLMOD

namespace pliant {
std::optional<SupernodalTimes> time_supernodal(const galerkin::Elastic&, const std::vector<char>&,
                                               int) {
  return {};
}
}  // namespace pliant

#else

#include <cholmod.h>

#include "studies/stopwatch.h"

extern "C" {  // <cblas.h> of OpenBLAS lies elsewhere on every system
void openblas_set_num_threads(int threads);
char* openblas_get_corename(void);
}

namespace pliant {
namespace {

/// The lower triangle of the stiffness of the free nodes.
cholmod_sparse* free_stiffness(const galerkin::Elastic& elastic, const std::vector<char>& held,
                               cholmod_common& common) {
  const int nodes = elastic.nodes();
  const galerkin::Graph graph(elastic.points(), elastic.incidence(), nodes);
  std::vector<int> number(std::size_t(nodes), -1);
  int free = 0;
  for (int n = 0; n < nodes; ++n)
    if (!held[n]) number[n] = free++;
  std::vector<Mat3> block(graph.neighbour.size(), Mat3::Zero());
  std::vector<int> slot(std::size_t(nodes), 0);
  std::size_t blocks = 0;
  for (int a = 0; a < nodes; ++a) {
    for (int k = graph.start[a]; k < graph.start[a + 1]; ++k) slot[graph.neighbour[k]] = k;
    elastic.add_upper_row(a, slot.data(), block.data());
    blocks += std::size_t(graph.start[a + 1] - graph.start[a]);
  }
  cholmod_triplet* entries = cholmod_allocate_triplet(std::size_t(3 * free), std::size_t(3 * free),
                                                      9 * blocks, -1, CHOLMOD_REAL, &common);
  const auto row = static_cast<int*>(entries->i), column = static_cast<int*>(entries->j);
  const auto value = static_cast<double*>(entries->x);
  std::size_t& count = entries->nnz;
  for (int a = 0; a < nodes; ++a)
    for (int k = graph.start[a]; k < graph.start[a + 1]; ++k) {
      const int b = graph.neighbour[k];
      if (b < a || held[a] || held[b]) continue;
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
          const int i = 3 * number[b] + r, j = 3 * number[a] + c;
          if (i < j) continue;
          row[count] = i;
          column[count] = j;
          value[count++] = block[k](c, r);
        }
    }
  cholmod_sparse* matrix = cholmod_triplet_to_sparse(entries, 0, &common);
  cholmod_free_triplet(&entries, &common);
  return matrix;
}

}  // namespace

std::optional<SupernodalTimes> time_supernodal(const galerkin::Elastic& elastic,
                                               const std::vector<char>& held, int threads) {
  cholmod_common common;
  cholmod_start(&common);
  common.supernodal = CHOLMOD_SUPERNODAL;
  openblas_set_num_threads(threads);
  cholmod_sparse* matrix = free_stiffness(elastic, held, common);
  cholmod_factor* factor = nullptr;
  cholmod_dense* right = cholmod_ones(matrix->nrow, 1, CHOLMOD_REAL, &common);
  cholmod_dense* answer = nullptr;
  SupernodalTimes times;
  times.analyse = milliseconds_of([&] { factor = cholmod_analyze(matrix, &common); });
  times.factorise = milliseconds_of([&] { cholmod_factorize(matrix, factor, &common); });
  times.solve = milliseconds_of([&] { answer = cholmod_solve(CHOLMOD_A, factor, right, &common); });
  times.numbers = common.lnz;
  times.kernels = openblas_get_corename();
  cholmod_free_dense(&answer, &common);
  cholmod_free_dense(&right, &common);
  cholmod_free_factor(&factor, &common);
  cholmod_free_sparse(&matrix, &common);
  cholmod_finish(&common);
  return times;
}

}  // namespace pliant

#endif
