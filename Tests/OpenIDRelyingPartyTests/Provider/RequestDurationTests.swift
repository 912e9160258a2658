// SPDX-License-Identifier: Apache-2.0

import JOSE
import NIOCore
import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Synchronization
import Testing
import TestingSupport

/// What an observer is told of the requests to a provider.
struct RequestDurationTests {
    private final class Heard: RelyingPartyObserver {
        let ended = Mutex<[(step: RelyingPartyError.Step, duration: TimeAmount)]>([])

        func requestEnded(_ step: RelyingPartyError.Step, after duration: TimeAmount) {
            ended.withLock { $0.append((step, duration)) }
        }

        var steps: [RelyingPartyError.Step] { ended.withLock { $0.map { $0.step } } }
    }

    @Test func `each request is told once, with its step, whether it succeeds or fails`() throws {
        let provider = try TestProvider(.es256)
        let heard = Heard()
        let session = UnpluggedSession(provider, observer: heard)
        try session.signIn()
        #expect(heard.steps == [.discovery, .token, .keySet])
        provider.behave { $0.responses["/token"] = .failure(.unreachable) }
        #expect(try session.refusal()?.step == .token)
        #expect(heard.steps == [.discovery, .token, .keySet, .token])
        #expect(heard.ended.withLock { $0.allSatisfy { $0.duration == .nanoseconds(0) } })
    }

    @Test func `a request that is not sent is not told`() throws {
        let provider = try TestProvider(.es256)
        let heard = Heard()
        let session = UnpluggedSession(provider, observer: heard)
        try session.signIn()
        provider.behave { $0.responses["/token"] = .failure(.unreachable) }
        for _ in 0..<20 { #expect(try session.refusal()?.step == .token) }
        // Five connections in a row that cannot be made open the circuit.
        #expect(heard.steps.count { $0 == .token } == 6)
    }
}
