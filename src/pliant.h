#pragma once

// The whole library for programs that embed it. For single rooms include their own headers.

#include "contact/colliders/collider.h"  // IWYU pragma: export
#include "core/errors.h"                 // IWYU pragma: export
#include "core/parallel.h"               // IWYU pragma: export
#include "geometry/intake/intake.h"      // IWYU pragma: export
#include "geometry/mesh/primitives.h"    // IWYU pragma: export
#include "methods/clusters/clusters.h"   // IWYU pragma: export
#include "methods/groups/groups.h"       // IWYU pragma: export
#include "methods/make_body.h"           // IWYU pragma: export
#include "methods/meshless/meshless.h"   // IWYU pragma: export
#include "methods/registry.h"            // IWYU pragma: export
#include "methods/rigid/rigid.h"         // IWYU pragma: export
#include "methods/tets/tets.h"           // IWYU pragma: export
#include "world/world.h"                 // IWYU pragma: export
