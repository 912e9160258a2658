// SPDX-License-Identifier: Apache-2.0

import Crypto

/// The signing key of a second broker.
enum ReplicaKey {
    static let signingKey = P256.Signing.PrivateKey().pemRepresentation
}
