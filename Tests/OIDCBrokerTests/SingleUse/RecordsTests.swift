// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OIDCBroker
@testable import OIDCBrokerState
@testable import SingleUse

/// Records of the single-use store in memory.
struct RecordsTests {
    private typealias Moment = InMemorySingleUseStore.Moment
    private typealias Records = InMemorySingleUseStore.Records
    private static let start: Int64 = 1_800_000_000

    private func key(_ number: Int) -> SingleUseKey {
        SingleUseKey(.handOff, [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)])
    }

    private func at(_ seconds: Int64, wall: Int64 = 0) -> InMemorySingleUseStore.Moment {
        Moment(wall: Self.start + seconds + wall, elapsed: 5000 + seconds)
    }

    private func put(
        _ records: inout InMemorySingleUseStore.Records, _ number: Int, bytes: Int = 1, owner: SingleUseOwner? = nil,
        for lifetime: Int64 = 60, _ now: InMemorySingleUseStore.Moment
    ) -> SingleUsePut {
        records.advance(to: now)
        return records.put(
            key(number), value: Array(repeating: 7, count: bytes), owner: owner, lifetime: lifetime, now)
    }

    @Test func `bytes bound it, and what is taken or ends gives them back at once`() {
        let size = 1000 + Records.overhead
        var records = Records(capacity: 100, maximumBytes: 3 * size)
        for number in 0..<3 { #expect(put(&records, number, bytes: 1000, at(Int64(number))) == .stored) }
        #expect(put(&records, 3, bytes: 1000, at(2)) == .full)
        #expect(records.bytes == 3 * size)
        #expect(records.take(key(1), at(2))?.value.count == 1000)
        #expect(records.bytes == 2 * size)
        #expect(put(&records, 3, bytes: 1000, at(2)) == .stored)
        #expect(put(&records, 4, bytes: 1000, at(59)) == .full)
        #expect(put(&records, 4, bytes: 1000, at(60)) == .stored)
        records.advance(to: at(100_000))
        #expect(records.bytes == 0)
        #expect(records.count == 0)
    }

    @Test func `64 KB are the longest record`() {
        var records = Records(capacity: 100, maximumBytes: 1 << 20)
        #expect(put(&records, 1, bytes: 65_536, at(0)) == .stored)
        #expect(put(&records, 2, bytes: 65_537, at(0)) == .full)
    }

    @Test func `32 of one owner do not affect another, and each that is removed frees capacity for one`() {
        var records = Records(capacity: 1000, maximumBytes: 1 << 20)
        let ada = SingleUseOwner.owner(issuer: "i", subject: "a")
        let bob = SingleUseOwner.owner(issuer: "i", subject: "b")
        for number in 0..<32 { #expect(put(&records, number, owner: ada, at(0)) == .stored) }
        #expect(put(&records, 32, owner: ada, at(0)) == .tooManyOfOwner)
        #expect(put(&records, 33, owner: bob, at(0)) == .stored)
        #expect(put(&records, 34, at(0)) == .stored)
        #expect(records.take(key(5), at(1)) != nil)
        #expect(put(&records, 35, owner: ada, at(1)) == .stored)
        #expect(put(&records, 36, owner: ada, at(59)) == .tooManyOfOwner)
        #expect(put(&records, 36, owner: ada, at(60)) == .stored)
    }

    @Test func `256 KB of one user no other is refused, and each that goes makes room`() {
        var records = Records(capacity: 1000, maximumBytes: 1 << 20)
        let ada = SingleUseOwner.owner(issuer: "i", subject: "a")
        let bob = SingleUseOwner.owner(issuer: "i", subject: "b")
        let length = Records.ownerBytes / 4 - Records.overhead
        for number in 0..<4 { #expect(put(&records, number, bytes: length, owner: ada, at(0)) == .stored) }
        #expect(put(&records, 4, owner: ada, at(0)) == .tooManyOfOwner)
        #expect(put(&records, 5, bytes: length, owner: bob, at(0)) == .stored)
        #expect(records.take(key(2), at(1)) != nil)
        #expect(put(&records, 6, bytes: length + 1, owner: ada, at(1)) == .tooManyOfOwner)
        #expect(put(&records, 6, bytes: length, owner: ada, at(1)) == .stored)
        // Those that end give back what they took; one that is replaced is not counted twice, nor lost where the other
        // is refused.
        #expect(put(&records, 6, bytes: length, owner: ada, at(1)) == .stored)
        #expect(put(&records, 6, bytes: length + 1, owner: ada, at(1)) == .tooManyOfOwner)
        #expect(records.read(key(6), at(1))?.count == length)
        #expect(records.bytes == 5 * (length + Records.overhead))
        #expect(put(&records, 7, bytes: length, owner: ada, at(60)) == .stored)
        records.advance(to: at(1000))
        #expect(records.ownerCounts == (0, 0))
        #expect(records.bytes == 0)
    }

    private func ada(at app: String) -> SingleUseOwner { .owner(issuer: "i", subject: "a", app: .app(clientID: app)) }

    @Test func `32 of a user at one app refuse that user at no other app`() {
        var records = Records(capacity: 1000, maximumBytes: 1 << 20)
        for number in 0..<32 { #expect(put(&records, number, owner: ada(at: "shop"), at(0)) == .stored) }
        #expect(put(&records, 32, owner: ada(at: "shop"), at(0)) == .tooManyOfOwner)
        #expect(put(&records, 33, owner: ada(at: "desk"), at(0)) == .stored)
        // What waits for the user counts apart.
        #expect(put(&records, 34, owner: waiting(for: .person, in: 1), at(0)) == .stored)
        #expect(records.take(key(3), at(0)) != nil)
        #expect(put(&records, 35, owner: ada(at: "shop"), at(0)) == .stored)
        records.advance(to: at(1))
        records.advance(to: at(60))
        #expect(records.placeCount == 0)
        #expect(records.ownerCounts == (0, 0))
    }

    @Test func `all apps together have four times as many of a user as one`() {
        var records = Records(capacity: 1000, maximumBytes: 1 << 20)
        for number in 0..<128 {
            #expect(put(&records, number, owner: ada(at: "app-\(number / 32)"), at(0)) == .stored)
        }
        #expect(put(&records, 128, owner: ada(at: "app-4"), at(0)) == .tooManyOfOwner)
        let bob = SingleUseOwner.owner(issuer: "i", subject: "b", app: .app(clientID: "app-4"))
        #expect(put(&records, 129, owner: bob, at(0)) == .stored)
        #expect(records.take(key(0), at(0)) != nil)
        #expect(put(&records, 130, owner: ada(at: "app-4"), at(0)) == .stored)
    }

    @Test func `all apps together have four times as many bytes of a user as one`() {
        var records = Records(capacity: 1000, maximumBytes: 1 << 24)
        let length = Records.ownerBytes / 4 - Records.overhead
        for number in 0..<16 {
            #expect(put(&records, number, bytes: length, owner: ada(at: "app-\(number / 4)"), at(0)) == .stored)
        }
        #expect(put(&records, 16, owner: ada(at: "app-3"), at(0)) == .tooManyOfOwner)
        #expect(put(&records, 16, owner: ada(at: "app-4"), at(0)) == .tooManyOfOwner)
    }

    private func waiting(
        for event: PendingHandOff.Event = .claim, in browser: UInt8, of subject: String = "a", at app: String = "shop",
        _ provider: String? = nil
    ) -> SingleUseOwner {
        SingleUseOwner.owner(
            issuer: "i", subject: subject, app: .app(clientID: app), provider: provider.map { .provider(issuer: $0) }
        ).waiting(for: event, in: [browser])
    }

    @Test(arguments: [PendingHandOff.Event.person, .claim])
    func `the fifth that waits in a browser for an app takes the place of its oldest`(event: PendingHandOff.Event) {
        var records = Records(capacity: 1000, maximumBytes: 1 << 20)
        let another: PendingHandOff.Event = event == .person ? .claim : .person
        for (number, owner) in [
            waiting(for: event, in: 2), waiting(for: event, in: 1, at: "desk"), waiting(for: another, in: 1),
            ada(at: "shop"),
        ].enumerated() {
            #expect(put(&records, 1000 + number, owner: owner, at(0)) == .stored)
        }
        for number in 0..<100 {
            #expect(put(&records, number, owner: waiting(for: event, in: 1), at(0)) == .stored)
            #expect(records.count == 4 + min(4, number + 1))
        }
        // For any user at the provider, it is one browser.
        #expect(put(&records, 100, owner: waiting(for: event, in: 1, of: "b"), at(0)) == .stored)
        for number in 0...100 { #expect((records.read(key(number), at(0)) != nil) == (number > 96)) }
        for number in 1000..<1004 { #expect(records.read(key(number), at(0)) != nil) }
        // What is taken makes room.
        #expect(records.take(key(98), at(0)) != nil)
        #expect(put(&records, 101, owner: waiting(for: event, in: 1), at(0)) == .stored)
        #expect(records.read(key(97), at(0)) != nil)
        records.advance(to: at(60))
        #expect(records.ownerCounts == (0, 0))
        #expect(records.placeCount == 0)
    }

    @Test func `a user's results in any number of browsers are those of four apps, and then a browser's own go`() {
        var records = Records(capacity: 1000, maximumBytes: 1 << 20)
        for number in 0..<128 {
            #expect(put(&records, number, owner: waiting(in: UInt8(number)), at(0)) == .stored)
        }
        #expect(put(&records, 128, owner: waiting(in: 200), at(0)) == .tooManyOfOwner)
        #expect(put(&records, 129, owner: waiting(in: 7, at: "desk"), at(0)) == .tooManyOfOwner)
        #expect(put(&records, 130, owner: waiting(in: 7), at(0)) == .stored)
        for number in 0..<128 { #expect((records.read(key(number), at(0)) != nil) == (number != 7)) }
    }

    @Test func `a full room is no reason to refuse who leaves something, and what is refused takes nothing`() {
        var records = Records(capacity: 4, maximumBytes: 1 << 20)
        for number in 0..<2 { #expect(put(&records, number, owner: waiting(in: 1, "evil"), at(0)) == .stored) }
        for number in 2..<4 { #expect(put(&records, number, owner: waiting(in: 1, at: "desk"), at(0)) == .stored) }
        #expect(put(&records, 4, owner: waiting(in: 2), at(0)) == .full)
        #expect(put(&records, 4, bytes: Records.ownerBytes * 4, owner: waiting(in: 1, "evil"), at(0)) == .full)
        #expect(put(&records, 4, owner: waiting(in: 2, "evil"), at(0)) == .tooManyOfProvider)
        for number in 0..<4 { #expect(records.read(key(number), at(0)) != nil) }
        #expect(put(&records, 4, owner: waiting(in: 1, "evil"), at(0)) == .stored)
        #expect(put(&records, 5, owner: waiting(in: 1, "evil"), at(0)) == .stored)
        for number in 0..<6 { #expect((records.read(key(number), at(0)) != nil) == (number > 1)) }
    }

    @Test func `where the oldest that a browser leaves make no room, they stay, in their order`() {
        let large = SingleUseKey.longestValue
        var records = Records(capacity: 8, maximumBytes: large + 2 * Records.overhead)
        for number in 0..<2 { #expect(put(&records, number, owner: waiting(in: 1), at(0)) == .stored) }
        #expect(put(&records, 9, bytes: 1000, at(0)) == .stored)
        #expect(put(&records, 2, bytes: large, owner: waiting(in: 1), at(0)) == .full)
        for number in 3..<6 { #expect(put(&records, number, owner: waiting(in: 1), at(0)) == .stored) }
        for number in [0, 1] { #expect((records.read(key(number), at(0)) != nil) == (number == 1)) }
    }

    /// A new user at a provider.
    private func stranger(_ number: Int, _ provider: String) -> SingleUseOwner {
        .owner(issuer: provider, subject: "\(number)", provider: .provider(issuer: provider))
    }

    @Test func `one provider uses at most half of the number; the other half is for others`() {
        var records = Records(capacity: 8, maximumBytes: 1 << 20)
        for number in 0..<4 { #expect(put(&records, number, owner: stranger(number, "evil"), at(0)) == .stored) }
        #expect(put(&records, 4, owner: stranger(4, "evil"), at(0)) == .tooManyOfProvider)
        for number in 5..<9 { #expect(put(&records, number, owner: stranger(number, "good"), at(0)) == .stored) }
        #expect(put(&records, 9, owner: stranger(9, "third"), at(0)) == .full)
        // What is taken makes room, what ends too.
        #expect(records.take(key(1), at(1)) != nil)
        #expect(put(&records, 10, owner: stranger(10, "evil"), at(1)) == .stored)
        #expect(put(&records, 11, owner: stranger(11, "evil"), at(59)) == .tooManyOfProvider)
        #expect(put(&records, 11, owner: stranger(11, "evil"), at(60)) == .stored)
        records.advance(to: at(1000))
        #expect(records.ownerCounts == (0, 0))
    }

    @Test func `a provider takes half of the bytes`() {
        let size = 1000 + Records.overhead
        var records = Records(capacity: 1000, maximumBytes: 8 * size)
        for number in 0..<4 {
            #expect(put(&records, number, bytes: 1000, owner: stranger(number, "evil"), at(0)) == .stored)
        }
        #expect(put(&records, 4, owner: stranger(4, "evil"), at(0)) == .tooManyOfProvider)
        #expect(put(&records, 5, bytes: 1000, owner: stranger(5, "good"), at(0)) == .stored)
        #expect(records.take(key(3), at(0)) != nil)
        #expect(put(&records, 6, bytes: 1001, owner: stranger(6, "evil"), at(0)) == .tooManyOfProvider)
        #expect(put(&records, 6, bytes: 1000, owner: stranger(6, "evil"), at(0)) == .stored)
    }

    @Test func `one provider alone takes all of it`() {
        var records = Records(capacity: 8, maximumBytes: 1 << 20)
        for number in 0..<8 {
            let owner = SingleUseOwner.owner(issuer: "i", subject: "\(number)")
            #expect(put(&records, number, owner: owner, at(0)) == .stored)
        }
        #expect(put(&records, 8, owner: .owner(issuer: "i", subject: "8"), at(0)) == .full)
    }

    @Test func `the numbers of providers that have no records any more are given away again`() {
        var room = SingleUseRoom(capacity: 4, maximumBytes: 100)
        for round in 0..<100 {
            let provider = SingleUseKey.provider(issuer: "https://\(round).example")
            let share = room.add(provider, bytes: 50)
            #expect(share == 0)
            #expect(room.refusal(for: provider, bytes: 1) == .tooManyOfProvider)
            #expect(room.refusal(for: nil, bytes: 50) == nil)
            room.remove(share, bytes: 50)
            #expect(room.refusal(for: provider, bytes: 50) == nil)
        }
        #expect(room.providerCount == 0)
        #expect(room.add(nil, bytes: 1000) == SingleUseRoom.noShare)
        #expect(room.refusal(for: nil, bytes: 0) == .full)
        room.remove(SingleUseRoom.noShare, bytes: 1000)
        #expect(room.count == 0 && room.bytes == 0)
    }

    @Test(arguments: 0..<8)
    func `taken in any order, and ended in any order, nothing is left`(seed: Int) {
        var records = Records(capacity: 1000, maximumBytes: 1 << 20)
        for number in 0..<64 {
            #expect(put(&records, number, for: Int64(1 + number % 3), at(0)) == .stored)
        }
        for number in 0..<64 where (number * 7 + seed) % 5 < 3 { #expect(records.take(key(number), at(0)) != nil) }
        for number in 0..<64 { #expect((records.read(key(number), at(0)) != nil) == ((number * 7 + seed) % 5 >= 3)) }
        for second: Int64 in 1...3 { records.advance(to: at(second)) }
        #expect(records.count == 0)
        #expect(records.bytes == 0)
    }

    @Test(arguments: [3600, 86_400, 315_360_000] as [Int64])
    func `one ends when either clock says so`(step: Int64) {
        var records = Records(capacity: 10, maximumBytes: 1 << 20)
        #expect(put(&records, 1, at(0)) == .stored)
        #expect(records.read(key(1), at(59, wall: -step)) != nil)
        #expect(records.read(key(1), at(60, wall: -step)) == nil)
        #expect(records.read(key(1), at(1, wall: step)) == nil)
        #expect(records.read(key(1), at(1)) != nil)
        records.advance(to: at(60, wall: -step))
        #expect(records.count == 0)
    }
}
