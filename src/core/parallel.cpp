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
#include <utility>
#include <vector>

#include "core/assert.h"

// An own pool and not a library's: we need nothing but "these chunks, then a barrier", the
// sanitizers can see all of it, and a browser build needs no replacement.

namespace pliant {
namespace {

// What this thread is inside of: nothing, a chunk of the job that somebody has called for, or a
// chunk of a job that was called for in such a chunk.
enum class Inside { nothing, chunk, inner_chunk };
thread_local Inside inside = Inside::nothing;
thread_local int self = 0;  // number of this thread in the pool; 0: whoever calls

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

using Work = FunctionRef<void(int, int, int)>;

void do_chunk(const WorkStage& of, int stage, int chunk, const Work& work) {
  work(stage, chunk * of.grain, std::min((chunk + 1) * of.grain, of.count));
}

/// Stages of chunks that a thread has to do, and that others may join. Each thread has a share of
/// every stage's chunks, always the same part of the whole, and takes from others when it has
/// finished its own.
class Job {
 public:
  explicit Job(int members) : shares_(std::size_t(members)) {}
  int members() const { return int(shares_.size()); }
  int stages() const { return int(stages_.size()); }
  int chunks(int stage) const {
    return chunks_of(stages_[stage]) - (stage == 0 ? first_chunk_ : 0);
  }

