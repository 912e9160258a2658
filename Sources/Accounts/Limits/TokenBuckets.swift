// SPDX-License-Identifier: Apache-2.0

import JOSE

/// Token buckets in the order in which they will be full: a binary heap whose positions are known, so that each change
/// takes logarithmic time and the fullest bucket is known at once.
struct TokenBuckets: Sendable {
    /// What identifies a bucket: half of a SHA-256 hash, so that the memory of a bucket does not depend on what it is
    /// for.
    struct Key: Sendable, Hashable {
        private let high: UInt64
        private let low: UInt64

        init(_ bytes: [UInt8]) {
            let hash = Hash.sha256(bytes)
            high = hash[..<8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            low = hash[8..<16].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
    }

    private struct Bucket: Sendable {
        let key: Key
        var fullAt: Int64
    }

    /// The bucket at a position is not full later than those at twice the position plus one and plus two.
    private var heap: [Bucket] = []
    private var positions: [Key: Int] = [:]

    /// The number of buckets.
    var count: Int { heap.count }

    /// The time at which the fullest bucket is full; `nil` if there is none.
    var fullestFullAt: Int64? { heap.first?.fullAt }

    /// The time at which a bucket is full; `nil` if there is none.
    subscript(key: Key) -> Int64? { positions[key].map { heap[$0].fullAt } }

    /// Changes the time at which a bucket is full, or adds the bucket.
    mutating func set(_ key: Key, fullAt: Int64) {
        let bucket = Bucket(key: key, fullAt: fullAt)
        if let position = positions[key] {
            if fullAt >= heap[position].fullAt {
                sink(bucket, from: position)
            } else {
                rise(bucket, from: position)
            }
        } else {
            heap.append(bucket)
            rise(bucket, from: heap.count - 1)
        }
    }

    /// Removes the bucket that is full first.
    mutating func removeFullest() {
        guard let fullest = heap.first, let last = heap.popLast() else { return }
        positions[fullest.key] = nil
        guard !heap.isEmpty else { return }
        sink(last, from: 0)
    }

    /// Places a bucket at a position, or nearer to the first.
    private mutating func rise(_ bucket: Bucket, from start: Int) {
        var position = start
        while position > 0 {
            let parent = (position - 1) / 2
            guard heap[parent].fullAt > bucket.fullAt else { break }
            place(heap[parent], at: position)
            position = parent
        }
        place(bucket, at: position)
    }

    /// Places a bucket at a position, or farther from the first.
    private mutating func sink(_ bucket: Bucket, from start: Int) {
        var position = start
        while true {
            var child = 2 * position + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].fullAt < heap[child].fullAt { child += 1 }
            guard heap[child].fullAt < bucket.fullAt else { break }
            place(heap[child], at: position)
            position = child
        }
        place(bucket, at: position)
    }

    private mutating func place(_ bucket: Bucket, at position: Int) {
        heap[position] = bucket
        positions[bucket.key] = position
    }
}
