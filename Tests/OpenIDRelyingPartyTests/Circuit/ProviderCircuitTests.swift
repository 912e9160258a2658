// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing

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
    private func admitted(_ ending: Ending, of count: Int) -> Int {
        let circuit = ProviderCircuit(clock: TestClock())
        return (0..<count).filter { _ in
            guard let admission = circuit.admit() else { return false }
            circuit.ended(admission, ending.result.mapError { $0 })
            return true
        }.count
    }

    @Test(arguments: [
        Ending(.unreachable), Ending(.timedOut), Ending(.interrupted), Ending(.untrusted), Ending(status: 500),
        Ending(status: 502), Ending(status: 503), Ending(status: 504), Ending(status: 599), Ending(status: 429),
        Ending(status: 429, retryAfter: "soon"), Ending(status: 500, retryAfter: "60"),
        Ending(status: 503, retryAfter: "0"),
    ])
    func `five of these in a row open it`(ending: Ending) {
        #expect(admitted(ending, of: 9) == 5)
    }

    @Test(arguments: [
        Ending(status: 429, retryAfter: "60"), Ending(status: 503, retryAfter: "60"),
        Ending(status: 503, retryAfter: "Fri, 15 Jan 2027 08:00:10 GMT"),
    ])
    func `one of these opens it`(ending: Ending) {
        #expect(admitted(ending, of: 9) == 1)
    }

    @Test(arguments: [
        Ending(status: 200), Ending(status: 302), Ending(status: 400), Ending(status: 401), Ending(status: 403),
        Ending(status: 404), Ending(status: 400, retryAfter: "60"), Ending(.tooLarge), Ending(.encoded),
        Ending(.addressRefused), Ending(.unusableTrust),
    ])
    func `none of these ever does`(ending: Ending) {
        #expect(admitted(ending, of: 100) == 100)
    }

    @Test func `it is closed again by the clock's time and one answer`() throws {
        let clock = TestClock()
        let circuit = ProviderCircuit(clock: clock)
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

    @Test func `while it is open nothing is sent, at once, and afterwards one request sees`() throws {
        let provider = try UnpluggedProvider()
        let session = UnpluggedSession(provider)
        let (url, pending) = try session.begin()
        let answer = try provider.answer(to: url)
        provider.answer("/token", status: 503)
        for _ in 1...5 {
            #expect(throws: RelyingPartyError.status(.token, 503)) { try session.complete(answer, pending) }
        }
        #expect(provider.paths.filter { $0 == "/token" }.count == 5)
        for _ in 1...3 {
            let error = #expect(throws: RelyingPartyError.self) { try session.complete(answer, pending) }
            #expect(error == .transport(.token, .circuitOpen))
            #expect(error?.isTemporary == true)
        }
        #expect(throws: RelyingPartyError.transport(.revocation, .circuitOpen)) {
            try session.party.revoke(Secret("r"), on: session.loop).wait()
        }
        #expect(provider.paths.filter { $0 == "/token" }.count == 5)
        #expect(!provider.paths.contains("/revoke"))
        // The provider is back.
        provider.change { $0.answers = [:] }
        #expect(throws: RelyingPartyError.transport(.token, .circuitOpen)) { try session.complete(answer, pending) }
        provider.clock.advance(by: 1)
        #expect(try session.complete(answer, pending).subject == "person-ada")
        #expect(provider.paths.filter { $0 == "/token" }.count == 6)
    }

    @Test func `P2 a provider's Retry-After is kept, and its refusals cost nobody anything`() throws {
        let provider = try UnpluggedProvider()
        let session = UnpluggedSession(provider)
        let (url, pending) = try session.begin()
        let answer = try provider.answer(to: url)
        provider.answer("/token", status: 400, #"{"error":"invalid_grant"}"#)
        for _ in 1...20 {
            let error = #expect(throws: RelyingPartyError.self) { try session.complete(answer, pending) }
            #expect(error?.providerError?.code == "invalid_grant")
        }
        let limited = ProviderResponse(status: 429, contentType: nil, body: ByteBuffer(), retryAfter: "30")
        provider.change { $0.answers["/token"] = .success(limited) }
        #expect(throws: RelyingPartyError.status(.token, 429)) { try session.complete(answer, pending) }
        provider.change { $0.answers = [:] }
        provider.clock.advance(by: 29)
        #expect(throws: RelyingPartyError.transport(.token, .circuitOpen)) { try session.complete(answer, pending) }
        provider.clock.advance(by: 1)
        #expect(try session.complete(answer, pending).subject == "person-ada")
    }

    @Test func `another provider's circuit is another one`() throws {
        let dead = try UnpluggedProvider()
        dead.change { $0.answers["/.well-known/openid-configuration"] = .failure(.unreachable) }
        let deadSession = UnpluggedSession(dead)
        for _ in 1...9 {
            #expect(throws: RelyingPartyError.self) { try deadSession.begin() }
            dead.clock.advance(by: 60)
        }
        let alive = UnpluggedSession(try UnpluggedProvider())
        #expect(try alive.signIn().subject == "person-ada")
    }

    @Test func `P5 a provider that was down for an hour is back a minute later without a restart`() throws {
        let provider = try UnpluggedProvider()
        provider.change { $0.answers["/.well-known/openid-configuration"] = .failure(.timedOut) }
        let session = UnpluggedSession(provider)
        for _ in 0..<3600 {
            #expect(throws: RelyingPartyError.self) { try session.begin() }
            provider.clock.advance(by: 1)
        }
        // An hour of a browser a second: a request a minute, and a few at the beginning.
        #expect(provider.requests.count < 70)
        provider.change { $0.answers = [:] }
        provider.clock.advance(by: 60)
        #expect(try session.signIn().subject == "person-ada")
    }

    @Test func `P1 an address that is refused while the circuit looks does not keep the provider out`() throws {
        let provider = try UnpluggedProvider()
        let path = "/.well-known/openid-configuration"
        provider.change { $0.answers[path] = .failure(.unreachable) }
        let session = UnpluggedSession(provider)
        for _ in 1...8 {
            #expect(throws: RelyingPartyError.self) { try session.begin() }
            provider.clock.advance(by: 61)
        }
        provider.change { $0.answers[path] = .failure(.addressRefused) }
        #expect(throws: RelyingPartyError.transport(.discovery, .addressRefused)) { try session.begin() }
        provider.clock.advance(by: 61)
        provider.change { $0.answers = [:] }
        #expect(try session.signIn().subject == "person-ada")
    }
}
