// SPDX-License-Identifier: Apache-2.0

/// Why a measurement could not be made; the text is for whoever typed the command.
struct LatencyToolError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
