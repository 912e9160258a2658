// SPDX-License-Identifier: Apache-2.0

/// The circuits of one provider, separate so that the failure of one step does not stop the others.
struct ProviderCircuits: Sendable {
    /// The circuit of discovery and keys.
    private let documents: ProviderCircuit
    /// The circuit of the token endpoint and of every other endpoint at which this client authenticates: pushed
    /// authorization requests, refresh, revocation and the translation of subjects.
    private let tokens: ProviderCircuit
    private let userInfo: ProviderCircuit

    /// Creates closed circuits.
    /// - Parameters:
    ///   - elapsed: The clock for pauses.
    ///   - clock: The wall clock, for a Retry-After that is a date.
    init(elapsed: any ElapsedClock, clock: any UnixClock) {
        documents = ProviderCircuit(.documents, elapsed: elapsed, clock: clock)
        tokens = ProviderCircuit(.connections, elapsed: elapsed, clock: clock)
        userInfo = ProviderCircuit(.connections, elapsed: elapsed, clock: clock)
    }

    /// The circuits that are open, in a fixed order.
    func open() -> [RelyingPartyStatus.OpenCircuit] {
        zip(RelyingPartyStatus.circuitNames, [documents, tokens, userInfo]).compactMap { name, circuit in
            circuit.openTime().map { RelyingPartyStatus.OpenCircuit(name: name, seconds: $0) }
        }
    }

    /// The circuit for the requests of a step.
    func circuit(of step: RelyingPartyError.Step) -> ProviderCircuit {
        switch step {
        case .discovery, .keySet: documents
        case .userInfo: userInfo
        default: tokens
        }
    }
}
