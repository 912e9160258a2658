// SPDX-License-Identifier: Apache-2.0

import SingleUse

/// What the answers to ``ValkeyCommands`` mean. Everything that is no such answer is an error.
enum ValkeyAnswers {
    /// The answer to ``ValkeyCommands/claim(_:attempt:lifetime:)``; `nil` if the memory of the server is full. It says
    /// that even if the key is claimed already, so ``ValkeyCommands/claimant(of:)`` has to be asked.
    static func claim(
        _ answer: RESPValue, by attempt: SingleUseAttempt
    ) throws(ValkeyStoreError) -> SingleUseClaim? {
        switch answer {
        case .null: return .won
        case .bulk(let claimant): return claimant == attempt.bytes ? .won : .lost
        case .error where isOutOfMemory(answer): return nil
        default: throw ValkeyStoreError(unexpected: answer)
        }
    }

    /// The answer to ``ValkeyCommands/claimant(of:)`` where the memory of the server is full.
    static func claim(
        ofClaimant answer: RESPValue, by attempt: SingleUseAttempt
    ) throws(ValkeyStoreError) -> SingleUseClaim {
        switch answer {
        case .null: return .full
        case .bulk(let claimant): return claimant == attempt.bytes ? .won : .lost
        default: throw ValkeyStoreError(unexpected: answer)
        }
    }

    /// The answer to ``ValkeyCommands/put(_:value:lifetime:)``.
    static func put(_ answer: RESPValue) throws(ValkeyStoreError) -> SingleUsePut {
        if answer == .simple("OK") { return .stored }
        if isOutOfMemory(answer) { return .full }
        throw ValkeyStoreError(unexpected: answer)
    }

    /// The answer to ``ValkeyCommands/take(_:attempt:claimLifetime:)``.
    static func take(_ answer: RESPValue) throws(ValkeyStoreError) -> SingleUseTake {
        guard case .array(let parts) = answer, let first = parts.first else {
            throw ValkeyStoreError(unexpected: answer)
        }
        switch (first, parts.count) {
        case (.integer(0), 1): return .absent
        case (.integer(1), 1): return .taken
        case (.integer(2), 2):
            guard case .bulk(let value) = parts[1] else { throw ValkeyStoreError(unexpected: answer) }
            return .value(value)
        default: throw ValkeyStoreError(unexpected: answer)
        }
    }

    /// The answer to ``ValkeyCommands/read(_:)``.
    static func read(_ answer: RESPValue) throws(ValkeyStoreError) -> [UInt8]? {
        switch answer {
        case .null: return nil
        case .bulk(let value): return value
        default: throw ValkeyStoreError(unexpected: answer)
        }
    }

    /// The answer to ``ValkeyCommands/remove(_:ifEqual:)``.
    static func remove(_ answer: RESPValue) throws(ValkeyStoreError) {
        guard case .integer = answer else { throw ValkeyStoreError(unexpected: answer) }
    }

    /// The answer to ``ValkeyCommands/isClaimed(_:)``.
    static func isClaimed(_ answer: RESPValue) throws(ValkeyStoreError) -> Bool {
        switch answer {
        case .integer(0): return false
        case .integer(1): return true
        default: throw ValkeyStoreError(unexpected: answer)
        }
    }

    /// The claim, if standbys confirmed it or not.
    static func claim(_ claim: SingleUseClaim, isConfirmed: Bool) -> SingleUseClaim {
        claim == .won && !isConfirmed ? .wonUnconfirmed : claim
    }

    /// The answer to ``ValkeyCommands/put(_:value:lifetime:)``, if standbys confirmed it or not.
    static func put(_ answer: ConfirmedAnswer) throws(ValkeyStoreError) -> SingleUsePut {
        let put = try Self.put(answer.value)
        return put == .stored && !answer.isConfirmed ? .storedUnconfirmed : put
    }

    /// The answer to ``ValkeyCommands/take(_:attempt:claimLifetime:)``, if standbys confirmed it or not.
    static func take(_ answer: ConfirmedAnswer) throws(ValkeyStoreError) -> SingleUseTake {
        let take = try Self.take(answer.value)
        guard let value = take.value, !answer.isConfirmed else { return take }
        return .value(value, isConfirmed: false)
    }

    private static func isOutOfMemory(_ answer: RESPValue) -> Bool {
        guard case .error(let text) = answer else { return false }
        return text.hasPrefix("OOM")
    }
}
