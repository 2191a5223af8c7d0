#include "core/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "core/assert.h"

// An own pool and not a library's: we need nothing but "these chunks, then a barrier", the
// sanitizers can see all of it, and a browser build needs no replacement.

namespace pliant {
namespace {

thread_local bool inside_chunk = false;

int machine_threads() {
  // Asked once: each time, the system opens a file to find out.
  static const int count = std::max(1, int(std::thread::hardware_concurrency()));
  return count;
}

/// Tells the core that this is a waiting loop: its other half runs faster, and we leave it sooner.
void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

int chunks_of(const WorkStage& stage) { return (stage.count + stage.grain - 1) / stage.grain; }

/// Workers join a job when they notice it; nobody waits for one that does not come. So a worker
/// that the system has put aside costs nothing, unless it is inside a chunk.
/// Each thread has a share of every stage's chunks, always the same part of the whole, and takes
/// from others when it has finished its own.
class Pool {
 public:
  explicit Pool(int workers)
      : patience_(workers < machine_threads() ? 2000 : 0),
        consideration_(std::min(patience_, 4)),
        shares_(std::size_t(workers) + 1) {
    for (int i = 1; i <= workers; ++i) workers_.emplace_back([this, i] { serve(i); });
  }

  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      stopping_.store(true);
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  int size() const { return int(shares_.size()); }

