// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import OpenIDRelyingParty
import Testing
import TestingSupport

@Suite(.onSockets, .timeLimit(.minutes(10))) struct KeyRotationTests {
    @Test func `keys rotated between two sign-ins are fetched again, once`() async throws {
        try await SignInSession.run { session in
            #expect(try await session.signIn().subject == "person-ada")
            #expect(session.requests(to: "/jwks").count == 1)
            try session.provider.rotateKeys()
            #expect(try await session.signIn().subject == "person-ada")
            #expect(session.requests(to: "/jwks").count == 2)
            #expect(try await session.signIn().subject == "person-ada")
            #expect(session.requests(to: "/jwks").count == 2)
        }
    }

    @Test func `keys rotated just before the signing are fetched again within the same sign-in`() async throws {
        try await SignInSession.run { session in
            do {
                let value = try await session.signIn().subject
                #expect(value == "person-ada")
            }
            session.provider.set(.rotatedJustBeforeSigning)
            do {
                let value = try await session.signIn().subject
                #expect(value == "person-ada")
            }
            #expect(session.requests(to: "/jwks").count == 2)
        }
    }

    @Test func `the very first sign-in takes keys rotated just before the signing`() async throws {
        try await SignInSession.run { session in
            session.provider.set(.rotatedJustBeforeSigning)
            do {
                let value = try await session.signIn().subject
                #expect(value == "person-ada")
            }
            #expect(session.requests(to: "/jwks").count == 1)
        }
    }

    @Test(.attack(.unknownKeyFlood))
    func `a second unknown key within the cooldown is not fetched for, and after it is`() async throws {
        try await SignInSession.run { session in
            do {
                let value = try await session.signIn().subject
                #expect(value == "person-ada")
            }
            session.provider.set(.unknownKeyID)
            for _ in 1...3 {
                let error = await #expect(throws: RelyingPartyError.self) { try await session.signIn() }
                #expect(error?.step == .idToken)
                #expect(session.requests(to: "/jwks").count == 2)
            }
            session.clock.advance(by: 29)
            await #expect(throws: RelyingPartyError.self) { try await session.signIn() }
            #expect(session.requests(to: "/jwks").count == 2)
            session.clock.advance(by: 1)
            await #expect(throws: RelyingPartyError.self) { try await session.signIn() }
            #expect(session.requests(to: "/jwks").count == 3)
            // A sign-in with a known key is not affected.
            session.provider.set(.none)
            do {
                let value = try await session.signIn().subject
                #expect(value == "person-ada")
            }
            #expect(session.requests(to: "/jwks").count == 3)
        }
    }

    @Test(.attack(.staleProviderDocuments))
    func `while the key set cannot be fetched, known keys still verify`() async throws {
        try await SignInSession.run { session in
            do {
                let value = try await session.signIn().subject
                #expect(value == "person-ada")
            }
            session.provider.set(.keySetUnavailable)
            session.clock.advance(by: 3600)
            do {
                let value = try await session.signIn().subject
                #expect(value == "person-ada")
            }
            session.clock.advance(by: 3599)
            do {
                let value = try await session.signIn().subject
                #expect(value == "person-ada")
            }
            // An hour past their expiry they do not.
            session.clock.advance(by: 1)
            let error = await #expect(throws: RelyingPartyError.self) { try await session.signIn() }
            #expect(error?.step == .keySet)
            #expect(error?.isTemporary == true)
        }
    }

    @Test(.attack(.providerDownAtStart))
    func `a provider that was down at the start is asked again after two seconds, and recovers`() async throws {
        try await SignInSession.run { session in
            session.provider.set(.discoveryUnavailable)
            for _ in 1...3 {
                let error = await #expect(throws: RelyingPartyError.self) { try await session.signIn() }
                #expect(error == RelyingPartyError.status(.discovery, 503))
            }
            #expect(session.paths == ["/.well-known/openid-configuration"])
            session.provider.set(.none)
            session.clock.advance(by: 2)
            do {
                let value = try await session.signIn().subject
                #expect(value == "person-ada")
            }
        }
    }
}
