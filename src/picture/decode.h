#pragma once

#include <string_view>

#include "picture/image.h"

namespace pliant {

/// A picture from a PNG or (where the program was built with it) JPEG file's bytes, which may be
/// anything: of at most 32 million pixels, transparency left out. Throws IoError with the reason.
Image decode_image(std::string_view bytes);

}  // namespace pliant
