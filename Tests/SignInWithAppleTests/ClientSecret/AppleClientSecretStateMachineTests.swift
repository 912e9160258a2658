// SPDX-License-Identifier: Apache-2.0

import OpenIDRelyingParty
import SignInWithApple
import Testing
import TestingSupport

/// The client secret's life without threads, clock or signature.
@Suite struct AppleClientSecretStateMachineTests {
    private typealias Machine = AppleClientSecret.StateMachine

    /// Requests a secret, and fulfills the request for a signature with a secret that contains the time of its
    /// creation.
    private func ask(_ machine: inout Machine, _ clientID: String, _ now: Int64) -> (secret: String?, isSigned: Bool) {
        switch machine.ask(clientID: clientID, now: now) {
        case .use(let secret): return (secret.exposed, false)
        case .sign(let key, let issuedAt, let expiry):
            let secret = Secret("\(key.keyID) \(clientID) \(issuedAt) \(expiry)")
            machine.signed(secret, clientID: clientID, issuedAt: issuedAt)
            return (secret.exposed, true)
        case .fail: return (nil, false)
        }
    }

    @Test(.attack(.appleClientSecret)) func `a thousand asks in a window make one signature`() throws {
        var machine = Machine(key: try Apple.key(), lifetime: 600)
        var signatures = 0
        var secrets: Set<String?> = []
        for number in 0..<1000 {
            let response = ask(&machine, Apple.servicesID, Apple.now + Int64(number) * 299 / 999)
            signatures += response.isSigned ? 1 : 0
            secrets.insert(response.secret)
        }
        #expect(signatures == 1)
        #expect(secrets == ["\(Apple.keyID) \(Apple.servicesID) \(Apple.now) \(Apple.now + 600)"])
    }

    @Test(
        .attack(.appleClientSecret),
        arguments: [(299, false), (300, true), (301, true), (599, true), (600, true), (100_000, true)])
    func `it is remade at half its life`(after: Int64, isRemade: Bool) throws {
        var machine = Machine(key: try Apple.key(), lifetime: 600)
        #expect(ask(&machine, Apple.servicesID, Apple.now).isSigned)
        #expect(ask(&machine, Apple.servicesID, Apple.now + after).isSigned == isRemade)
    }

    @Test(
        .attack(.appleClientSecret),
        arguments: [
            (600, 600), (15_777_000, 15_777_000), (15_777_001, 15_777_000), (Int64.max / 4, 15_777_000), (0, 2),
            (-5, 2),
        ] as [(Int64, Int64)])
    func `it never lives longer than Apple allows`(wanted: Int64, lifetime: Int64) throws {
        var machine = Machine(key: try Apple.key(), lifetime: wanted)
        guard case .sign(_, let issuedAt, let expiry) = machine.ask(clientID: Apple.servicesID, now: Apple.now) else {
            Issue.record("nothing to sign")
            return
        }
        #expect(issuedAt == Apple.now)
        #expect(expiry - issuedAt == lifetime)
    }

    @Test func `each client id has a secret of its own`() throws {
        var machine = Machine(key: try Apple.key(), lifetime: 600)
        let web = ask(&machine, Apple.servicesID, Apple.now)
        let native = ask(&machine, Apple.bundleID, Apple.now + 10)
        #expect(web.isSigned && native.isSigned)
        #expect(web.secret != native.secret)
        #expect(ask(&machine, Apple.servicesID, Apple.now + 20).secret == web.secret)
        #expect(ask(&machine, Apple.bundleID, Apple.now + 309).secret == native.secret)
        // K and U+212A, the Kelvin sign, are the same to String's ==.
        #expect(ask(&machine, "com.example.K", Apple.now).isSigned)
        #expect(ask(&machine, "com.example.\u{212A}", Apple.now).isSigned)
    }

    @Test(.attack(.applePrivateKey)) func `a replaced key is used from the next ask on`() throws {
        var machine = Machine(key: try Apple.key(), lifetime: 600)
        _ = ask(&machine, Apple.servicesID, Apple.now)
        machine.replaceKey(try Apple.key(keyID: "NEWKEY0001"))
        let response = ask(&machine, Apple.servicesID, Apple.now + 1)
        #expect(response.isSigned)
        #expect(response.secret?.hasPrefix("NEWKEY0001 ") == true)
        #expect(ask(&machine, Apple.servicesID, Apple.now + 2).secret == response.secret)
    }

