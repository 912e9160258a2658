// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JOSE
import OIDCBrokerServer

extension KeyKind: ExpressibleByArgument {}
extension KeyRotation.Kind: ExpressibleByArgument {}
extension KeyRotation.Step: ExpressibleByArgument {}

/// The algorithm of a new key, as an option spells it.
enum KeyAlgorithm: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// ECDSA with P-256 (RFC 7518 section 3.4).
    case es256
    /// RSASSA-PKCS1-v1_5 with a key of 2048 bits (RFC 7518 section 3.3).
    case rs256

    /// The algorithm itself.
    var algorithm: JSONWebAlgorithm {
        switch self {
        case .es256: .es256
        case .rs256: .rs256
        }
    }
}
