#pragma once

namespace pliant {

/// "0.1.0"
const char* version();

/// The compiler this library was built with: part of what a bit-identical repetition needs.
const char* compiler();

}  // namespace pliant
