#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "picture/image.h"

namespace pliant {

struct FilmSettings {
  int width = 640;   // even: the codec halves the colors' resolution
  int height = 360;  // even
  double frames_per_second = 30;
  int quality = 18;                // x264's constant rate factor: 0 lossless .. 51 worst
  std::string program = "ffmpeg";  // looked up in PATH
  double patience = 120;           // [s] without taking a frame, or to end: then it hangs
};

/// Whether `program` is there to be run.
bool ffmpeg_available(const std::string& program = "ffmpeg");

/// Writes an H.264 film (MP4) through the ffmpeg program. The file appears under its name when
/// finish() succeeds; until then it grows beside it as name.part.mp4, which is removed when the
/// film is given up. A program that hangs is ended after a while. Equal frames give equal bytes. A
/// Ctrl-C at the terminal does not reach ffmpeg: we end the film.
class FilmWriter {
 public:
  /// Throws InputError for odd or empty sizes, IoError when the program cannot be started.
  FilmWriter(std::filesystem::path path, const FilmSettings& settings);
  ~FilmWriter();  // without finish(): gives the film up
  FilmWriter(const FilmWriter&) = delete;
  FilmWriter& operator=(const FilmWriter&) = delete;

  /// Throws IoError with ffmpeg's last words when it has failed or hangs.
  void add(const Image& frame);

  /// Waits for the encoder and renames. At least one frame must have been added.
  void finish();

  int frames() const { return frames_; }

 private:
  [[noreturn]] void fail(const std::string& what);
  std::string hangs() const;

  std::filesystem::path path_, aside_;
  FilmSettings settings_;
  struct Encoder;
  std::unique_ptr<Encoder> encoder_;
  int frames_ = 0;
};

}  // namespace pliant
