#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/shared/instruction_set.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "methods/shared/instruction_set.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::HWY_NAMESPACE {
namespace {

int lanes_here() {
  return int(hwy::HWY_NAMESPACE::MaxLanes(hwy::HWY_NAMESPACE::ScalableTag<float>()));
}

}  // namespace
}  // namespace pliant::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <cstdlib>

namespace pliant {
namespace {

HWY_EXPORT(lanes_here);

struct Named {
  const char* name;
  std::int64_t target;
};
constexpr Named known[] = {
    {"avx512", HWY_AVX3}, {"avx2", HWY_AVX2}, {"sse4", HWY_SSE4}, {"scalar", HWY_STATIC_TARGET}};

void choose(const std::string& name) {
  hwy::SetSupportedTargetsForTest(0);
  for (const Named& n : known)
    if (name == n.name && (hwy::SupportedTargets() & n.target & HWY_TARGETS) != 0)
      hwy::SetSupportedTargetsForTest(n.target);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

std::string asked_for() {
  const char* name = std::getenv("PLIANT_SIMD");
  return name ? name : "";
}

/// Once, before anything is dispatched. An unknown or unsupported name is passed over.
void read_environment() {
  static const bool done = [] {
    choose(asked_for());
    return true;
  }();
  (void)done;
}

std::vector<std::string> supported() {
  std::vector<std::string> names;
  for (const Named& n : known)
    if ((hwy::SupportedTargets() & n.target & HWY_TARGETS) != 0) names.push_back(n.name);
  return names;
}

}  // namespace

std::vector<std::string> wide_instruction_sets() {
  read_environment();
  const std::string now = wide_instruction_set();
  choose("");
  const std::vector<std::string> names = supported();
  choose(now);
  return names;
}

std::string wide_instruction_set() {
  read_environment();
  const std::vector<std::string> names = supported();
  return names.empty() ? "other" : names.front();
}

void force_instruction_set(const std::string& name) {
  read_environment();
  choose(name.empty() ? asked_for() : name);
}

int wide_lanes() {
  read_environment();
  return HWY_DYNAMIC_DISPATCH(lanes_here)();
}

}  // namespace pliant
#endif
