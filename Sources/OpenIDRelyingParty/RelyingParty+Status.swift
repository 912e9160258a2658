// SPDX-License-Identifier: Apache-2.0

extension RelyingParty {
    /// What is known about the provider now. Nothing is fetched, and no state changes.
    package var status: RelyingPartyStatus {
        RelyingPartyStatus(metadata: metadataCache.status, keys: keySetCache.status, openCircuits: circuits.open())
    }
}

/// What a relying party knows about its provider, for operators.
package struct RelyingPartyStatus: Sendable, Hashable {
    /// The names of the circuits, in a fixed order.
    package static let circuitNames = ["documents", "tokens", "user_info"]

    /// A circuit that is open, so that requests of its steps are not sent.
    package struct OpenCircuit: Sendable, Hashable {
        /// One of ``RelyingPartyStatus/circuitNames``.
        package var name: String
        /// The time since it opened, in seconds.
        package var seconds: Int64
    }

    /// The metadata.
    package var metadata: DocumentStatus
    /// The keys.
    package var keys: DocumentStatus
    /// The circuits that are open.
    package var openCircuits: [OpenCircuit]

    /// Creates a value.
    package init(
        metadata: DocumentStatus = DocumentStatus(), keys: DocumentStatus = DocumentStatus(),
        openCircuits: [OpenCircuit] = []
    ) {
        self.metadata = metadata
        self.keys = keys
        self.openCircuits = openCircuits
    }
}
