#include "studies/study.h"

#include "studies/bullet_bench.h"
#include "studies/clusters_bench.h"
#include "studies/clusters_papers.h"
#include "studies/contact_bench.h"
#include "studies/cut_study.h"
#include "studies/groups_bench.h"
#include "studies/groups_papers.h"
#include "studies/meshless_bench.h"
#include "studies/meshless_papers.h"
#include "studies/nurbs_bench.h"
#include "studies/nurbs_paper_rows.h"
#include "studies/nurbs_papers.h"
#include "studies/picture_bench.h"
#include "studies/recovery_experiments.h"
#include "studies/stress_papers.h"
#include "studies/stretch_bench.h"
#include "studies/tets_bench.h"
#include "studies/tets_experiments.h"
#include "studies/tets_papers.h"
#include "studies/track_bench.h"

namespace pliant {
namespace {

template <class T>
void append(std::vector<T>& all, std::span<const T> more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

std::vector<Experiment> experiments() {
  std::vector<Experiment> all;
  append(all, tets_experiments());
  append(all, tets_paper_experiments());
  append(all, recovery_experiments());
  append(all, groups_experiments());
  append(all, cut_experiments());
  append(all, clusters_experiments());
  append(all, clusters_shows());
  append(all, meshless_experiments());
  append(all, meshless_structures());
  append(all, stress_experiments());
  append(all, nurbs_experiments());
  append(all, nurbs_paper_rows());
  append(all, nurbs_paper_motion());
  return all;
}

std::vector<Benchmark> benchmarks() {
  std::vector<Benchmark> all;
  append(all, tets_benchmarks());
  append(all, stretch_benchmarks());
  append(all, bullet_benchmarks());
  append(all, contact_benchmarks());
  append(all, groups_benchmarks());
  append(all, cut_benchmarks());
  append(all, meshless_benchmarks());
  append(all, nurbs_benchmarks());
  append(all, picture_benchmarks());
  append(all, film_benchmarks());
  append(all, track_benchmarks());
  append(all, clusters_benchmarks());
  return all;
}

bool BenchWish::wants(const std::string& row) const {
  for (const std::string& part : rows)
    if (row.find(part) != std::string::npos) return true;
  return rows.empty();
}

bool BenchWish::wants(const std::string& beginning,
                      std::initializer_list<const char*> endings) const {
  for (const char* ending : endings)
    if (wants(beginning + ending)) return true;
  return false;
}

bool is_wanted(const std::string& id, const std::vector<std::string>& wanted) {
  for (const std::string& beginning : wanted)
    if (id.rfind(beginning, 0) == 0) return true;
  return wanted.empty();
}

}  // namespace pliant
