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

/// How a model file is taken.
struct ModelArguments {
  std::string model;
  std::string unit = "file";
  std::string up = "y";
  std::string method;    // empty: the default one
  double weld = 0;       // [m]
  double thickness = 0;  // [m]
};

struct RunArguments : CommonArguments {
  bool strict = false;
  std::string scene;   // a file, or the name of a built-in scene
  std::string output;  // folder; empty: pliant-out/NAME
  std::optional<int> frames;
  std::optional<int> substeps;
  bool resume = false;
  bool overwrite = false;
  bool hash = false;
  bool no_film = false;
  bool draft = false;
  std::optional<int> preview;  // the frame
};

/// `pliant MODEL`: drop it with all defaults.
struct DropArguments : RunArguments, ModelArguments {
  std::string material;
  std::optional<int> cells;
};

struct CheckArguments : CommonArguments {
  std::vector<std::string> scenes;
  bool strict = false;
};

struct InspectArguments : CommonArguments, ModelArguments {
  std::string picture;  // a .png to write; empty: none
  bool json = false;
  bool strict = false;
};

struct ConvertArguments : CommonArguments {
  std::string input;                 // folder of a run, or a model
  std::vector<std::string> formats;  // of the files to make
  std::string output;                // folder; of a model: the file
  std::string frames;                // FIRST:LAST:STEP; empty: all
  bool skin = false;
  bool resume = false;
};

struct MadeModelArguments {
  std::string name;    // empty: list them
  std::string output;  // .step or .iges
};

struct TableArguments : CommonArguments {
  std::vector<std::string> ids;  // empty: all
  bool json = false;
  bool quick = false;
};

struct BenchArguments : TableArguments {
  std::vector<std::string> rows;  // parts of their names; empty: all
  bool markdown = false;
  std::vector<std::string> models;  // files or folders
};

ExitCode run(const RunArguments&);
ExitCode drop(const DropArguments&);
ExitCode check(const CheckArguments&);
ExitCode inspect(const InspectArguments&);
ExitCode convert(const ConvertArguments&);
ExitCode scenes();
ExitCode model(const MadeModelArguments&);
ExitCode schema(bool reference);
ExitCode papers(const TableArguments&);
ExitCode bench(const BenchArguments&);

}  // namespace pliant::cli
