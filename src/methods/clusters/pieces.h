#pragma once

#include "methods/clusters/tracked_skin.h"

namespace pliant::clusters {

/// The body's matter after its surface has parted or united: every particle and cluster belongs to
/// a piece, and each piece has a volume to keep. `volume` [m^3]: what each piece is to enclose.
/// `pieces`: {old, new} that share vertices. Returns where pieces need more particles.
std::vector<Bare> follow_pieces(const std::vector<std::array<int, 2>>& pieces,
                                const TrackedSkin& tracked, const Skin& skin, const Nodes& nodes,
                                Matter& matter, std::vector<double>& volume);

}  // namespace pliant::clusters
