// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Limits on the use of shared resources by one client address: claims in the store, connections to providers, and
/// invalid codes and tokens sent to providers.
///
/// They are kept in the memory of this process, by elapsed time. A success does not count as a failure and does not
/// cancel one. A client that shares an address with an attacker waits for a minute at most, and a premature attempt
/// uses nothing up.
package final class ClientTallies: Sendable {
    /// The kinds of failures, which are counted separately, so that a kind that a malicious web page can cause does not
    /// affect others.
    package enum FailureKind: Sendable, Hashable {
        /// Code exchanges.
        case exchange
        /// Pushed authorization requests (RFC 9126), which any web page can make a browser start.
        case pushedStart
        /// Revocations for public apps.
        case revocation
    }

    /// A kind of request to a provider on behalf of a client.
    package enum Work: Sendable {
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

    /// Creates empty tallies.
    package init(_ limits: ClientLimits) { state = Mutex(StateMachine(limits)) }

    /// Begins a request to a provider, which is given by its number. `now` is in seconds of elapsed time.
    /// - Returns: The limit that prevents it; `nil` if it began, in which case ``ended(_:from:provider:)`` must follow.
    package func begin(_ work: Work, from client: IPAddress, provider: UInt64, now: Int64) -> ClientExcess? {
        state.withLock { $0.begin(work, from: client, provider: provider, now: now) }
    }

    /// Records the end of a request, whatever its result.
    package func ended(_ work: Work, from client: IPAddress, provider: UInt64) {
        state.withLock { $0.ended(work, from: client, provider: provider) }
    }

    /// Records a claim.
    package func claimed(_ client: IPAddress, provider: UInt64, now: Int64) {
        state.withLock { $0.claimed(client, provider: provider, now: now) }
    }

    /// Records a failed request to a provider that the client can have caused.
    package func failed(_ kind: FailureKind, _ client: IPAddress, provider: UInt64, now: Int64) {
        state.withLock { $0.failed(kind, client, provider: provider, now: now) }
    }

    /// Records a successful request to a provider.
    package func succeeded(_ kind: FailureKind, _ client: IPAddress, provider: UInt64, now: Int64) {
        state.withLock { $0.succeeded(kind, client, provider: provider, now: now) }
    }
}
