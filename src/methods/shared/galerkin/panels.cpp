// Compiles itself once per instruction set (Highway's foreach_target); the choice is made at run
// time.

#include "core/wide_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "methods/shared/galerkin/panels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "methods/shared/galerkin/panels.h"

HWY_BEFORE_NAMESPACE();
namespace pliant::galerkin::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Wide = hn::CappedTag<float, panel_rows>;
using V = hn::Vec<Wide>;
constexpr int lanes = int(hn::MaxLanes(Wide()));
constexpr int vectors = panel_rows / lanes;            // per column of a panel
constexpr int group = vectors >= 4 ? 2 : 8 / vectors;  // columns at a time: eight sums in registers

}  // namespace

void subtract_product_wide(const float* HWY_RESTRICT a, const float* HWY_RESTRICT b, int columns,
                           float* HWY_RESTRICT tile) {
  const Wide d;
  for (int j = 0; j < panel_rows; j += group) {
    V sum[group][vectors];
    for (int g = 0; g < group; ++g)
      for (int v = 0; v < vectors; ++v) sum[g][v] = hn::Zero(d);
    for (int c = 0; c < columns; ++c) {
      V column[vectors];
      for (int v = 0; v < vectors; ++v) column[v] = hn::Load(d, a + panel_rows * c + lanes * v);
      for (int g = 0; g < group; ++g) {
        const V factor = hn::Set(d, b[panel_rows * c + j + g]);
        for (int v = 0; v < vectors; ++v) sum[g][v] = hn::MulAdd(column[v], factor, sum[g][v]);
      }
    }
    for (int g = 0; g < group; ++g)
      for (int v = 0; v < vectors; ++v) {
        float* place = tile + panel_rows * (j + g) + lanes * v;
        hn::Store(hn::Sub(hn::Load(d, place), sum[g][v]), d, place);
      }
  }
}

void multiply_transposed_wide(const float* HWY_RESTRICT t, float* HWY_RESTRICT tile) {
  const Wide d;
  // From the last column on: column j needs those before it as they were.
  for (int j = panel_rows - 1; j >= 0; --j)
    for (int v = 0; v < vectors; ++v) {
      V sum = hn::Zero(d);
      for (int k = 0; k <= j; ++k)
        sum = hn::MulAdd(hn::Load(d, tile + panel_rows * k + lanes * v),
                         hn::Set(d, t[panel_rows * k + j]), sum);
      hn::Store(sum, d, tile + panel_rows * j + lanes * v);
    }
}

template <int sides>
HWY_INLINE void multiply_panel_for(const float* HWY_RESTRICT panel, int columns,
                                   const float* HWY_RESTRICT x, int stride,
                                   float* HWY_RESTRICT sum) {
  const Wide d;
  V total[2][sides][vectors];  // of even and odd columns: more sums at a time
  for (int odd = 0; odd < 2; ++odd)
    for (int i = 0; i < sides; ++i)
      for (int v = 0; v < vectors; ++v) total[odd][i][v] = hn::Zero(d);
  for (int c = 0; c < columns; c += 2)
    for (int odd = 0; odd < 2; ++odd) {
      V column[vectors];
      for (int v = 0; v < vectors; ++v)
        column[v] = hn::Load(d, panel + panel_rows * (c + odd) + lanes * v);
      for (int i = 0; i < sides; ++i) {
        const V factor = hn::Set(d, x[stride * i + c + odd]);
        for (int v = 0; v < vectors; ++v)
          total[odd][i][v] = hn::MulAdd(column[v], factor, total[odd][i][v]);
      }
    }
  for (int i = 0; i < sides; ++i)
    for (int v = 0; v < vectors; ++v)
      hn::Store(hn::Add(total[0][i][v], total[1][i][v]), d, sum + panel_rows * i + lanes * v);
}

template <int sides>
HWY_INLINE void multiply_tiles_transposed_for(const float* tiles, int count, long apart,
                                              const float* HWY_RESTRICT x, int stride,
                                              float* HWY_RESTRICT sum) {
  const Wide d;
  constexpr int columns = 4;
  for (int c = 0; c < panel_rows; c += columns) {
    V total[columns][sides];
    for (int k = 0; k < columns; ++k)
      for (int i = 0; i < sides; ++i) total[k][i] = hn::Zero(d);
    for (int t = 0; t < count; ++t) {
      const float* tile = tiles + apart * t + panel_rows * c;
      // Tiles lie far apart, so the machine does not guess the next one.
      if (c == 0 && t + 3 < count)
        for (int line = 0; line < panel_rows; ++line)
          hwy::Prefetch(tile + 3 * apart + panel_rows * line);
      for (int v = 0; v < vectors; ++v) {
        V right[sides];
        for (int i = 0; i < sides; ++i)
          right[i] = hn::Load(d, x + stride * i + panel_rows * t + lanes * v);
        for (int k = 0; k < columns; ++k) {
          const V column = hn::Load(d, tile + panel_rows * k + lanes * v);
          for (int i = 0; i < sides; ++i) total[k][i] = hn::MulAdd(column, right[i], total[k][i]);
        }
      }
    }
    for (int k = 0; k < columns; ++k)
      for (int i = 0; i < sides; ++i)
        sum[panel_rows * i + c + k] = hn::GetLane(hn::SumOfLanes(d, total[k][i]));
  }
}

void multiply_panel_wide(const float* panel, int columns, const float* x, int stride, int sides,
                         float* sum) {
  if (sides == 1) multiply_panel_for<1>(panel, columns, x, stride, sum);
  else multiply_panel_for<3>(panel, columns, x, stride, sum);
}

void multiply_tiles_transposed_wide(const float* tiles, int count, long apart, const float* x,
                                    int stride, int sides, float* sum) {
  if (sides == 1) multiply_tiles_transposed_for<1>(tiles, count, apart, x, stride, sum);
  else multiply_tiles_transposed_for<3>(tiles, count, apart, x, stride, sum);
}

}  // namespace pliant::galerkin::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pliant::galerkin {
namespace {

HWY_EXPORT(subtract_product_wide);
HWY_EXPORT(multiply_transposed_wide);
HWY_EXPORT(multiply_panel_wide);
HWY_EXPORT(multiply_tiles_transposed_wide);

}  // namespace

void subtract_product(const float* a, const float* b, int columns, float* tile) {
  HWY_DYNAMIC_DISPATCH(subtract_product_wide)(a, b, columns, tile);
}

void multiply_transposed(const float* t, float* tile) {
  HWY_DYNAMIC_DISPATCH(multiply_transposed_wide)(t, tile);
}

void multiply_panel(const float* panel, int columns, const float* x, int stride, int sides,
                    float* sum) {
  HWY_DYNAMIC_DISPATCH(multiply_panel_wide)(panel, columns, x, stride, sides, sum);
}

void multiply_tiles_transposed(const float* tiles, int count, long apart, const float* x,
                               int stride, int sides, float* sum) {
  HWY_DYNAMIC_DISPATCH(multiply_tiles_transposed_wide)(tiles, count, apart, x, stride, sides, sum);
}

}  // namespace pliant::galerkin
#endif
