// SPDX-License-Identifier: Apache-2.0

import JOSE
import Synchronization

/// A short text that tells configurations apart: two processes with the same configuration and the same sealing key show
/// the same one, and a change of anything, secrets included, shows another.
///
/// It is an authentication code under a key that is derived from the sealing key. With a plain hash, a reader could try
/// out short secrets; without the sealing key this one says nothing.
public struct ConfigurationFingerprint: Sendable, Hashable, CustomStringConvertible {
    /// 12 hexadecimal digits.
    public let description: String

    /// Computes a fingerprint.
    /// - Parameters:
    ///   - parts: The parts of the configuration as they were read, each under a name of its own, in any order.
    ///   - sealingKey: The first sealing key, at least 32 bytes.
    package init(parts: [String: [UInt8]], sealingKey: [UInt8]) {
        let key = KeyDerivation.derive(key: sealingKey, info: "oidc-broker configuration fingerprint v1", count: 32)
        let authentication = Hash.AuthenticationKey(key)
        var text: [UInt8] = []
        for (name, bytes) in parts.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            // The lengths keep a byte from moving from one part to the next unnoticed.
            for part in [Array(name.utf8), bytes] {
                withUnsafeBytes(of: UInt64(part.count).bigEndian) { text.append(contentsOf: $0) }
                text.append(contentsOf: part)
            }
        }
        description = Hexadecimal.text(authentication.code(for: text).prefix(6))
    }
}

/// The fingerprint of the configuration that was last read and is valid, which a reload replaces.
public final class CurrentFingerprint: Sendable {
    private let fingerprint: Mutex<ConfigurationFingerprint?>

    /// Creates a box.
    public init(_ fingerprint: ConfigurationFingerprint? = nil) {
        self.fingerprint = Mutex(fingerprint)
    }

    /// The fingerprint in use; `nil` if none was computed.
    public var current: ConfigurationFingerprint? { fingerprint.withLock { $0 } }

    /// Puts another fingerprint in use.
    public func update(_ new: ConfigurationFingerprint?) { fingerprint.withLock { $0 = new } }
}
