// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// When a key id that is not in the key set is worth a fetch: at once for the first, whatever was fetched before, then
/// not for a while whatever the id, and for an id that was looked for in vain ever more seldom.
///
/// Ids come from tokens that nobody has verified yet: somebody who makes up a thousand a second causes one fetch per
/// ``cooldown``, and somebody who repeats one does not use that up for a key that was really rotated in.
package struct UnknownKeyIDs: Sendable {
    /// Seconds between two fetches for unknown ids.
    package static let cooldown: Int64 = 30
    /// The longest pause for one id, seconds.
    package static let longestPause: Int64 = 600
    /// The most ids that are remembered; beyond it the one that was missed longest ago is forgotten.
    package static let mostEntries = 100

    private struct Entry: Sendable {
        let keyID: WireText
        var missedAt: Int64
        var pause: Int64
    }

    private var lastFetch: Int64?
    private var entries: [Entry] = []

    package init() {}

    /// How many ids are remembered.
    package var count: Int { entries.count }

    /// Whether to fetch for this id now; if so, the cooldown begins. A clock that went back holds nobody up.
    package mutating func admits(_ keyID: WireText, now: Int64) -> Bool {
        if let lastFetch, (0..<Self.cooldown).contains(now - lastFetch) { return false }
        if let entry = entries.first(where: { $0.keyID.hasSameBytes(as: keyID) }),
            (0..<entry.pause).contains(now - entry.missedAt)
        {
            return false
        }
        lastFetch = now
        return true
    }

    /// The fetch that was admitted for this id ended, and the id was not in what came. Its pause began with the fetch.
    package mutating func missed(_ keyID: WireText) {
        guard let now = lastFetch else { return }
        if let index = entries.firstIndex(where: { $0.keyID.hasSameBytes(as: keyID) }) {
            entries[index].missedAt = now
            entries[index].pause = min(entries[index].pause * 2, Self.longestPause)
            return
        }
        if entries.count >= Self.mostEntries,
            let oldest = entries.indices.min(by: { entries[$0].missedAt < entries[$1].missedAt })
        {
            entries.remove(at: oldest)
        }
        entries.append(Entry(keyID: keyID, missedAt: now, pause: Self.cooldown))
    }

    /// The fetch that was admitted came to nothing: the next one need not wait for the whole cooldown, only as long as
    /// after any first failure.
    package mutating func failed(now: Int64) {
        lastFetch = now - (Self.cooldown - FailurePause.first)
    }

    /// A set came: what is in it is not unknown.
    package mutating func fetched(_ keys: KeySet) {
        entries.removeAll { keys.contains(keyID: $0.keyID) }
    }
}
