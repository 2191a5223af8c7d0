#pragma once

// For programs that embed the applications' side too: model files, scene files, whole runs with
// film and recording. Link pliant::app.

#include "formats/formats.h"  // IWYU pragma: export
#include "formats/ply.h"      // IWYU pragma: export
#include "play/run.h"         // IWYU pragma: export
#include "pliant.h"           // IWYU pragma: export
#include "scene/build.h"      // IWYU pragma: export
#include "scene/read.h"       // IWYU pragma: export
