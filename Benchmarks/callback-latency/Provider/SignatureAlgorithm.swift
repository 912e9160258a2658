// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The signature algorithm of the provider's ID tokens.
enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable, ExpressibleByArgument {
    case rs256 = "RS256"
    case es256 = "ES256"

    /// Parses a name in upper or lower case.
    init?(argument: String) { self.init(rawValue: argument.uppercased()) }
}
