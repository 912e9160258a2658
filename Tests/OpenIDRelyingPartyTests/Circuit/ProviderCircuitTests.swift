// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing
import TestingSupport

/// What opens a relying party's circuit, and what an open one costs.
@Suite struct ProviderCircuitTests {
    struct Ending: Sendable, CustomStringConvertible {
        let description: String
        let result: Result<ProviderResponse, ProviderTransportError>

        init(_ error: ProviderTransportError) {
            description = error.description
            result = .failure(error)
        }

        init(status: Int, retryAfter: String? = nil) {
            description = "status \(status), Retry-After \(retryAfter ?? "absent")"
            result = .success(
                ProviderResponse(
                    status: status, contentType: nil, body: ByteBuffer(string: "{}"), retryAfter: retryAfter))
        }
    }

    /// How many requests are admitted where each ends like this.
    private func admitted(_ failures: ProviderCircuit.Failures, _ ending: Ending, of count: Int) -> Int {
        let clock = TestClock()
        let circuit = ProviderCircuit(failures, elapsed: clock.elapsed, clock: clock)
        return (0..<count).filter { _ in
            guard let permit = circuit.admit() else { return false }
            circuit.ended(permit, ending.result.mapError { $0 })
            return true
        }.count
    }

    @Test(arguments: [
        Ending(.unreachable), Ending(.timedOut), Ending(.interrupted), Ending(.untrusted), Ending(status: 500),
        Ending(status: 502), Ending(status: 503), Ending(status: 504), Ending(status: 599), Ending(status: 429),
        Ending(status: 429, retryAfter: "soon"), Ending(status: 500, retryAfter: "60"),
        Ending(status: 503, retryAfter: "0"),
    ])
    func `five of these in a row open that of the documents`(ending: Ending) {
        #expect(admitted(.documents, ending, of: 9) == 5)
    }

    @Test(arguments: [
        Ending(status: 429, retryAfter: "60"), Ending(status: 503, retryAfter: "60"),
        Ending(status: 503, retryAfter: "Fri, 15 Jan 2027 08:00:10 GMT"),
    ])
    func `one of these opens that of the documents`(ending: Ending) {
        #expect(admitted(.documents, ending, of: 9) == 1)
    }

    @Test(arguments: [Ending(.unreachable), Ending(.untrusted)])
    func `five failed connection attempts in a row open the others`(ending: Ending) {
        #expect(admitted(.connections, ending, of: 9) == 5)
    }

    @Test(arguments: [
        Ending(.timedOut), Ending(.interrupted), Ending(status: 500), Ending(status: 502), Ending(status: 503),
        Ending(status: 504), Ending(status: 429), Ending(status: 429, retryAfter: "300"),
        Ending(status: 503, retryAfter: "300"), Ending(status: 503, retryAfter: "Fri, 15 Jan 2027 08:00:10 GMT"),
    ])
    func `what a client can provoke at a reachable provider never opens the others`(ending: Ending) {
        #expect(admitted(.connections, ending, of: 100) == 100)
    }

    @Test(arguments: [
        Ending(status: 200), Ending(status: 302), Ending(status: 400), Ending(status: 401), Ending(status: 403),
        Ending(status: 404), Ending(status: 400, retryAfter: "60"), Ending(.tooLarge), Ending(.encoded),
        Ending(.addressRefused), Ending(.unusableTrust),
    ])
    func `these never open a circuit`(ending: Ending) {
        #expect(admitted(.documents, ending, of: 100) == 100)
        #expect(admitted(.connections, ending, of: 100) == 100)
    }

    @Test(
        arguments: [
            .unreachable, .connectTimedOut, .untrusted, .timedOut, .tooLarge, .encoded, .addressRefused, .interrupted,
            .unusableTrust, .circuitOpen, .tooManyWaiting,
        ] as [ProviderTransportError])
    func `of a client's requests only failed connection attempts count`(error: ProviderTransportError) {
        #expect(admitted(.connections, Ending(error), of: 100) == (error.isConnectionFailure ? 5 : 100))
    }

    @Test(
        arguments: [.unreachable, .connectTimedOut, .timedOut, .interrupted, .circuitOpen, .tooManyWaiting]
            as [ProviderTransportError])
    func `a way to the provider that is down may be up again`(error: ProviderTransportError) {
        #expect(RelyingPartyError.transport(.token, error).isTemporary)
    }

