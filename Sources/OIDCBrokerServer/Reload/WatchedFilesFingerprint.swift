// SPDX-License-Identifier: Apache-2.0

import Crypto
import OIDCBroker
import OIDCBrokerConfiguration

/// A hash over what is at some paths: SHA-256 over each path, what kind of thing is there, and its contents.
///
/// Contents are compared, not times and inodes: a swapped link, a replaced file and an edit in place are all seen, and
/// what was only touched is not. It is derived from secrets and never shown.
struct WatchedFilesFingerprint: Sendable, Hashable {
    private let digest: SHA256.Digest

    /// Creates a fingerprint of the state of each path.
    ///
    /// - Parameter states: The paths, in an order of their own, and what is there.
    init(_ states: some Sequence<(path: String, state: ConfigurationFile.State)>) {
        var hash = SHA256()
        for (path, state) in states {
            // The kind and the lengths come before the contents, so that no two lists are hashed alike.
            Self.add(Array(path.utf8), to: &hash)
            switch state {
            case .absent: hash.update(data: [0 as UInt8])
            case .directory: hash.update(data: [1 as UInt8])
            case .unreadable: hash.update(data: [2 as UInt8])
            case .file(let contents):
                hash.update(data: [3 as UInt8])
                Self.add(contents, to: &hash)
            }
        }
        digest = hash.finalize()
    }

    private static func add(_ bytes: [UInt8], to hash: inout SHA256) {
        withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { hash.update(bufferPointer: $0) }
        hash.update(data: bytes)
    }
}
