// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty
import Synchronization

/// Keeps one client address from taking what everybody shares: marks of the store, connections to providers, and a
/// provider's patience with codes that are none.
///
/// In the memory of this process, by elapsed time. A success is never counted as a failure and takes no failure away: who
/// shares an address with a stranger waits for a minute at most, and uses nothing up by trying too soon.
final class ClientTallies: Sendable {
    /// What is to be done for a client.
    enum Work: Sendable {
        /// A callback with a code: it is exchanged.
        case codeCallback
        /// A callback with an ID token alone: its issuer is asked for nothing of the client's.
        case idTokenCallback
        /// A start whose request is pushed (RFC 9126).
        case pushedStart

        var leavesMark: Bool { self != .pushedStart }
        var mayFail: Bool { self != .idTokenCallback }
    }

    private let state: Mutex<StateMachine>
    private let clock: any ElapsedClock

    init(_ limits: ClientLimits, clock: any ElapsedClock) {
        state = Mutex(StateMachine(limits))
        self.clock = clock
    }

    /// Does something for a client, or says why not.
    /// - Parameters:
    ///   - body: begins it; what it gives is the end of it.
    ///   - refusal: the response where the address has taken too much.
    func run(
        _ work: Work, for address: ClientAddress, at provider: ProviderEntry, on eventLoop: any EventLoop,
        _ body: () -> EventLoopFuture<BrokerResponse>, refusal: (ClientExcess) -> BrokerResponse
    ) -> EventLoopFuture<BrokerResponse> {
        let now = clock.now()
        let excess = state.withLock { $0.begin(work, from: address, provider: provider.number, now: now) }
        if let excess { return eventLoop.makeSucceededFuture(refusal(excess)) }
        let future = body()
        future.whenComplete { [self] _ in state.withLock { $0.ended(address) } }
        return future
    }

    /// A mark was left; nothing where no address is known.
    func marked(_ address: ClientAddress?) {
        guard let address else { return }
        let now = clock.now()
        state.withLock { $0.marked(address, now: now) }
    }

    /// A request to a provider ended in an error; counted where it is one that the client can have caused.
    func failed(_ error: RelyingPartyError, for address: ClientAddress?, at provider: ProviderEntry) {
        guard let address, error.isFailedExchange else { return }
        let now = clock.now()
        state.withLock { $0.failed(address, provider: provider.number, now: now) }
    }
}

extension RelyingPartyError {
    /// Whether the provider was asked for tokens, or brought an authorization request, and did not give what was asked
    /// for. Not where it could not be reached: nobody who asks causes that.
    var isFailedExchange: Bool {
        guard step == .token || step == .pushedAuthorization else { return false }
        let unasked: [ProviderTransportError] = [
            .unreachable, .connectTimedOut, .untrusted, .circuitOpen, .tooManyWaiting,
        ]
        return !unasked.contains { self == .transport(step, $0) }
    }
}
