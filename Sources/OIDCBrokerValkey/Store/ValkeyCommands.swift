// SPDX-License-Identifier: Apache-2.0

import JOSE
import SingleUse

/// The commands of the store, with their keys.
struct ValkeyCommands: Sendable {
    private let claimPrefix: [UInt8]
    private let valuePrefix: [UInt8]
    private let isConfirmed: Bool

    /// - Parameters:
    ///   - prefix: What all keys begin with.
    ///   - isConfirmed: Whether standbys are waited for. What the same attempt asks again is written again then.
    init(prefix: String, isConfirmed: Bool = false) {
        self.isConfirmed = isConfirmed
        claimPrefix = Array((prefix + ":c:").utf8)
        valuePrefix = Array((prefix + ":v:").utf8)
    }

    /// Claims a key unless it is claimed; answers with the attempt that claimed it before.
    func claim(_ key: SingleUseKey, attempt: SingleUseAttempt, lifetime: Duration) -> RESPCommand {
        let milliseconds = RESPCommand.Argument.number(lifetime.lifetimeInMilliseconds)
        guard isConfirmed else {
            return RESPCommand("SET", claimName(key), .bytes(attempt.bytes), "NX", "GET", "PX", milliseconds)
        }
        return RESPCommand(
            "EVAL", .text(Self.confirmedClaimScript), "1", claimName(key), .bytes(attempt.bytes), milliseconds)
    }

    /// Asks who claimed a key.
    func claimant(of key: SingleUseKey) -> RESPCommand {
        RESPCommand("GET", claimName(key))
    }

    /// Asks whether a key is claimed.
    func isClaimed(_ key: SingleUseKey) -> RESPCommand {
        RESPCommand("EXISTS", claimName(key))
    }

    /// Stores a value.
    func put(_ key: SingleUseKey, value: [UInt8], lifetime: Duration) -> RESPCommand {
        RESPCommand("SET", valueName(key), .bytes(value), "PX", .number(lifetime.lifetimeInMilliseconds))
    }

    /// Asks for a value.
    func read(_ key: SingleUseKey) -> RESPCommand {
        RESPCommand("GET", valueName(key))
    }

    /// Takes a value.
    func take(_ key: SingleUseKey, attempt: SingleUseAttempt, claimLifetime: Duration) -> RESPCommand {
        let script = isConfirmed ? Self.confirmedTakeScript : Self.takeScript
        return RESPCommand(
            "EVAL", .text(script), "2", valueName(key), claimName(key), .bytes(attempt.bytes),
            .number(claimLifetime.lifetimeInMilliseconds))
    }

    /// Removes a value that was taken.
    func removeTaken(_ key: SingleUseKey) -> RESPCommand {
        RESPCommand("UNLINK", valueName(key))
    }

    /// Removes a value if it is the given one.
    func remove(_ key: SingleUseKey, ifEqual value: [UInt8]) -> RESPCommand {
        RESPCommand("EVAL", .text(Self.removeScript), "1", valueName(key), .bytes(value))
    }

    private func claimName(_ key: SingleUseKey) -> RESPCommand.Argument {
        .bytes(claimPrefix + Hexadecimal.encode(key.bytes))
    }

    private func valueName(_ key: SingleUseKey) -> RESPCommand.Argument {
        .bytes(valuePrefix + Hexadecimal.encode(key.bytes))
    }
}
