// SPDX-License-Identifier: Apache-2.0

import Admission
import NIOCore
import OIDCBrokerHTTP
import OpenIDRelyingParty

/// The requests to providers on behalf of clients, within the limits of each client. A client with an unknown address has
/// no limits, and neither has a client on this machine.
struct ClientRequests: Sendable {
    private let tallies: ClientTallies
    private let clock: any ElapsedClock

    init(_ limits: ClientLimits, clock: any ElapsedClock) {
        tallies = ClientTallies(limits)
        self.clock = clock
    }

    /// Runs a request for a client, or refuses it.
    /// - Parameters:
    ///   - body: Begins the request, which ends with its response.
    ///   - refusal: Creates the response if the limits of the client are exceeded.
    func run(
        _ work: ClientTallies.Work, for client: IPAddress?, at provider: ProviderEntry,
        _ body: () -> Eventual<BrokerResponse>, refusal: (ClientExcess) -> BrokerResponse
    ) -> Eventual<BrokerResponse> {
        guard let client = limited(client) else { return body() }
        let number = provider.number
        if let excess = tallies.begin(work, from: client, provider: number, now: clock.now()) {
            return .value(refusal(excess))
        }
        let response = body()
        response.whenComplete { [tallies] _ in tallies.ended(work, from: client, provider: number) }
        return response
    }

    /// The client if it has limits. A process on this machine may act for any number of users, as a load test does.
    private func limited(_ client: IPAddress?) -> IPAddress? { client?.isLoopback == true ? nil : client }

    /// Records a claim.
    func claimed(_ client: IPAddress?, at provider: ProviderEntry) {
        guard let client = limited(client) else { return }
        tallies.claimed(client, provider: provider.number, now: clock.now())
    }

    /// Records an error of a request to a provider, if the client can have caused it.
    func failed(_ error: RelyingPartyError, for client: IPAddress?, at provider: ProviderEntry) {
        guard error.isFailedExchange else { return }
        failed(error.step == .pushedAuthorization ? .pushedStart : .exchange, for: client, at: provider)
    }

    /// Records a failed request to a provider that the client can have caused.
    func failed(_ kind: ClientTallies.FailureKind, for client: IPAddress?, at provider: ProviderEntry) {
        guard let client = limited(client) else { return }
        tallies.failed(kind, client, provider: provider.number, now: clock.now())
    }

    /// Records a successful request to a provider.
    func succeeded(_ kind: ClientTallies.FailureKind, for client: IPAddress?, at provider: ProviderEntry) {
        guard let client = limited(client) else { return }
        tallies.succeeded(kind, client, provider: provider.number, now: clock.now())
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
