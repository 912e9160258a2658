// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty
import Synchronization

/// Keeps one client address from taking what all clients share: marks of the store, connections to providers, and a
/// provider's patience with codes and tokens that are none.
///
/// In the memory of this process, by elapsed time. A success is never counted as a failure and takes no failure away: a
/// client that shares an address with an attacker waits for a minute at most, and uses nothing up by trying too soon.
final class ClientTallies: Sendable {
    /// What fails is counted apart by its kind: one that a foreign page can cause keeps no client from another.
    enum FailureKind: Sendable, Hashable {
        /// Code exchanges.
        case exchange
        /// Pushed authorization requests (RFC 9126), which any page can make a browser start.
        case pushedStart
        /// Revocations for public apps.
        case revocation
    }

    /// What is to be done for a client.
    enum Work: Sendable {
        /// A callback with a code, which is exchanged.
        case codeCallback
        /// A callback with an ID token alone: its issuer is asked for nothing of the client's.
        case idTokenCallback
        /// A start whose request is pushed.
        case pushedStart
        /// A revocation for a public app.
        case revocation

        var leavesMark: Bool { self == .codeCallback || self == .idTokenCallback }

        /// What its failure counts as; `nil` if it cannot fail at the provider.
        var failureKind: FailureKind? {
            switch self {
            case .codeCallback: .exchange
            case .idTokenCallback: nil
            case .pushedStart: .pushedStart
            case .revocation: .revocation
            }
        }
    }

    private let state: Mutex<StateMachine>
    private let clock: any ElapsedClock

    init(_ limits: ClientLimits, clock: any ElapsedClock) {
        state = Mutex(StateMachine(limits))
        self.clock = clock
    }

    /// Does something for a client, or says why not.
    /// - Parameters:
    ///   - body: Begins it; its future's completion is the end of it.
    ///   - refusal: Makes the response if the address has taken too much.
    func run(
        _ work: Work, for address: ClientAddress, at provider: ProviderEntry, on eventLoop: any EventLoop,
        _ body: () -> EventLoopFuture<BrokerResponse>, refusal: (ClientExcess) -> BrokerResponse
    ) -> EventLoopFuture<BrokerResponse> {
        let now = clock.now()
        let number = provider.number
        let excess = state.withLock { $0.begin(work, from: address, provider: number, now: now) }
        if let excess { return eventLoop.makeSucceededFuture(refusal(excess)) }
        let future = body()
        future.whenComplete { [self] _ in state.withLock { $0.ended(work, from: address, provider: number) } }
        return future
    }

    /// A mark was left; nothing if no address is known.
    func marked(_ address: ClientAddress?, at provider: ProviderEntry) {
        guard let address else { return }
        let now = clock.now()
        state.withLock { $0.marked(address, provider: provider.number, now: now) }
    }

    /// A request to a provider ended in an error; counted if it is one that the client can have caused.
    func failed(_ error: RelyingPartyError, for address: ClientAddress?, at provider: ProviderEntry) {
        guard error.isFailedExchange else { return }
        failed(error.step == .pushedAuthorization ? .pushedStart : .exchange, for: address, at: provider)
    }

    /// A request to a provider failed in a way that the client can have caused; nothing if no address is known.
    func failed(_ kind: FailureKind, for address: ClientAddress?, at provider: ProviderEntry) {
        guard let address else { return }
        let now = clock.now()
        state.withLock { $0.failed(kind, address, provider: provider.number, now: now) }
    }

    /// A request to a provider succeeded; nothing if no address is known.
    func succeeded(_ kind: FailureKind, for address: ClientAddress?, at provider: ProviderEntry) {
        guard let address else { return }
        let now = clock.now()
        state.withLock { $0.succeeded(kind, address, provider: provider.number, now: now) }
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
