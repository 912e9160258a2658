// SPDX-License-Identifier: Apache-2.0

/// Token buckets in the order in which they will be full: a binary heap whose positions are known, so that each change
/// takes logarithmic time and the fullest bucket is known at once.
@usableFromInline
struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    @usableFromInline
    struct Bucket: Sendable {
        @usableFromInline
        let key: Key
        /// The time at which it is full, in microseconds.
        @usableFromInline
        var fullAt: Int64

        @inlinable
        init(key: Key, fullAt: Int64) {
            self.key = key
            self.fullAt = fullAt
        }
    }

    /// The bucket at a position is not full later than those at twice the position plus one and plus two.
    @usableFromInline
    var heap: [Bucket] = []
    @usableFromInline
    var positions: [Key: Int] = [:]

    init() {}

    /// The number of buckets.
    @inlinable
    var count: Int { heap.count }

    /// The time at which the fullest bucket is full; `nil` if there is none.
    @inlinable
    var fullestFullAt: Int64? { heap.first?.fullAt }

    /// The time at which a bucket is full; `nil` if there is none.
    @inlinable
    subscript(key: Key) -> Int64? { positions[key].map { heap[$0].fullAt } }

    /// The position of a bucket, which is good until the next change; `nil` if there is none.
    @inlinable
    func position(of key: Key) -> Int? { positions[key] }

    /// The time at which the bucket at a position is full.
    @inlinable
    func fullAt(at position: Int) -> Int64 { heap[position].fullAt }

    /// Changes the time at which a bucket is full, or adds the bucket.
    @inlinable
    mutating func set(_ key: Key, fullAt: Int64) {
        if let position = positions[key] {
            change(at: position, fullAt: fullAt)
        } else {
            heap.append(Bucket(key: key, fullAt: fullAt))
            positions[key] = heap.count - 1
            rise(from: heap.count - 1)
        }
    }

    /// Changes the time at which the bucket at a position is full.
    @inlinable
    mutating func change(at position: Int, fullAt: Int64) {
        let isLater = fullAt >= heap[position].fullAt
        heap[position].fullAt = fullAt
        if isLater { sink(from: position) } else { rise(from: position) }
    }

    /// Removes the bucket that is full first.
    @inlinable
    mutating func removeFullest() {
        guard let fullest = heap.first, let last = heap.popLast() else { return }
        positions[fullest.key] = nil
        guard !heap.isEmpty else { return }
        place(last, at: 0)
        sink(from: 0)
    }

    /// Moves the bucket at a position nearer to the first, as far as it is full before those there.
    @inlinable
    mutating func rise(from start: Int) {
        let bucket = heap[start]
        var position = start
        while position > 0 {
            let parent = (position - 1) / 2
            guard heap[parent].fullAt > bucket.fullAt else { break }
            place(heap[parent], at: position)
            position = parent
        }
        // The bucket is where it was in most cases, and its position need not be looked up again.
        if position != start { place(bucket, at: position) }
    }

    /// Moves the bucket at a position farther from the first, as far as those there are full before it.
    @inlinable
    mutating func sink(from start: Int) {
        let bucket = heap[start]
        var position = start
        while true {
            var child = 2 * position + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].fullAt < heap[child].fullAt { child += 1 }
            guard heap[child].fullAt < bucket.fullAt else { break }
            place(heap[child], at: position)
            position = child
        }
        if position != start { place(bucket, at: position) }
    }

    @inlinable
    mutating func place(_ bucket: Bucket, at position: Int) {
        heap[position] = bucket
        positions[bucket.key] = position
    }
}
