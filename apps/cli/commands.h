#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/errors.h"

// One function per command, each in its own file. main.cpp turns words into these structs and
// exceptions into exit codes.

namespace pliant::cli {

struct CommonArguments {
  int threads = 0;  // 0 = as many as the machine has
  bool quiet = false;
  std::vector<std::string> allowed_paths;
};

struct RunArguments : CommonArguments {
  std::string scene;   // a file, or the name of a built-in scene
  std::string output;  // folder; empty: pliant-out/NAME
  std::optional<int> frames;
  std::optional<int> substeps;
  bool resume = false;
  bool overwrite = false;
  bool hash = false;
  bool no_film = false;
};

/// `pliant MODEL`: drop it with all defaults.
struct DropArguments : RunArguments {
  std::string model;
  std::string material;
  std::optional<int> cells;
  std::string unit;
};

struct CheckArguments : CommonArguments {
  std::vector<std::string> scenes;
};

struct TableArguments : CommonArguments {
  std::vector<std::string> ids;  // empty: all
  bool json = false;
  bool quick = false;
};

struct BenchArguments : TableArguments {
  bool markdown = false;
};

ExitCode run(const RunArguments&);
ExitCode drop(const DropArguments&);
ExitCode check(const CheckArguments&);
ExitCode scenes();
ExitCode schema(bool reference);
ExitCode papers(const TableArguments&);
ExitCode bench(const BenchArguments&);

}  // namespace pliant::cli
