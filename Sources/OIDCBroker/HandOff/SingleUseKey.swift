// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The name of an entry in a ``SingleUseStore``: a hash, so that the store learns neither a login id nor a code.
public struct SingleUseKey: Sendable, Hashable {
    /// 32 bytes.
    public let bytes: [UInt8]

    /// A key of 32 bytes of one's own, for tests of a store.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// SHA-256 over purpose and name.
    package init(_ purpose: StaticString, _ name: [UInt8]) {
        bytes = Hash.sha256(Array("oidc-broker \(purpose) v1".utf8) + name)
    }
}
