// SPDX-License-Identifier: Apache-2.0

/// Token buckets in the order in which they will be full. They are a binary heap in which each bucket knows its place,
/// so a change takes logarithmic time and the fullest bucket is found at once.
///
/// A bucket keeps its position when its place in the heap changes. So a key is hashed only to find, add or remove its
/// bucket, not at each step through the heap, which would be most of the cost of a check.
@usableFromInline
struct TokenBuckets<Key: Hashable & Sendable>: Sendable {
    @usableFromInline
    struct Bucket: Sendable {
        @usableFromInline
        let key: Key
        /// The index in the heap.
        @usableFromInline
        var place: Int

        @inlinable
        init(key: Key, place: Int) {
            self.key = key
            self.place = place
        }
    }

    @usableFromInline
    struct Filling: Sendable {
        /// The time at which the bucket will be full, in microseconds.
        @usableFromInline
        var fullAt: Int64
        /// The position of the bucket.
        @usableFromInline
        var position: Int

        @inlinable
        init(fullAt: Int64, position: Int) {
            self.fullAt = fullAt
            self.position = position
        }
    }

    @usableFromInline
    var buckets: [Bucket] = []
    @usableFromInline
    var positions: [Key: Int] = [:]
    /// A heap: the bucket at index `i` is full no later than the buckets at `2 * i + 1` and `2 * i + 2`.
    @usableFromInline
    var heap: [Filling] = []

    init() {}

    /// The number of buckets.
    @inlinable
    var count: Int { heap.count }

    /// The time at which the fullest bucket is full; `nil` if there is none.
    @inlinable
    var fullestFullAt: Int64? { heap.first?.fullAt }

    /// The time at which a bucket is full; `nil` if there is none.
    @inlinable
    subscript(key: Key) -> Int64? { positions[key].map { fullAt(at: $0) } }

    /// The position of a bucket, valid until any bucket is removed; `nil` if there is none.
    @inlinable
    func position(of key: Key) -> Int? { positions[key] }

    /// The time at which the bucket at a position is full.
    @inlinable
    func fullAt(at position: Int) -> Int64 { heap[buckets[position].place].fullAt }

    /// Adds a bucket.
    /// - Parameter key: A key that has no bucket yet.
    @inlinable
    mutating func add(_ key: Key, fullAt: Int64) {
        let (place, position) = (heap.count, buckets.count)
        heap.append(Filling(fullAt: fullAt, position: position))
        buckets.append(Bucket(key: key, place: place))
        positions[key] = position
        rise(from: place)
    }

    /// Changes the time at which the bucket at a position is full.
    @inlinable
    mutating func change(at position: Int, fullAt: Int64) {
        let place = buckets[position].place
        let isLater = fullAt >= heap[place].fullAt
        heap[place].fullAt = fullAt
        if isLater { sink(from: place) } else { rise(from: place) }
    }

    /// Removes the bucket that is full first.
    @inlinable
    mutating func removeFullest() {
        guard let fullest = heap.first, let last = heap.popLast() else { return }
        if !heap.isEmpty {
            put(last, at: 0)
            sink(from: 0)
        }
        positions[buckets[fullest.position].key] = nil
        // The last bucket moves to the position of the removed one.
        guard let moved = buckets.popLast(), fullest.position < buckets.count else { return }
        buckets[fullest.position] = moved
        positions[moved.key] = fullest.position
        heap[moved.place].position = fullest.position
    }

    /// Moves the filling at a place toward the front, past every parent whose bucket is full later.
    @inlinable
    mutating func rise(from start: Int) {
        let filling = heap[start]
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard heap[parent].fullAt > filling.fullAt else { break }
            put(heap[parent], at: place)
            place = parent
        }
        // In most cases it has not moved.
        if place != start { put(filling, at: place) }
    }

    /// Moves the filling at a place toward the back, past every child whose bucket is full earlier.
    @inlinable
    mutating func sink(from start: Int) {
        let filling = heap[start]
        var place = start
        while true {
            var child = 2 * place + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].fullAt < heap[child].fullAt { child += 1 }
            guard heap[child].fullAt < filling.fullAt else { break }
            put(heap[child], at: place)
            place = child
        }
        if place != start { put(filling, at: place) }
    }

    @inlinable
    mutating func put(_ filling: Filling, at place: Int) {
        heap[place] = filling
        buckets[filling.position].place = place
    }
}
