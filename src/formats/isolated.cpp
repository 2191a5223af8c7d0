#include "formats/isolated.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <new>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "core/archive.h"
#include "core/errors.h"

namespace pliant {
namespace {

// On a machine with much to do, and for files that come slowly.
constexpr int clock_per_processor_time = 10;

enum class Kind : unsigned char { result = 1, input_error = 2, out_of_memory = 3 };

void archive(Archive& archive, std::vector<Problem>& problems) {
  std::uint64_t count = problems.size();
  archive.value("problems", count);
  problems.resize(std::size_t(count));
  for (Problem& problem : problems) {
    archive.text("file", problem.file);
    archive.text("where", problem.where);
    archive.text("what", problem.what);
    archive.text("hint", problem.hint);
  }
}

/// [bytes] of address space in use; 0 where nobody tells.
std::size_t memory_in_use() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * std::size_t(::sysconf(_SC_PAGESIZE));
}

void limit(int resource, rlim_t soft, rlim_t hard) {
  struct rlimit now {};
  if (::getrlimit(resource, &now) != 0) return;
  now.rlim_cur = std::min(soft, now.rlim_max);
  now.rlim_max = std::min(hard, now.rlim_max);
  ::setrlimit(resource, &now);
}

/// In the copy: what it says is for nobody, and it ends with us.
void confine(const ProcessLimits& limits) {
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int stream : {0, 1, 2}) ::dup2(nowhere, stream);
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::signal(signal, SIG_DFL);
  limit(RLIMIT_CORE, 0, 0);
  limit(RLIMIT_CPU, rlim_t(limits.seconds), rlim_t(limits.seconds) + 1);
  if (const std::size_t used = memory_in_use(); used > 0)
    limit(RLIMIT_AS, used + limits.memory, used + limits.memory);
}

void send(int to, const void* data, std::size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t sent = ::write(to, at, bytes);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) ::_exit(1);
    at += sent, bytes -= std::size_t(sent);
  }
}

[[noreturn]] void do_and_send(int to, const std::function<std::vector<std::byte>()>& work) {
  Kind kind = Kind::result;
  std::vector<std::byte> bytes;
  try {
    bytes = work();
  } catch (const InputError& error) {
    kind = Kind::input_error;
    std::vector<Problem> problems = error.problems();
    Archive saved = Archive::saving();
    archive(saved, problems);
    bytes = saved.take_bytes();
  } catch (const std::bad_alloc&) {
    kind = Kind::out_of_memory;
  } catch (...) {
    ::_exit(1);
  }
  send(to, &kind, sizeof kind);
  send(to, bytes.data(), bytes.size());
  ::_exit(0);  // not exit(): files and memory are the original's to look after
}

/// All that comes until the end; false when that takes too long.
bool receive(int from, double seconds, std::size_t most, std::vector<std::byte>& bytes) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::duration<double>(seconds);
  std::byte buffer[1 << 16];
  while (bytes.size() <= most) {
    const std::chrono::duration<double, std::milli> left = until - Clock::now();
    if (left.count() <= 0) return false;
    pollfd waiting{from, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, int(std::min(left.count(), 1e6)) + 1);
    if (ready <= 0) continue;  // interrupted, or nothing yet
    const ssize_t got = ::read(from, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    bytes.insert(bytes.end(), buffer, buffer + got);
  }
  return false;
}

Isolated outcome(std::vector<std::byte> bytes, bool is_whole, int status) {
  using End = Isolated::End;
  const bool is_done = is_whole && WIFEXITED(status) && WEXITSTATUS(status) == 0 && !bytes.empty();
  if (!is_done) {
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return {!is_whole || signal == SIGXCPU || signal == SIGKILL ? End::out_of_time : End::crashed,
            {}};
  }
  const Kind kind = Kind(bytes[0]);
  bytes.erase(bytes.begin());
  if (kind == Kind::result) return {End::done, std::move(bytes)};
  if (kind != Kind::input_error) return {End::out_of_memory, {}};
  std::vector<Problem> problems;
  Archive saved = Archive::loading(bytes);
  archive(saved, problems);
  throw InputError(std::move(problems));
}

}  // namespace

Isolated isolated(const ProcessLimits& limits,
                  const std::function<std::vector<std::byte>()>& work) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw IoError::from_errno("cannot make a pipe");
  const pid_t copy = ::fork();
  if (copy < 0) {
    const IoError error = IoError::from_errno("cannot start another process");
    ::close(ends[0]), ::close(ends[1]);
    throw error;
  }
  if (copy == 0) {
    ::close(ends[0]);
    confine(limits);
    do_and_send(ends[1], work);
  }
  ::close(ends[1]);
  std::vector<std::byte> bytes;
  const double longest = double(clock_per_processor_time) * limits.seconds;
  const bool is_whole = receive(ends[0], longest, limits.memory, bytes);
  ::close(ends[0]);
  if (!is_whole) ::kill(copy, SIGKILL);
  int status = 0;
  while (::waitpid(copy, &status, 0) < 0 && errno == EINTR) {
  }
  return outcome(std::move(bytes), is_whole, status);
}

}  // namespace pliant
