#include "core/parallel.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

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

/// Workers join a job when they notice it; nobody waits for one that does not come. So a worker
/// that the system has put aside costs nothing, unless it is inside a chunk.
class Pool {
 public:
  explicit Pool(int workers) : patience_(workers < machine_threads() ? 2000 : 0) {
    for (int i = 0; i < workers; ++i) workers_.emplace_back([this] { serve(); });
  }

  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      stopping_.store(true);
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  int size() const { return int(workers_.size()) + 1; }

  void run(int count, int grain, FunctionRef<void(int, int)> work) {
    // The door is shut and nobody is inside: these are ours.
    work_ = &work;
    count_ = count;
    grain_ = grain;
    failure_ = nullptr;
    next_.store(0, std::memory_order_relaxed);
    open_.store(true);
    generation_.fetch_add(1);
    if (asleep_.load() > 0) {
      const std::lock_guard lock(mutex_);  // whoever is falling asleep has by now
      wake_.notify_all();
    }
    take_chunks();
    open_.store(false);
    // The rest is at most one chunk per worker away.
    for (int spin = 0; inside_.load() > 0; ++spin) {
      if (spin < patience_) pause();
      else std::this_thread::yield();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void serve() {
    unsigned seen = 0;
    while (wait_for_work(seen)) {
      // Whoever is counted before the door is shut is waited for. So: count first, then look.
      inside_.fetch_add(1);
      if (open_.load()) take_chunks();
      inside_.fetch_sub(1);
    }
  }

  /// Simulations hand out a job every few microseconds, and waking a sleeping thread takes fifty:
  /// watch for a while, first busily, then letting others go first. False: time to stop.
  bool wait_for_work(unsigned& seen) {
    for (int spin = 0; spin < patience_ + 50; ++spin) {
      if (stopping_.load(std::memory_order_relaxed)) return false;
      if (has_news(seen)) return true;
      if (spin < patience_) pause();
      else std::this_thread::yield();
    }
    std::unique_lock lock(mutex_);
    asleep_.fetch_add(1);
    wake_.wait(lock, [&] { return stopping_.load() || generation_.load() != seen; });
    asleep_.fetch_sub(1);
    return !stopping_.load() && has_news(seen);
  }

  bool has_news(unsigned& seen) {
    const unsigned now = generation_.load();
    if (now == seen) return false;
    seen = now;
    return true;
  }

  void take_chunks() {
    inside_chunk = true;
    while (true) {
      const int begin = next_.fetch_add(1, std::memory_order_relaxed) * grain_;
      if (begin >= count_) break;
      try {
        (*work_)(begin, std::min(begin + grain_, count_));
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
      }
    }
    inside_chunk = false;
  }

  const int patience_;  // busy looks before we let others go first; none when cores are scarce
  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<bool> stopping_ = false;
  std::atomic<int> asleep_ = 0;
  std::exception_ptr failure_;

  // The job at hand. Everything that threads write at the same time has a cache line of its own.
  const FunctionRef<void(int, int)>* work_ = nullptr;
  int count_ = 0;
  int grain_ = 1;
  alignas(64) std::atomic<unsigned> generation_ = 0;  // of jobs
  std::atomic<bool> open_ = false;                    // may be joined
  alignas(64) std::atomic<int> next_ = 0;             // chunk
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
  if (count <= 0) return;
  if (inside_chunk || count <= grain || threads() == 1) {
    for (int begin = 0; begin < count; begin += grain) work(begin, std::min(begin + grain, count));
    return;
  }
  const std::lock_guard lock(pool_mutex);
  if (!pool || pool->size() != threads()) pool = std::make_unique<Pool>(threads() - 1);
  pool->run(count, grain, work);
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

}  // namespace pliant
