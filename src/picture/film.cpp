#include "picture/film.h"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "core/assert.h"
#include "core/errors.h"

extern char** environ;

namespace pliant {

// The running program: a socket to its standard input, a nameless file behind its standard error.
// A socket and not a pipe, because send() can be told not to raise SIGPIPE; a file and not a second
// pipe, because it can never fill up and stall both sides.
struct FilmWriter::Encoder {
  pid_t process = -1;
  int input = -1;
  std::FILE* messages = nullptr;

  ~Encoder() {
    close_input();
    if (process > 0) end();
    if (messages) std::fclose(messages);
  }

  void close_input() {
    if (input >= 0) ::close(input);
    input = -1;
  }

  // Exit status, -1 when a signal ended it; nothing when it still runs after so many seconds.
  std::optional<int> wait(double seconds) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    int status = 0;
    for (pid_t found = 0; (found = ::waitpid(process, &status, WNOHANG)) <= 0;) {
      if (found < 0 && errno != EINTR) status = -1;
      if (found < 0 && errno != EINTR) break;
      if (Clock::now() >= end) return std::nullopt;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    process = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  void end() {
    ::kill(-process, SIGKILL);  // its group: what it started too
    ::kill(process, SIGKILL);
    while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) {
    }
    process = -1;
  }

  // Whether it takes more within so many seconds; an end of it counts, sending tells.
  bool has_room(double seconds) const {
    pollfd socket{input, POLLOUT, 0};
    int found = 0;
    while ((found = ::poll(&socket, 1, int(1e3 * seconds))) < 0 && errno == EINTR) {
    }
    return found > 0;
  }

  std::string last_words() const {
    std::string line, last;
    std::rewind(messages);
    for (int c = std::fgetc(messages); c != EOF; c = std::fgetc(messages)) {
      if (c != '\n' && c != '\r') {
        if (line.size() < 400) line += char(c);
        continue;
      }
      if (!line.empty()) last = line;
      line.clear();
    }
    return line.empty() ? last : line;
  }
};

namespace {

std::filesystem::path part_of(const std::filesystem::path& path) {
  std::filesystem::path aside = path;
  aside.replace_extension();
  aside += ".part.mp4";
  return aside;
}

std::vector<std::string> arguments(const FilmSettings& settings,
                                   const std::filesystem::path& file) {
  return {settings.program, "-hide_banner", "-loglevel", "error", "-nostats", "-nostdin", "-y",
          // raw frames from us
          "-f", "rawvideo", "-pixel_format", "rgb24", "-video_size",
          fmt::format("{}x{}", settings.width, settings.height), "-framerate",
          fmt::format("{}", settings.frames_per_second), "-i", "pipe:0",
          // one thread: the bytes must not depend on the machine, and the cores belong to the
          // simulation
          "-an", "-vf",
          "scale=out_color_matrix=bt709:out_range=tv:flags=accurate_rnd+full_chroma_int", "-c:v",
          "libx264", "-preset", "medium", "-crf", fmt::format("{}", settings.quality), "-pix_fmt",
          "yuv420p", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
          "-threads", "1",
          // nothing about when and by whom, the index in front for browsers
          "-fflags", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1", "-movflags",
          "+faststart", "-f", "mp4", "file:" + file.string()};
}

void set_close_on_exec(int descriptor) { ::fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

// Its own process group, default signals, nothing inherited but the three standard files.
pid_t start(const std::vector<std::string>& words, int input, int messages) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&files, messages, STDERR_FILENO);
  sigset_t none, all;
  sigemptyset(&none);
  sigemptyset(&all);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) sigaddset(&all, signal);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t process = -1;
  const int failure = ::posix_spawnp(&process, argv[0], &files, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (failure == 0) return process;
  throw IoError(
      fmt::format("cannot start {}: {}; films need the ffmpeg program in PATH, "
                  "pictures (PNG) do not",
                  words.front(), std::strerror(failure)));
}

}  // namespace

bool ffmpeg_available(const std::string& program) {
  if (program.find('/') != std::string::npos) return ::access(program.c_str(), X_OK) == 0;
  const char* path = std::getenv("PATH");
  std::string folders = path ? path : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::filesystem::path file =
        std::filesystem::path(folders.substr(begin, end - begin)) / program;
    if (::access(file.c_str(), X_OK) == 0 && !std::filesystem::is_directory(file)) return true;
    begin = end + 1;
  }
  return false;
}

FilmWriter::FilmWriter(std::filesystem::path path, const FilmSettings& settings)
    : path_(std::move(path)), aside_(part_of(path_)), settings_(settings) {
  const bool even = settings_.width % 2 == 0 && settings_.height % 2 == 0;
  if (!even || settings_.width <= 0 || settings_.height <= 0)
    throw InputError(path_.string(), "",
                     fmt::format("would be {} x {} pixels; both must be even and above 0",
                                 settings_.width, settings_.height));
  if (!(settings_.frames_per_second > 0))
    throw InputError(path_.string(), "", "needs a frame rate above 0");

  encoder_ = std::make_unique<Encoder>();
  encoder_->messages = std::tmpfile();
  if (!encoder_->messages) throw IoError::from_errno("cannot make a temporary file");
  set_close_on_exec(::fileno(encoder_->messages));
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw IoError::from_errno("cannot connect to " + settings_.program);
  encoder_->input = ends[0];
  try {
    encoder_->process = start(arguments(settings_, aside_), ends[1], ::fileno(encoder_->messages));
  } catch (...) {
    ::close(ends[1]);
    throw;
  }
  ::close(ends[1]);
}

FilmWriter::~FilmWriter() {
  if (!encoder_) return;
  encoder_.reset();
  ::unlink(aside_.c_str());
}

void FilmWriter::fail(const std::string& what) {
  encoder_->close_input();
  constexpr double last_words = 1;  // [s] to say them
  if (encoder_->process > 0 && !encoder_->wait(last_words)) encoder_->end();
  const std::string words = encoder_->last_words();
  encoder_.reset();
  ::unlink(aside_.c_str());
  throw IoError(fmt::format("cannot write {}: {} {}{}{}", path_.string(), settings_.program, what,
                            words.empty() ? "" : ": ", words));
}

std::string FilmWriter::hangs() const {
  return fmt::format("did nothing for {:g} s and was ended", settings_.patience);
}

void FilmWriter::add(const Image& frame) {
  ASSERT(encoder_, "the film is still open");
  ASSERT(frame.width == settings_.width && frame.height == settings_.height,
         "all frames have the film's size");
  const auto* data = reinterpret_cast<const char*>(frame.pixels.data());
  std::size_t left = frame.pixels.size() * sizeof(Image::Pixel);
  while (left > 0) {
    if (!encoder_->has_room(settings_.patience)) fail(hangs());
    const ssize_t sent = ::send(encoder_->input, data, left, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) continue;
    if (sent < 0) fail("stopped early");
    data += sent;
    left -= std::size_t(sent);
  }
  ++frames_;
}

void FilmWriter::finish() {
  ASSERT(encoder_, "the film is still open");
  ASSERT(frames_ > 0, "a film has at least one frame");
  encoder_->close_input();
  const std::optional<int> status = encoder_->wait(settings_.patience);
  if (!status) fail(hangs());
  if (*status != 0) fail("failed");

  const int file = ::open(aside_.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail("has written nothing");
  encoder_.reset();
  ::fsync(file);
  ::close(file);
  if (::rename(aside_.c_str(), path_.c_str()) != 0)
    throw IoError::from_errno("cannot write " + path_.string());
}

}  // namespace pliant