    @Test(arguments: [Ending(.timedOut), Ending(.interrupted), Ending(status: 503, retryAfter: "300")])
    func `a client's probe closes it, whatever it provoked`(ending: Ending) throws {
        let clock = TestClock()
        let circuit = ProviderCircuit(.connections, elapsed: clock.elapsed, clock: clock)
        for _ in 1...5 {
            circuit.ended(try #require(circuit.admit()), .failure(ProviderTransportError.unreachable))
        }
        #expect(circuit.admit() == nil)
        clock.advance(by: 1)
        circuit.ended(try #require(circuit.admit()), ending.result.mapError { $0 })
        #expect(circuit.admit() == .ordinary)
    }

    @Test func `it is closed again by the clock's time and one response`() throws {
        let clock = TestClock()
        let circuit = ProviderCircuit(.documents, elapsed: clock.elapsed, clock: clock)
        let limited = Ending(status: 429, retryAfter: "60")
        circuit.ended(try #require(circuit.admit()), limited.result.mapError { $0 })
        clock.advance(by: 59)
        #expect(circuit.admit() == nil)
        clock.advance(by: 1)
        let probe = try #require(circuit.admit())
        #expect(circuit.admit() == nil)
        circuit.ended(probe, Ending(status: 200).result.mapError { $0 })
        #expect(circuit.admit() == .ordinary)
    }

    @Test(arguments: [3600, -3600, 86_400, -86_400, 315_360_000, -315_360_000] as [Int64])
    func `a wall clock that is set neither opens nor closes it`(step: Int64) throws {
        let clock = TestClock()
        let circuit = ProviderCircuit(.documents, elapsed: clock.elapsed, clock: clock)
        let limited = Ending(status: 429, retryAfter: "60")
        circuit.ended(try #require(circuit.admit()), limited.result.mapError { $0 })
        clock.step(by: step)
        #expect(circuit.admit() == nil)
        clock.advance(by: 59)
        #expect(circuit.admit() == nil)
        clock.advance(by: 1)
        #expect(circuit.admit() != nil)
    }

    @Test func `while no connection can be made nothing is sent, at once, and afterwards one request sees`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider)
        let (url, pending) = try session.begin()
        let response = try provider.answer(to: url)
        provider.behave { $0.responses["/token"] = .failure(.unreachable) }
        for _ in 1...5 {
            #expect(throws: RelyingPartyError.transport(.token, .unreachable)) {
                try session.complete(response, pending)
            }
        }
        #expect(provider.paths.filter { $0 == "/token" }.count == 5)
        for _ in 1...3 {
            let error = #expect(throws: RelyingPartyError.self) { try session.complete(response, pending) }
            #expect(error == .transport(.token, .circuitOpen))
            #expect(error?.isTemporary == true)
        }
        // Revocation goes the same way.
        #expect(throws: RelyingPartyError.transport(.revocation, .circuitOpen)) {
            try session.party.revoke(Secret("r"), on: session.loop).wait()
        }
        #expect(provider.paths.filter { $0 == "/token" }.count == 5)
        #expect(!provider.paths.contains("/revoke"))
        // The provider is back.
        provider.behave { $0.responses = [:] }
        #expect(throws: RelyingPartyError.transport(.token, .circuitOpen)) { try session.complete(response, pending) }
        provider.clock.advance(by: 1)
        #expect(try session.complete(response, pending).subject == "person-ada")
        #expect(provider.paths.filter { $0 == "/token" }.count == 6)
    }