  /// The door is shut. Who is still inside finds nothing to do, and leaves; then the job is ours.
  bool is_left() const { return guests_.load() == 0; }
  /// From a chunk of a stage on.
  void open(std::span<const WorkStage> stages, int stage, int chunk, const Work& work) {
    stages_.assign(stages.begin() + stage, stages.end());
    first_stage_ = stage;
    first_chunk_ = chunk;
    work_ = &work;
    failure_ = nullptr;
    failed_.store(false, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
    for (Share& share : shares_) share.taken.store(0, std::memory_order_relaxed);
    open_.store(true);
  }
  void shut() {
    open_.store(false);
    if (failure_) std::rethrow_exception(failure_);
  }

  bool looks_open() const { return open_.load(std::memory_order_relaxed); }
  /// Whoever is counted before the door is shut is waited for. So: count first, then look.
  bool enter() {
    guests_.fetch_add(1);
    return open_.load();
  }
  void leave() { guests_.fetch_sub(1); }

  /// So many chunks, of all stages.
  bool is_done(int chunks) const { return done_.load(std::memory_order_acquire) >= chunks; }

  /// What is left of somebody's share of a stage.
  void take_chunks(int stage, int owner) {
    const std::int64_t first = share_begin(stage, owner), end = share_begin(stage, owner + 1);
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

 private:
  std::int64_t share_begin(int stage, int owner) const {
    return (std::int64_t(chunks(stage)) * owner + members() - 1) / members();
  }

  void run_chunk(int stage, int chunk) {
    if (failed_.load(std::memory_order_relaxed)) return;
    try {
      if (stage == 0) chunk += first_chunk_;
      do_chunk(stages_[stage], first_stage_ + stage, chunk, *work_);
    } catch (...) {
      const std::lock_guard lock(failing_);
      if (!failure_) failure_ = std::current_exception();
      failed_.store(true, std::memory_order_relaxed);
    }
  }

  // Everything that threads write at the same time has a cache line of its own.
  struct alignas(64) Share {
    std::atomic<std::int64_t> taken = 0;  // stage + 1 in the upper half, next chunk in the lower
  };

  std::vector<Share> shares_;
  std::vector<WorkStage> stages_;
  int first_stage_ = 0, first_chunk_ = 0;  // what came before is done
  const Work* work_ = nullptr;
  std::mutex failing_;
  std::exception_ptr failure_;
  std::atomic<bool> failed_ = false;
  alignas(64) std::atomic<bool> open_ = false;  // may be joined
  alignas(64) std::atomic<int> done_ = 0;       // chunks, of all stages
  alignas(64) std::atomic<int> guests_ = 0;     // that may be looking at it
};

/// Workers join a job when they notice it; nobody waits for one that does not come. So a worker
/// that the system has put aside costs nothing, unless it is inside a chunk.
/// While one job is done, its chunks may call for inner ones, which are shared with those who have
/// nothing to do: so a single large chunk among small ones does not leave the others waiting.
class Pool {
 public:
  explicit Pool(int workers)
      : patience_(workers < machine_threads() ? 2000 : 0),
        consideration_(std::min(patience_, 4)),
        job_(workers + 1) {
    for (int i = 0; i <= workers; ++i) inner_.push_back(std::make_unique<Job>(workers + 1));
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

  int size() const { return job_.members(); }

  void run(std::span<const WorkStage> stages, const Work& work) {
    share(job_, stages, 0, 0, work, Inside::chunk);
  }

  /// From inside a chunk: on the spot, until somebody has nothing to do.
  void run_inner(std::span<const WorkStage> stages, const Work& work) {
    for (int s = 0; s < int(stages.size()); ++s) {
      const int chunks = chunks_of(stages[s]);
      for (int k = 0; k < chunks; ++k) {
        const bool is_last = k + 1 == chunks && s + 1 == int(stages.size());
        if (!is_last && idle_.load(std::memory_order_relaxed) > 0)
          return share(*inner_[self], stages, s, k, work, Inside::inner_chunk);
        do_chunk(stages[s], s, k, work);
      }
    }
  }

 private:
  void share(Job& job, std::span<const WorkStage> stages, int stage, int chunk, const Work& work,
             Inside as) {
    for (int spin = 0; !job.is_left(); ++spin) wait_a_little(spin);
    job.open(stages, stage, chunk, work);
    generation_.fetch_add(1);
    if (asleep_.load() > 0) {
      const std::lock_guard lock(mutex_);  // whoever is falling asleep has by now
      wake_.notify_all();
    }
    take_part(job, as, true);
    job.shut();
  }

  void serve(int number) {
    self = number;
    unsigned seen = 0;
    while (wait_for_work(seen)) {
      join(job_, Inside::chunk);
      join_inner();
    }
  }

  void join(Job& job, Inside as) {
    if (!job.looks_open()) return;
    if (job.enter()) take_part(job, as, false);
    job.leave();
  }
  void join_inner() {
    for (const std::unique_ptr<Job>& job : inner_) join(*job, Inside::inner_chunk);
  }

  /// Simulations hand out a job every few microseconds, and waking a sleeping thread takes fifty:
  /// watch for a while, first busily, then letting others go first. False: time to stop.
  bool wait_for_work(unsigned& seen) {
    const Idle idle(idle_);
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

  /// The stages from where they are now to the end; a guest need not see the end itself.
  void take_part(Job& job, Inside as, bool is_host) {
    const Inside before = std::exchange(inside, as);
    int total = 0;  // chunks up to the end of the stage
    for (int s = 0; s < job.stages(); ++s) {
      total += job.chunks(s);
      if (job.is_done(total)) continue;
      job.take_chunks(s, self);
      // Others are mostly as far; looking into their shares at once would only disturb them. Once
      // looked, there is nothing left to take.
      bool looked = false;
      for (int spin = 0; !looked && !job.is_done(total); ++spin) {
        looked = spin == consideration_;
        if (looked)
          for (int k = 1; k < size(); ++k) job.take_chunks(s, (self + k) % size());
        else wait_a_little(spin);
      }
      if (!is_host && s + 1 == job.stages()) break;
      if (!job.is_done(total)) wait_for_others(job, total, as);
    }
    inside = before;
  }

  /// Until they have done what they began; helps with what that calls for.
  void wait_for_others(const Job& job, int total, Inside as) {
    constexpr int soon = 64;  // looks: stages follow each other within a microsecond or two
    for (int spin = 0; spin < soon || as == Inside::inner_chunk; ++spin) {
      if (job.is_done(total)) return;
      wait_a_little(spin);
    }
    const Idle idle(idle_);
    unsigned seen = generation_.load() - 1;  // there may be something already
    for (int spin = soon; !job.is_done(total); ++spin) {
      if (has_news(seen)) join_inner();
      wait_a_little(spin);
    }
  }

  struct Idle {  // somebody is, while this is there
    std::atomic<int>& count;
    explicit Idle(std::atomic<int>& of) : count(of) { count.fetch_add(1); }
    ~Idle() { count.fetch_sub(1); }
    Idle(const Idle&) = delete;
    Idle& operator=(const Idle&) = delete;
  };

  const int patience_;       // busy looks before we let others go first; none when cores are scarce
  const int consideration_;  // looks before we take from others
  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<bool> stopping_ = false;
  std::atomic<int> asleep_ = 0;
  alignas(64) std::atomic<unsigned> generation_ = 0;  // of jobs
  alignas(64) std::atomic<int> idle_ = 0;             // threads that look for work
  Job job_;                                           // the one that was called for
  std::vector<std::unique_ptr<Job>> inner_;           // per thread: called for in one of its chunks
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
  if (!divisible || threads() == 1 || inside == Inside::inner_chunk) {
    for (int s = 0; s < int(stages.size()); ++s)
      for (int k = 0; k < chunks_of(stages[s]); ++k) do_chunk(stages[s], s, k, work);
    return;
  }
  if (inside == Inside::chunk) return pool->run_inner(stages, work);
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
