// SPDX-License-Identifier: Apache-2.0

import Testing
import TestingSupport

@testable import OIDCBrokerOperations

/// What looking at the files of a key leads to, without files.
@Suite struct AppleKeyReloadStateMachineTests {
    private typealias Machine = AppleKeyReload.StateMachine
    private let current = Machine.Contents(privateKey: "old", keyID: "OLDKEY0001")
    private let new = Machine.Contents(privateKey: "new", keyID: "NEWKEY0001")

    @Test(.attack(.applePrivateKey)) func `what is in use already changes nothing`() {
        var machine = Machine()
        for _ in 0..<3 { #expect(machine.looked(current, current: current) == .none) }
    }

    @Test(.attack(.applePrivateKey)) func `a new key is taken when it was seen twice in a row`() {
        var machine = Machine()
        #expect(machine.looked(new, current: current) == .none)
        #expect(machine.looked(new, current: current) == .replace(new))
        #expect(machine.looked(new, current: new) == .none)
    }

    @Test(.attack(.applePrivateKey)) func `one file of two is not taken before the other`() {
        var machine = Machine()
        let half = Machine.Contents(privateKey: new.privateKey, keyID: current.keyID)
        #expect(machine.looked(half, current: current) == .none)
        #expect(machine.looked(new, current: current) == .none)
        #expect(machine.looked(new, current: current) == .replace(new))
    }

    @Test(.attack(.applePrivateKey)) func `what was refused is not tried again, until it is another`() {
        var machine = Machine()
        let broken = Machine.Contents(privateKey: "broken", keyID: current.keyID)
        _ = machine.looked(broken, current: current)
        #expect(machine.looked(broken, current: current) == .replace(broken))
        machine.refused(broken)
        for _ in 0..<3 { #expect(machine.looked(broken, current: current) == .none) }
        _ = machine.looked(new, current: current)
        #expect(machine.looked(new, current: current) == .replace(new))
        // Repaired and broken again: it is tried again.
        #expect(machine.looked(current, current: current) == .none)
        _ = machine.looked(broken, current: current)
        #expect(machine.looked(broken, current: current) == .replace(broken))
    }

    @Test(.attack(.applePrivateKey)) func `an unreadable file is reported once`() {
        var machine = Machine()
        #expect(machine.looked(nil, current: current) == .report)
        for _ in 0..<3 { #expect(machine.looked(nil, current: current) == .none) }
        #expect(machine.looked(current, current: current) == .none)
        #expect(machine.looked(nil, current: current) == .report)
        // A failed read between two equal ones: they are not successive.
        _ = machine.looked(new, current: current)
        _ = machine.looked(nil, current: current)
        #expect(machine.looked(new, current: current) == .none)
    }
}
