// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The refresh tokens of an app's session. The newest one is current (RFC 9700 section 4.14.2): a state machine without
/// a store and a clock. Times are in seconds since 1970.
package struct RefreshTokenFamily: Sendable, Hashable {
    /// The maximum number of rotations over which a token is proved to be of the family.
    package static let provableRotations: UInt32 = 256
    /// The number of rotations whose times are kept.
    static let keptTimes = 8

    /// The SHA-256 hash of the secret of the newest token.
    package private(set) var secretHash: [UInt8]
    /// The number of rotations.
    package private(set) var generation: UInt32
    /// The identifier of the key of the newest token.
    package private(set) var keyID: [UInt8]
    /// The times of the last rotations, the newest last.
    package private(set) var rotations: [Int64]

    package init(secretHash: [UInt8], generation: UInt32, keyID: [UInt8], rotations: [Int64]) {
        self.secretHash = secretHash
        self.generation = generation
        self.keyID = keyID
        self.rotations = rotations
    }

    /// Creates the family of a first token.
    package init(_ first: AppRefreshToken, under key: SuccessorKeys.Key) {
        self.init(secretHash: first.secretHash, generation: 0, keyID: key.id, rotations: [])
    }

    /// How long a token that was replaced may come again.
    package struct Repetition: Sendable, Hashable {
        let seconds: Int64
        let absence: StoreAbsence

        /// Creates the time.
        /// - Parameters:
        ///   - seconds: Its length; 0 for never.
        ///   - absence: When the store was last away. Who got no answer then had to wait for it.
        package init(seconds: Int64, absence: StoreAbsence) {
            self.seconds = seconds
            self.absence = absence
        }

        /// Whether a token that was replaced at a time may come again.
        func includes(_ now: Int64, since replacedAt: Int64) -> Bool {
            // Of whole seconds, the last one counts too.
            let end = replacedAt + seconds
            // If that passed before the store went away, no app had to wait: the token could also be a thief's.
            return seconds > 0 && (now <= end || (absence.begin <= end && now <= absence.end + seconds))
        }
    }

    /// What a presented token is.
    package enum Finding {
        /// The newest one.
        case current
        /// The immediate predecessor of the newest one, which was not used: the answer was lost, or the app asked twice.
        case repeated(successor: AppRefreshToken)
        /// One whose successor was used, and that would come again in time. It is refused, and nothing ends.
        case superseded
        /// One that comes again otherwise: two have it.
        case reused
        /// None that is known to be of the family. The identifier of the session is no secret, so nothing ends.
        case unproved
    }

    /// Finds out what a token of the session is.
    package func find(
        _ token: AppRefreshToken, keys: SuccessorKeys, repetition: Repetition, now: Int64
    ) -> Finding {
        guard token.generation < generation else {
            return token.generation == generation && isNewest(token) ? .current : .unproved
        }
        let rotationsSince = generation - token.generation
        guard rotationsSince <= Self.provableRotations, let key = keys.key(keyID) else { return .unproved }
        var newest = token
        for _ in 0..<rotationsSince { newest = newest.successor(under: key) }
        guard isNewest(newest) else { return .unproved }
        // A rotation whose time is not kept counts as the oldest one whose time is, which was later.
        let index = max(0, rotations.count - Int(rotationsSince))
        guard index < rotations.count, repetition.includes(now, since: rotations[index]) else { return .reused }
        return rotationsSince == 1 ? .repeated(successor: newest) : .superseded
    }

    /// Replaces the newest token.
    /// - Returns: Its successor.
    package mutating func rotate(_ newest: AppRefreshToken, under key: SuccessorKeys.Key, now: Int64) -> AppRefreshToken
    {
        let successor = newest.successor(under: key)
        secretHash = successor.secretHash
        generation = successor.generation
        keyID = key.id
        rotations = rotations.suffix(Self.keptTimes - 1) + [now]
        return successor
    }

    private func isNewest(_ token: AppRefreshToken) -> Bool { ConstantTime.equal(token.secretHash, secretHash) }
}
