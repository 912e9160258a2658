// SPDX-License-Identifier: Apache-2.0

/// The reason why a measurement could not be made, as a message for the user of the command.
struct LatencyToolError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
