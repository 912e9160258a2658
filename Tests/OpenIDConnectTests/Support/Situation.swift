// SPDX-License-Identifier: Apache-2.0

/// Where an ID token comes from. The list of checks is the same, what is expected differs.
enum Situation: String, Sendable, CaseIterable, CustomStringConvertible {
    /// From the token endpoint, in exchange for a code.
    case tokenEndpoint = "token endpoint"
    /// With the browser, beside a code (`code id_token`).
    case frontChannel = "front channel"

    var description: String { rawValue }
}
