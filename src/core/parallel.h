#pragma once

#include <span>

#include "core/function_ref.h"

namespace pliant {

/// How many threads parallel_for uses, the caller's included. 0 = as many as the machine has.
void set_threads(int count);
int threads();

/// Calls work(begin, end) over [0, count) in chunks of `grain`. Chunks depend only on `count` and
/// `grain`, never on the number of threads: work that writes only to its own indices gives the same
/// bits on 1 and on 32 threads. Calls from inside a chunk are shared with threads that have nothing
/// to do, if there are any; calls from inside those run on the spot.
void parallel_for(int count, int grain, FunctionRef<void(int, int)> work);

/// So much work, in chunks of `grain`.
struct WorkStage {
  int count = 0;
  int grain = 1;
};

/// parallel_for over each stage in turn, as work(stage, begin, end); a stage begins when the one
/// before is done. Threads stay together between stages, so that a stage costs a fraction of what
/// a parallel_for does, and each prefers the same part of every stage: what lies there stays near
/// it. When work throws, later chunks are left out.
void parallel_stages(std::span<const WorkStage> stages, FunctionRef<void(int, int, int)> work);

/// Sum of term(begin, end) over the same chunks, folded in index order.
double parallel_sum(int count, int grain, FunctionRef<double(int, int)> term);

/// Largest of term(begin, end) over the same chunks; `lowest` when there are none.
double parallel_max(int count, int grain, double lowest, FunctionRef<double(int, int)> term);

/// Whether any(begin, end) holds for one of the same chunks. All of them are asked.
bool parallel_any(int count, int grain, FunctionRef<bool(int, int)> any);
/// Whether is(i) holds for some i of them; each chunk looks up to its first.
template <class Is>
bool parallel_any_of(int count, int grain, const Is& is) {
  return parallel_any(count, grain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      if (is(i)) return true;
    return false;
  });
}

}  // namespace pliant
