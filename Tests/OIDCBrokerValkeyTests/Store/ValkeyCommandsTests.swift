// SPDX-License-Identifier: Apache-2.0

import SingleUse
import Testing

@testable import OIDCBrokerValkey

/// What the store asks.
struct ValkeyCommandsTests {
    private let commands = ValkeyCommands(prefix: "test")
    private let key = SingleUseKey(bytes: [UInt8](repeating: 0xA7, count: 32))
    private let attempt = SingleUseAttempt()

    private var claimName: RESPCommand.Argument {
        .bytes(Array("test:c:\(String(repeating: "a7", count: 32))".utf8))
    }

    private var valueName: RESPCommand.Argument {
        .bytes(Array("test:v:\(String(repeating: "a7", count: 32))".utf8))
    }

    @Test func `claims and values have keys of their own`() {
        #expect(
            commands.claim(key, attempt: attempt, lifetime: .seconds(2))
                == RESPCommand("SET", claimName, .bytes(attempt.bytes), "NX", "GET", "PX", "2000"))
        #expect(commands.claimant(of: key) == RESPCommand("GET", claimName))
        #expect(commands.isClaimed(key) == RESPCommand("EXISTS", claimName))
        #expect(
            commands.put(key, value: [1, 2], lifetime: .seconds(2))
                == RESPCommand("SET", valueName, .bytes([1, 2]), "PX", "2000"))
        #expect(commands.read(key) == RESPCommand("GET", valueName))
        #expect(commands.removeTaken(key) == RESPCommand("UNLINK", valueName))
    }

    @Test func `where standbys are waited for, claims are made by a script too`() {
        let confirmed = ValkeyCommands(prefix: "test", isConfirmed: true)
        #expect(
            confirmed.claim(key, attempt: attempt, lifetime: .seconds(2))
                == RESPCommand(
                    "EVAL", .text(ValkeyCommands.confirmedClaimScript), "1", claimName, .bytes(attempt.bytes), "2000"))
        #expect(
            confirmed.take(key, attempt: attempt, claimLifetime: .seconds(2))
                == RESPCommand(
                    "EVAL", .text(ValkeyCommands.confirmedTakeScript), "2", valueName, claimName,
                    .bytes(attempt.bytes), "2000"))
    }

    @Test func `what takes several steps is a constant script`() {
        #expect(
            commands.take(key, attempt: attempt, claimLifetime: .seconds(2))
                == RESPCommand(
                    "EVAL", .text(ValkeyCommands.takeScript), "2", valueName, claimName, .bytes(attempt.bytes), "2000"))
        #expect(
            commands.remove(key, ifEqual: [1, 2])
                == RESPCommand("EVAL", .text(ValkeyCommands.removeScript), "1", valueName, .bytes([1, 2])))
    }
}
