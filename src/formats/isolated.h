#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace pliant {

/// What work in a process of its own may use.
struct ProcessLimits {
  int seconds = 60;                           // of processor time; ten times that by the clock
  std::size_t memory = std::size_t(4) << 30;  // [bytes] besides what we have
};

/// How it ended.
struct Isolated {
  enum class End { done, crashed, out_of_time, out_of_memory };
  End end = End::crashed;
  std::vector<std::byte> result;  // of work that was done
};

/// Does work in other people's code that may crash, never end or ask for all memory, as theirs may
/// when a file is damaged: in a copy of this process, which is gone afterwards. InputErrors of the
/// work are thrown here; of all else that it does only its result is left. It must not use threads
/// (core/parallel.h), since the copy has none of them. Throws IoError when the system has no room
/// for another process.
Isolated isolated(const ProcessLimits& limits, const std::function<std::vector<std::byte>()>& work);

}  // namespace pliant
