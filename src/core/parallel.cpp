#include "core/parallel.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

// An own pool and not a library's: we need nothing but "these chunks, then a barrier", the sanitizers can
// see all of it, and a browser build needs no replacement.

namespace pliant {
namespace {

thread_local bool inside_chunk = false;

class Pool {
 public:
  explicit Pool(int workers) {
    for (int i = 0; i < workers; ++i) workers_.emplace_back([this] { serve(); });
  }

  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
      generation_.fetch_add(1);
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  int size() const { return int(workers_.size()) + 1; }

  void run(int count, int grain, FunctionRef<void(int, int)> work) {
    {
      const std::lock_guard lock(mutex_);
      work_ = &work;
      count_ = count;
      grain_ = grain;
      failure_ = nullptr;
      next_.store(0);
      busy_.store(int(workers_.size()));
      generation_.fetch_add(1);
    }
    wake_.notify_all();
    take_chunks();
    // The rest is at most one chunk per worker away: wait politely, other threads may need the core.
    while (busy_.load() > 0) std::this_thread::yield();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void serve() {
    unsigned seen = 0;
    while (true) {
      for (int spin = 0; spin < 200 && generation_.load() == seen; ++spin) std::this_thread::yield();
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return generation_.load() != seen; });
        seen = generation_.load();
        if (stopping_) return;
      }
      take_chunks();
      busy_.fetch_sub(1);
    }
  }

  void take_chunks() {
    inside_chunk = true;
    while (true) {
      const int begin = next_.fetch_add(1) * grain_;
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

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<unsigned> generation_ = 0;
  bool stopping_ = false;

  // The job at hand.
  const FunctionRef<void(int, int)>* work_ = nullptr;
  int count_ = 0;
  int grain_ = 1;
  std::atomic<int> next_ = 0;
  std::atomic<int> busy_ = 0;
  std::exception_ptr failure_;
};

int wanted_threads = 0;
std::unique_ptr<Pool> pool;
std::mutex pool_mutex;  // two worlds stepping in two threads take turns at the pool

int machine_threads() { return std::max(1, int(std::thread::hardware_concurrency())); }

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
  std::vector<double> terms(std::size_t((count + grain - 1) / grain));
  parallel_for(count, grain, [&](int begin, int end) { terms[begin / grain] = term(begin, end); });
  double sum = 0;
  for (const double t : terms) sum += t;
  return sum;
}

double parallel_max(int count, int grain, double lowest,
                    FunctionRef<double(int, int)> term) {
  std::vector<double> terms(std::size_t((count + grain - 1) / grain), lowest);
  parallel_for(count, grain, [&](int begin, int end) { terms[begin / grain] = term(begin, end); });
  double largest = lowest;
  for (const double t : terms) largest = std::max(largest, t);
  return largest;
}

}  // namespace pliant
