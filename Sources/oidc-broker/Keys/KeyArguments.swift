// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JOSE
import OIDCBrokerServer

extension KeyKind: ExpressibleByArgument {}
extension KeyRotation.Kind: ExpressibleByArgument {}
extension KeyRotation.Step: ExpressibleByArgument {}

/// The algorithm that is registered for a key of a client: one of those that sign, or that encrypt to it.
enum RegisteredAlgorithm: Sendable, ExpressibleByArgument {
    case signature(JSONWebAlgorithm)
    case keyManagement(KeyManagementAlgorithm)

    init?(argument: String) {
        if let algorithm = KeyAlgorithm(rawValue: argument) {
            self = .signature(algorithm.algorithm)
        } else if let algorithm = KeyManagementAlgorithm.allCases.first(where: { $0.argument == argument }) {
            self = .keyManagement(algorithm)
        } else {
            return nil
        }
    }

    static let allValueStrings = KeyAlgorithm.allValueStrings + KeyManagementAlgorithm.allCases.map(\.argument)
}

extension KeyManagementAlgorithm {
    fileprivate var argument: String { rawValue.lowercased() }
}

/// The algorithm of a key, as an option spells it.
enum KeyAlgorithm: String, Sendable, CaseIterable, ExpressibleByArgument {
    /// ECDSA with P-256 (RFC 7518 section 3.4).
    case es256
    /// ECDSA with P-384.
    case es384
    /// ECDSA with P-521.
    case es512
    /// RSASSA-PKCS1-v1_5 with a key of 2048 bits (RFC 7518 section 3.3).
    case rs256
    /// RSASSA-PSS (RFC 7518 section 3.5), for which there are the same keys.
    case ps256
    /// Ed25519 by the name of RFC 8037.
    case eddsa
    /// Ed25519 by the name of RFC 9864.
    case ed25519

    /// The algorithm itself.
    var algorithm: JSONWebAlgorithm {
        switch self {
        case .es256: .es256
        case .es384: .es384
        case .es512: .es512
        case .rs256: .rs256
        case .ps256: .ps256
        case .eddsa: .eddsa
        case .ed25519: .ed25519
        }
    }
}