    @Test(.attack(.hostileTokenResponse)) func `responses to codes open no circuit`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider)
        let (url, pending) = try session.begin()
        let response = try provider.answer(to: url)
        for status in [400, 429, 500, 502, 503] {
            let refusal = ProviderResponse(
                status: status, contentType: "application/json",
                body: ByteBuffer(string: #"{"error":"invalid_grant"}"#),
                retryAfter: "300")
            provider.behave { $0.responses["/token"] = .success(refusal) }
            for _ in 1...20 {
                #expect(throws: RelyingPartyError.self) { try session.complete(response, pending) }
            }
            provider.behave { $0.responses = [:] }
            #expect(try session.signIn().subject == "person-ada")
        }
        #expect(provider.paths.filter { $0 == "/token" }.count == 105)
    }

    @Test(arguments: ["/token", "/par", "/userinfo", "/revoke"])
    func `an unreachable step opens no other step's circuit`(path: String) throws {
        let provider = try TestProvider()
        let pushes = UnpluggedSession(provider) { configuration in
            configuration.pushedAuthorization = path == "/par"
            configuration.userInfo = true
        }
        provider.behave { $0.responses[path] = .failure(.unreachable) }
        for _ in 1...9 {
            if path == "/revoke" {
                #expect(throws: RelyingPartyError.self) {
                    try pushes.party.revoke(Secret("r"), on: pushes.loop).wait()
                }
            } else {
                #expect(throws: RelyingPartyError.self) { try pushes.signIn() }
            }
        }
        let reached = provider.paths.filter { $0 == path }.count
        #expect(reached == 5)
        guard path == "/userinfo" else { return }
        // The token endpoint was asked each time.
        #expect(provider.paths.filter { $0 == "/token" }.count == 9)
    }

    @Test func `an unreachable token endpoint does not stop discovery`() throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider)
        let (url, pending) = try session.begin()
        let response = try provider.answer(to: url)
        provider.behave { $0.responses["/token"] = .failure(.unreachable) }
        for _ in 1...5 { #expect(throws: RelyingPartyError.self) { try session.complete(response, pending) } }
        for _ in 1..<2880 {
            provider.clock.advance(by: 1)
            #expect(throws: RelyingPartyError.self) { try session.complete(response, pending) }
        }
        let discoveries = { provider.paths.filter { $0.hasSuffix("/openid-configuration") }.count }
        #expect(discoveries() == 1)
        // The metadata is due now, while the tokens' circuit is open.
        provider.clock.advance(by: 1)
        #expect(throws: RelyingPartyError.transport(.token, .circuitOpen)) { try session.complete(response, pending) }
        #expect(discoveries() == 2)
    }

    @Test(arguments: [429, 503])
    func `keys that are refused for a while stop no token request`(status: Int) throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider)
        let limited = ProviderResponse(status: status, contentType: nil, body: ByteBuffer(), retryAfter: "300")
        provider.behave { $0.responses["/jwks"] = .success(limited) }
        for count in 1...3 {
            #expect(try session.refusal()?.step == .keySet)
            #expect(provider.paths.filter { $0 == "/token" }.count == count)
        }
        #expect(provider.paths.filter { $0 == "/jwks" }.count == 1)
    }

    @Test(arguments: ["/.well-known/openid-configuration", "/jwks"], [429, 503])
    func `a refresh waits as long as the provider asks, and what there is serves on`(path: String, status: Int) throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider)
        try session.signIn()
        // Both documents are due for a refresh in the background.
        provider.clock.advance(by: 3000)
        let limited = ProviderResponse(status: status, contentType: nil, body: ByteBuffer(), retryAfter: "300")
        provider.behave { $0.responses[path] = .success(limited) }
        try session.signIn()
        let asked = { provider.paths.filter { $0 == path }.count }
        #expect(asked() == 2)
        for _ in 1...299 {
            provider.clock.advance(by: 1)
            #expect(try session.signIn().subject == "person-ada")
        }
        #expect(asked() == 2)
        // At the end of it, and of the pause after a failure, it is asked again.
        provider.behave { $0.responses = [:] }
        for _ in 1...FailurePause.longest + 1 {
            provider.clock.advance(by: 1)
            try session.signIn()
        }
        #expect(asked() == 3)
    }

    @Test(arguments: [3600, -3600, 86_400, -86_400, 315_360_000, -315_360_000] as [Int64])
    func `a wall clock that is set changes nothing of what is cached`(step: Int64) throws {
        let provider = try TestProvider()
        let session = UnpluggedSession(provider)
        try session.signIn()
        let documents = { provider.paths.filter { $0 != "/token" && $0 != "/userinfo" }.count }
        #expect(documents() == 2)
        provider.clock.step(by: step)
        #expect(try session.signIn().subject == "person-ada")
        #expect(documents() == 2)
        provider.clock.advance(by: 2879)
        try session.signIn()
        #expect(documents() == 2)
        // And the documents age on: after their time they are fetched, however far back the clock was put.
        provider.clock.advance(by: 1)
        try session.signIn()
        #expect(documents() == 4)
    }

    @Test func `another provider's circuit is another one`() throws {
        let dead = try TestProvider()
        dead.behave { $0.responses["/.well-known/openid-configuration"] = .failure(.unreachable) }
        let deadSession = UnpluggedSession(dead)
        for _ in 1...9 {
            #expect(throws: RelyingPartyError.self) { try deadSession.begin() }
            dead.clock.advance(by: 60)
        }
        let alive = UnpluggedSession(try TestProvider())
        #expect(try alive.signIn().subject == "person-ada")
    }

    @Test(.attack(.providerDownAtStart))
    func `a provider that was down for an hour is back a minute later without a restart`() throws {
        let provider = try TestProvider()
        provider.behave { $0.responses["/.well-known/openid-configuration"] = .failure(.timedOut) }
        let session = UnpluggedSession(provider)
        for _ in 0..<3600 {
            #expect(throws: RelyingPartyError.self) { try session.begin() }
            provider.clock.advance(by: 1)
        }
        // An hour of a browser a second: a request a minute, and a few at the beginning.
        #expect(provider.requests.count < 70)
        provider.behave { $0.responses = [:] }
        provider.clock.advance(by: 60)
        #expect(try session.signIn().subject == "person-ada")
    }

    @Test(.attack(.hostileDiscovery))
    func `an address that is refused while the circuit looks does not keep the provider out`() throws {
        let provider = try TestProvider()
        let path = "/.well-known/openid-configuration"
        provider.behave { $0.responses[path] = .failure(.unreachable) }
        let session = UnpluggedSession(provider)
        for _ in 1...8 {
            #expect(throws: RelyingPartyError.self) { try session.begin() }
            provider.clock.advance(by: 61)
        }
        provider.behave { $0.responses[path] = .failure(.addressRefused) }
        #expect(throws: RelyingPartyError.transport(.discovery, .addressRefused)) { try session.begin() }
        provider.clock.advance(by: 61)
        provider.behave { $0.responses = [:] }
        #expect(try session.signIn().subject == "person-ada")
    }
}
