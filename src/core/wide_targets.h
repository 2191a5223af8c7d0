#pragma once

// Which instruction sets files that compile themselves once per set (Highway) are compiled for: all
// but those that bring nothing over their neighbours or have no fixed length. Include before
// Highway.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_RVV)
