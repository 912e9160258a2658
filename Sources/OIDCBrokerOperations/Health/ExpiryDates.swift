// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The times at which certificates and client secrets expire, as far as they are known. The code that reads a
/// certificate or a secret enters its time here.
public final class ExpiryDates: Sendable {
    /// What expires.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// A certificate of ours: of the listener, or with which this server authenticates to a provider.
        case certificate
        /// A secret with which this server authenticates to a provider.
        case clientSecret
    }

    /// A certificate or secret that expires.
    public struct Entry: Sendable, Hashable {
        /// What it is.
        public var kind: Kind
        /// A name from the configuration: the ID of a provider, or `server` for the server itself. That of a provider
        /// whose ID is `server` is `provider server`.
        public var name: String
        /// The time at which it expires, in seconds since 1970.
        public var end: Int64

        /// Creates an entry.
        public init(kind: Kind, name: String, end: Int64) {
            self.kind = kind
            self.name = name
            self.end = end
        }
    }

    private struct State {
        var entries: [Entry] = []
        /// Those of the providers of the configuration in use.
        var ofProviders: [Entry] = []
    }

    /// The name of what is the server's own.
    package static let ownName = "server"

    private let state = Mutex(State())

    /// Creates a collection without entries.
    public init() {}

    /// All entries, sorted by name within each kind.
    public var all: [Entry] {
        let entries = state.withLock { $0.entries + $0.ofProviders }
        return Kind.allCases.flatMap { kind in
            entries.filter { $0.kind == kind }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        }
    }

    /// Sets when something ends; `nil` if it is not there any more, or not known.
    public func set(_ kind: Kind, _ name: String, end: Int64?) {
        state.withLock { state in
            state.entries.removeAll { $0.kind == kind && $0.name == name }
            if let end { state.entries.append(Entry(kind: kind, name: name, end: end)) }
        }
    }

    /// Replaces everything that belongs to providers.
    func replaceProviders(by entries: [Entry]) {
        state.withLock { $0.ofProviders = entries }
    }
}
