#pragma once

namespace pliant::galerkin {

/// Dense matrices in floats as panels of 16 rows: entry (r, c) of a panel stands at 16 c + r. So
/// columns of a panel are one or two wide loads, and a run of 16 columns is a tile of 256 floats.
/// Instructions are chosen at run time.
constexpr int panel_rows = 16;
constexpr int tile_size = panel_rows * panel_rows;

/// tile -= a b^T for two panels of `columns` columns.
void subtract_product(const float* a, const float* b, int columns, float* tile);

/// tile = tile t^T for a lower triangular tile t.
void multiply_transposed(const float* t, float* tile);

/// sum[16 i + r] = panel x_i for `sides` right-hand sides x_i, one or three, whose columns stand at
/// x[stride i + c]. An even number of columns.
void multiply_panel(const float* panel, int columns, const float* x, int stride, int sides,
                    float* sum);

/// sum[16 i + c] = sum over `count` tiles, `apart` floats from each other, of tile^T x_i, where x_i
/// goes on by 16 rows per tile. One or three `sides`.
void multiply_tiles_transposed(const float* tiles, int count, long apart, const float* x,
                               int stride, int sides, float* sum);

}  // namespace pliant::galerkin
