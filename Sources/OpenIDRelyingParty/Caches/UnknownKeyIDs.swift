// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// Decides whether a key ID that is not in the key set is worth a fetch. The first one is, whatever was fetched before.
/// After that there is a cooldown for all key IDs, and a growing pause for one that was not found.
///
/// Key IDs come from tokens that are not verified yet. A client that makes up many of them causes at most one fetch per
/// ``cooldown``, and one that repeats the same key ID does not delay the fetch for a key that was rotated in.
package struct UnknownKeyIDs: Sendable {
    /// The time between two fetches for unknown key IDs, in seconds.
    package static let cooldown: Int64 = 30
    /// The longest pause for one key ID, in seconds.
    package static let longestPause: Int64 = 600
    /// The maximum number of key IDs that are remembered. Beyond it, the one that was missed longest ago is forgotten.
    package static let mostEntries = 100

    private struct Entry: Sendable {
        let keyID: WireText
        var missedAt: Int64
        var pause: Int64
    }

    private var lastFetch: Int64?
    private var entries: [Entry] = []

    package init() {}

    /// The number of key IDs that are remembered.
    package var count: Int { entries.count }

    /// Whether to fetch the keys for this key ID now. If so, the cooldown begins. A clock that went back ends the
    /// cooldown.
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

    /// Records that the admitted fetch ended and its key set does not contain this key ID. The pause counts from the
    /// start of the fetch.
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

    /// Records that the admitted fetch failed. The next one need not wait for the whole cooldown, only for as long as
    /// after any first failure.
    package mutating func failed(now: Int64) {
        lastFetch = now - (Self.cooldown - FailurePause.first)
    }

    /// Records a fetched key set, whose key IDs are no longer unknown.
    package mutating func fetched(_ keys: KeySet) {
        entries.removeAll { keys.contains(keyID: $0.keyID) }
    }
}
