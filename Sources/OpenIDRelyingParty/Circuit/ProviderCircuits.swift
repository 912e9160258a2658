// SPDX-License-Identifier: Apache-2.0

/// The circuits of one provider: one step's trouble stays that step's.
struct ProviderCircuits: Sendable {
    /// Discovery and keys.
    private let documents: ProviderCircuit
    /// The token endpoint and whatever else authenticates this client: the pushed request, refresh, revocation, and the
    /// translation of subjects.
    private let tokens: ProviderCircuit
    private let userInfo: ProviderCircuit

    /// - Parameters:
    ///   - elapsed: what pauses are counted by.
    ///   - clock: the wall clock, for a Retry-After that is a date.
    init(elapsed: any ElapsedClock, clock: any UnixClock) {
        documents = ProviderCircuit(.documents, elapsed: elapsed, clock: clock)
        tokens = ProviderCircuit(.connections, elapsed: elapsed, clock: clock)
        userInfo = ProviderCircuit(.connections, elapsed: elapsed, clock: clock)
    }

    /// The circuit that a step's requests go through.
    func circuit(of step: RelyingPartyError.Step) -> ProviderCircuit {
        switch step {
        case .discovery, .keySet: documents
        case .userInfo: userInfo
        default: tokens
        }
    }
}
