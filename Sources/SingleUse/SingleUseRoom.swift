// SPDX-License-Identifier: Apache-2.0

/// The room for entries of one kind: how many there may be, and how large they may be together. What is not in one room
/// takes nothing of another, unless that lends it something, and nothing that lives is evicted for what is new.
///
/// One provider uses at most half of a room, in number and in bytes, so that a provider that invents users does not
/// displace the entries of others. Nothing is searched. There is no lock and no clock.
struct SingleUseRoom: Sendable {
    /// Why there is no room for an entry.
    enum Refusal: Error {
        case full
        case tooManyOfProvider
    }

    private struct Share: Sendable {
        let provider: SingleUseKey
        var count = 0
        var bytes = 0
    }

    /// The number that stands for no share.
    static let noShare = UInt32.max

    private let capacity: Int
    private let maximumBytes: Int
    /// The maximum memory of all entries at the moment, in bytes: more than ``init(capacity:maximumBytes:)`` was given while
    /// another room lends some, and less while this one does. The half of a provider stays the same.
    var limit: Int
    /// The number of entries.
    private(set) var count = 0
    /// The memory of all entries, in bytes.
    private(set) var bytes = 0
    /// The shares of providers, by number. A free one keeps the key of a provider that no longer refers to it.
    private var shares: [Share] = []
    private var free: [UInt32] = []
    private var numbers: [SingleUseKey: UInt32] = [:]

    /// - Parameters:
    ///   - capacity: The maximum number of entries.
    ///   - maximumBytes: The maximum memory of all entries, in bytes.
    init(capacity: Int, maximumBytes: Int) {
        self.capacity = capacity
        self.maximumBytes = maximumBytes
        limit = maximumBytes
    }

    /// The part of the bytes for records that is for those that wait for minutes: less than half, since any web page can
    /// make a browser begin sign-ins that wait, while every sign-in needs a record for seconds.
    static func forWaiting(of bytes: Int) -> Int { bytes / 8 * 3 }

    /// The bytes for spare records, in addition to those of a store.
    static func forSpare(of bytes: Int) -> Int { bytes / 16 }

    /// The number of providers that have entries.
    var providerCount: Int { numbers.count }
    /// The part of the room that is used, in number or in bytes, whichever is more; 0 to 1.
    var fullness: Double {
        max(Double(count) / Double(max(1, capacity)), Double(bytes) / Double(max(1, limit)))
    }

    /// Returns why there is no room for another entry; `nil` if there is.
    /// - Parameters:
    ///   - provider: The provider of the entry; `nil` if it counts for none.
    ///   - size: The memory of the entry, in bytes.
    func refusal(for provider: SingleUseKey?, bytes size: Int) -> Refusal? {
        if let provider, !hasRoom(for: provider, bytes: size) { return .tooManyOfProvider }
        return count < capacity && size <= limit - bytes ? nil : .full
    }

    private func hasRoom(for provider: SingleUseKey, bytes size: Int) -> Bool {
        guard let number = numbers[provider] else { return size <= maximumBytes / 2 }
        let share = shares[Int(number)]
        return share.count < max(1, capacity / 2) && size <= maximumBytes / 2 - share.bytes
    }

    /// Counts an entry, whether there is room for it or not.
    /// - Returns: The number of the provider's share, with which the entry is removed.
    mutating func add(_ provider: SingleUseKey?, bytes size: Int) -> UInt32 {
        count += 1
        bytes += size
        guard let provider else { return Self.noShare }
        let number = numbers[provider] ?? begin(provider)
        shares[Int(number)].count += 1
        shares[Int(number)].bytes += size
        return number
    }

    /// Removes entries that were counted.
    /// - Parameters:
    ///   - share: The share that all of them have.
    ///   - entries: The number of entries.
    ///   - size: The memory of all of them, in bytes.
    mutating func remove(_ share: UInt32, entries: Int = 1, bytes size: Int) {
        count -= entries
        bytes -= size
        guard share != Self.noShare else { return }
        shares[Int(share)].count -= entries
        shares[Int(share)].bytes -= size
        guard shares[Int(share)].count == 0 else { return }
        numbers[shares[Int(share)].provider] = nil
        free.append(share)
    }

    private mutating func begin(_ provider: SingleUseKey) -> UInt32 {
        let share = Share(provider: provider)
        let number: UInt32
        if let known = free.popLast() {
            number = known
            shares[Int(number)] = share
        } else {
            number = UInt32(clamping: shares.count)
            shares.append(share)
        }
        numbers[provider] = number
        return number
    }
}

extension SingleUseClaim {
    /// The result where there is no room.
    init(refused refusal: SingleUseRoom.Refusal) {
        switch refusal {
        case .full: self = .full
        case .tooManyOfProvider: self = .tooManyOfProvider
        }
    }
}

extension SingleUsePut {
    /// The result where there is no room.
    init(refused refusal: SingleUseRoom.Refusal) {
        switch refusal {
        case .full: self = .full
        case .tooManyOfProvider: self = .tooManyOfProvider
        }
    }
}