  void run(std::span<const WorkStage> stages, FunctionRef<void(int, int, int)> work) {
    // The door is shut. Who is still inside finds nothing to do, and leaves; then the job is ours.
    for (int spin = 0; inside_.load() > 0; ++spin) wait_a_little(spin);
    stages_.assign(stages.begin(), stages.end());
    work_ = &work;
    failure_ = nullptr;
    failed_.store(false, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
    for (Share& share : shares_) share.taken.store(0, std::memory_order_relaxed);
    open_.store(true);
    generation_.fetch_add(1);
    if (asleep_.load() > 0) {
      const std::lock_guard lock(mutex_);  // whoever is falling asleep has by now
      wake_.notify_all();
    }
    take_part(0);
    open_.store(false);
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void serve(int self) {
    unsigned seen = 0;
    while (wait_for_work(seen)) {
      // Whoever is counted before the door is shut is waited for. So: count first, then look.
      inside_.fetch_add(1);
      if (open_.load()) take_part(self);
      inside_.fetch_sub(1);
    }
  }

  /// Simulations hand out a job every few microseconds, and waking a sleeping thread takes fifty:
  /// watch for a while, first busily, then letting others go first. False: time to stop.
  bool wait_for_work(unsigned& seen) {
    for (int spin = 0; spin < patience_ + 50; ++spin) {
      if (stopping_.load(std::memory_order_relaxed)) return false;
      if (has_news(seen)) return true;
      wait_a_little(spin);
    }
    std::unique_lock lock(mutex_);
    asleep_.fetch_add(1);
    wake_.wait(lock, [&] { return stopping_.load() || generation_.load() != seen; });
    asleep_.fetch_sub(1);
    return !stopping_.load() && has_news(seen);
  }

  void wait_a_little(int spin) const {
    if (spin < patience_) pause();
    else std::this_thread::yield();
  }

  bool has_news(unsigned& seen) {
    const unsigned now = generation_.load();
    if (now == seen) return false;
    seen = now;
    return true;
  }

  /// The stages from where they are now to the end; a worker need not see the end itself.
  void take_part(int self) {
    inside_chunk = true;
    int total = 0;  // chunks up to the end of the stage
    for (int s = 0; s < int(stages_.size()); ++s) {
      const int chunks = chunks_of(stages_[s]);
      total += chunks;
      if (is_done(total)) continue;
      take_chunks(s, chunks, self);
      // Others are mostly as far; looking into their shares at once would only disturb them. Once
      // looked, there is nothing left to take.
      for (int spin = 0; !is_done(total); ++spin) {
        if (spin == consideration_) {
          for (int k = 1; k < size(); ++k) take_chunks(s, chunks, (self + k) % size());
          if (self > 0 && s + 1 == int(stages_.size())) break;
        }
        wait_a_little(spin);
      }
    }
    inside_chunk = false;
  }

  bool is_done(int chunks) const { return done_.load(std::memory_order_acquire) >= chunks; }

  /// What is left of somebody's share of a stage.
  void take_chunks(int stage, int chunks, int owner) {
    const std::int64_t first = share_begin(chunks, owner), end = share_begin(chunks, owner + 1);
    const std::int64_t mark = std::int64_t(stage + 1) << 32;
    std::atomic<std::int64_t>& taken = shares_[owner].taken;
    int count = 0;
    std::int64_t seen = taken.load(std::memory_order_relaxed);
    while (true) {
      const std::int64_t next = std::max(seen, mark + first);  // nobody has begun this stage yet
      if (next >= mark + end) break;
      if (!taken.compare_exchange_weak(seen, next + 1, std::memory_order_relaxed)) continue;
      seen = next + 1;
      run_chunk(stage, int(next - mark));
      ++count;
    }
    if (count > 0) done_.fetch_add(count, std::memory_order_acq_rel);
  }

  std::int64_t share_begin(int chunks, int owner) const {
    return (std::int64_t(chunks) * owner + size() - 1) / size();
  }

  void run_chunk(int stage, int chunk) {
    if (failed_.load(std::memory_order_relaxed)) return;
    const WorkStage& s = stages_[stage];
    try {
      (*work_)(stage, chunk * s.grain, std::min((chunk + 1) * s.grain, s.count));
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      failed_.store(true, std::memory_order_relaxed);
    }
  }

  // Everything that threads write at the same time has a cache line of its own.
  struct alignas(64) Share {
    std::atomic<std::int64_t> taken = 0;  // stage + 1 in the upper half, next chunk in the lower
  };

  const int patience_;       // busy looks before we let others go first; none when cores are scarce
  const int consideration_;  // looks before we take from others
  std::vector<Share> shares_;
  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<bool> stopping_ = false;
  std::atomic<int> asleep_ = 0;

  // The job at hand.
  std::vector<WorkStage> stages_;
  const FunctionRef<void(int, int, int)>* work_ = nullptr;
  std::exception_ptr failure_;
  std::atomic<bool> failed_ = false;
  alignas(64) std::atomic<unsigned> generation_ = 0;  // of jobs
  std::atomic<bool> open_ = false;                    // may be joined
  alignas(64) std::atomic<int> done_ = 0;             // chunks, of all stages
  alignas(64) std::atomic<int> inside_ = 0;           // workers that may be looking at the job
};

int wanted_threads = 0;
std::unique_ptr<Pool> pool;
std::mutex pool_mutex;  // two worlds stepping in two threads take turns at the pool

}  // namespace

void set_threads(int count) {
  const std::lock_guard lock(pool_mutex);
  wanted_threads = count;
  pool.reset();
}

int threads() { return wanted_threads > 0 ? wanted_threads : machine_threads(); }

void parallel_for(int count, int grain, FunctionRef<void(int, int)> work) {
  const WorkStage stage{count, grain};
  parallel_stages({&stage, 1}, [&](int, int begin, int end) { work(begin, end); });
}

void parallel_stages(std::span<const WorkStage> stages, FunctionRef<void(int, int, int)> work) {
  bool divisible = false;
  for (const WorkStage& stage : stages) {
    ASSERT(stage.grain > 0, "chunks of at least one");
    divisible = divisible || stage.count > stage.grain;
  }
  if (!divisible || inside_chunk || threads() == 1) {
    for (int s = 0; s < int(stages.size()); ++s)
      for (int begin = 0; begin < stages[s].count; begin += stages[s].grain)
        work(s, begin, std::min(begin + stages[s].grain, stages[s].count));
    return;
  }
  const std::lock_guard lock(pool_mutex);
  if (!pool || pool->size() != threads()) pool = std::make_unique<Pool>(threads() - 1);
  pool->run(stages, work);
}

double parallel_sum(int count, int grain, FunctionRef<double(int, int)> term) {
  // Chunks, and so the sum, are what they are; only very many need memory from the heap.
  std::array<double, 1024> few;
  std::vector<double> many;
  const int chunks = (count + grain - 1) / grain;
  double* terms = few.data();
  if (chunks > int(few.size())) {
    many.resize(std::size_t(chunks));
    terms = many.data();
  }
  parallel_for(count, grain, [&](int begin, int end) { terms[begin / grain] = term(begin, end); });
  double sum = 0;
  for (int k = 0; k < chunks; ++k) sum += terms[k];
  return sum;
}

double parallel_max(int count, int grain, double lowest, FunctionRef<double(int, int)> term) {
  // Larger chunks for many terms, so that the largest of each need no memory from the heap.
  constexpr int most = 64;
  std::array<double, most> terms;
  const int wide = std::max(grain, (count + most - 1) / most);
  parallel_for(count, wide, [&](int begin, int end) { terms[begin / wide] = term(begin, end); });
  double largest = lowest;
  for (int k = 0; k * wide < count; ++k) largest = std::max(largest, terms[k]);
  return largest;
}

bool parallel_any(int count, int grain, FunctionRef<bool(int, int)> any) {
  std::atomic<bool> found = false;
  parallel_for(count, grain, [&](int begin, int end) {
    if (any(begin, end)) found.store(true, std::memory_order_relaxed);
  });
  return found.load();
}

}  // namespace pliant
