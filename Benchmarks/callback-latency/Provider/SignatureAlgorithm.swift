// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// What the provider signs ID tokens with.
enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable, ExpressibleByArgument {
    case rs256 = "RS256"
    case es256 = "ES256"

    /// Either case of letters.
    init?(argument: String) { self.init(rawValue: argument.uppercased()) }
}