    @Test func `a clock that goes back makes a new one, whose time is not in the future`() throws {
        var machine = Machine(key: try Apple.key(), lifetime: 600)
        _ = ask(&machine, Apple.servicesID, Apple.now)
        let response = ask(&machine, Apple.servicesID, Apple.now - 1)
        #expect(response.isSigned)
        #expect(response.secret?.hasSuffix("\(Apple.now - 1) \(Apple.now + 599)") == true)
        #expect(!ask(&machine, Apple.servicesID, Apple.now - 1).isSigned)
        #expect(!ask(&machine, Apple.servicesID, Apple.now).isSigned)
    }

    @Test func `without a key nothing is signed`() throws {
        var machine = Machine(key: nil, lifetime: 600)
        #expect(ask(&machine, Apple.servicesID, Apple.now).secret == nil)
        machine.replaceKey(try Apple.key())
        #expect(ask(&machine, Apple.servicesID, Apple.now).isSigned)
    }

    @Test func `where signing fails the old one serves while it lives`() throws {
        var machine = Machine(key: try Apple.key(), lifetime: 600)
        #expect(machine.failed(clientID: Apple.servicesID, now: Apple.now) == nil)
        let secret = ask(&machine, Apple.servicesID, Apple.now).secret
        #expect(machine.failed(clientID: Apple.servicesID, now: Apple.now + 599)?.exposed == secret)
        #expect(machine.failed(clientID: Apple.servicesID, now: Apple.now + 600) == nil)
        #expect(machine.failed(clientID: Apple.servicesID, now: Apple.now - 1) == nil)
    }

    @Test func `what Apple makes of it is news once`() throws {
        var machine = Machine(key: try Apple.key(), lifetime: 600)
        #expect(machine.isUnknown(clientID: Apple.servicesID))
        let findings = [true, true, false, false, true].map {
            machine.found(clientID: Apple.servicesID, isUsable: $0)
        }
        #expect(findings == [true, false, true, false, true])
        #expect(!machine.isUnknown(clientID: Apple.servicesID))
        machine.replaceKey(try Apple.key())
        #expect(machine.isUnknown(clientID: Apple.servicesID))
    }

    @Test func `of a client that is retired nothing is recorded until it is restored`() throws {
        var machine = Machine(key: try Apple.key(), lifetime: 600)
        for clientID in [Apple.servicesID, Apple.bundleID] {
            _ = ask(&machine, clientID, Apple.now)
            _ = machine.found(clientID: clientID, isUsable: false)
        }
        machine.retire([Apple.servicesID])
        #expect(machine.isUnknown(clientID: Apple.servicesID))
        #expect(!machine.isUnknown(clientID: Apple.bundleID))
        // A request under way gets a secret all the same.
        #expect(ask(&machine, Apple.servicesID, Apple.now).isSigned)
        let whileRetired = [true, false].map { machine.found(clientID: Apple.servicesID, isUsable: $0) }
        #expect(whileRetired == [false, false])
        #expect(machine.isUnknown(clientID: Apple.servicesID))
        let other = machine.found(clientID: Apple.bundleID, isUsable: true)
        #expect(other)
        // One that was not retired loses nothing.
        machine.restore([Apple.servicesID, Apple.bundleID])
        #expect(ask(&machine, Apple.servicesID, Apple.now).isSigned)
        #expect(!ask(&machine, Apple.bundleID, Apple.now).isSigned)
        #expect(!machine.isUnknown(clientID: Apple.bundleID))
        let restored = machine.found(clientID: Apple.servicesID, isUsable: false)
        #expect(restored)
    }

    @Test func `no more clients are remembered than the limit`() throws {
        var machine = Machine(key: try Apple.key(), lifetime: 600)
        for number in 0...Machine.maximumClients { _ = ask(&machine, "client-\(number)", Apple.now) }
        #expect(ask(&machine, "client-0", Apple.now).isSigned)
        #expect(!ask(&machine, "client-\(Machine.maximumClients)", Apple.now).isSigned)
    }
}
