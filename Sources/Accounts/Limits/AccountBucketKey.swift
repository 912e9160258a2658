// SPDX-License-Identifier: Apache-2.0

import JOSE

/// What identifies a bucket: half of a SHA-256 hash, so that the memory of a bucket does not depend on what it is for.
struct AccountBucketKey: Sendable, Hashable {
    private let high: UInt64
    private let low: UInt64

    init(_ bytes: [UInt8]) {
        let hash = Hash.sha256(bytes)
        high = hash[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        low = hash[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    }
}
