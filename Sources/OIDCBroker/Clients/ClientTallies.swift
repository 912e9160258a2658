// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDRelyingParty
import Synchronization

/// Limits on the use of shared resources by one client address: claims in the store, connections to providers, and
/// invalid codes and tokens sent to providers.
///
/// They are kept in the memory of this process, by elapsed time. A success does not count as a failure and does not
/// cancel one. A client that shares an address with an attacker waits for a minute at most, and a premature attempt
/// uses nothing up.
final class ClientTallies: Sendable {
    /// The kinds of failures, which are counted separately, so that a kind that a malicious web page can cause does not
    /// affect others.
    enum FailureKind: Sendable, Hashable {
        /// Code exchanges.
        case exchange
        /// Pushed authorization requests (RFC 9126), which any web page can make a browser start.
        case pushedStart
        /// Revocations for public apps.
        case revocation
    }

    /// A kind of request to a provider on behalf of a client.
    enum Work: Sendable {
        /// A callback with a code, which is exchanged.
        case codeCallback
        /// A callback with only an ID token, for which the provider receives no request that depends on the client.
        case idTokenCallback
        /// A start whose authorization request is pushed.
        case pushedStart
        /// A revocation for a public app.
        case revocation

        var leavesClaim: Bool { self == .codeCallback || self == .idTokenCallback }

        /// The kind of failure; `nil` if the request cannot fail at the provider.
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

    /// Runs a request for a client, or refuses it. A client whose address is not known has no limits of its own.
    /// - Parameters:
    ///   - body: Begins the request, which ends when the returned future completes.
    ///   - refusal: Creates the response if the limits of the address are exceeded.
    func run(
        _ work: Work, for address: ClientAddress?, at provider: ProviderEntry, on eventLoop: any EventLoop,
        _ body: () -> EventLoopFuture<BrokerResponse>, refusal: (ClientExcess) -> BrokerResponse
    ) -> EventLoopFuture<BrokerResponse> {
        guard let address else { return body() }
        let now = clock.now()
        let number = provider.number
        let excess = state.withLock { $0.begin(work, from: address, provider: number, now: now) }
        if let excess { return eventLoop.makeSucceededFuture(refusal(excess)) }
        let future = body()
        future.whenComplete { [self] _ in state.withLock { $0.ended(work, from: address, provider: number) } }
        return future
    }

    /// Records a claim, unless the address is not known.
    func claimed(_ address: ClientAddress?, at provider: ProviderEntry) {
        guard let address else { return }
        let now = clock.now()
        state.withLock { $0.claimed(address, provider: provider.number, now: now) }
    }

    /// Records an error of a request to a provider, if the client can have caused it.
    func failed(_ error: RelyingPartyError, for address: ClientAddress?, at provider: ProviderEntry) {
        guard error.isFailedExchange else { return }
        failed(error.step == .pushedAuthorization ? .pushedStart : .exchange, for: address, at: provider)
    }

    /// Records a failed request to a provider that the client can have caused, unless the address is not known.
    func failed(_ kind: FailureKind, for address: ClientAddress?, at provider: ProviderEntry) {
        guard let address else { return }
        let now = clock.now()
        state.withLock { $0.failed(kind, address, provider: provider.number, now: now) }
    }

    /// Records a successful request to a provider, unless the address is not known.
    func succeeded(_ kind: FailureKind, for address: ClientAddress?, at provider: ProviderEntry) {
        guard let address else { return }
        let now = clock.now()
        state.withLock { $0.succeeded(kind, address, provider: provider.number, now: now) }
    }
}

extension RelyingPartyError {
    /// Whether a token request or a pushed authorization request was refused. Connection failures are excluded, since
    /// no client causes them.
    var isFailedExchange: Bool {
        guard step == .token || step == .pushedAuthorization else { return false }
        let unasked: [ProviderTransportError] = [
            .unreachable, .connectTimedOut, .untrusted, .circuitOpen, .tooManyWaiting,
        ]
        return !unasked.contains { self == .transport(step, $0) }
    }
}
