// SPDX-License-Identifier: Apache-2.0

/// A document with the time at which it was fetched.
///
/// It is a class so that a look-up copies one reference rather than every string of a provider's metadata.
package final class CachedDocument<Value: Sendable>: Sendable {
    /// What may be done with a document of a certain age.
    package enum Phase: Sendable, Hashable {
        /// The document is used.
        case fresh
        /// The document is used, and is refreshed in the background before it expires.
        case ageing
        /// The document is refreshed first, and is used only if that fails.
        case expired
        /// The document is not used any more.
        case gone
    }

    /// The time after the fetch for which a document may be used while refreshing it fails: one day, in seconds.
    package static var staleFor: Int64 { 86_400 }

    package let value: Value
    package let lifetime: FreshnessLifetime
    /// The time of the fetch, in seconds of an ``ElapsedClock``.
    package let fetchedAt: Int64
    /// The time after the fetch from which the document is ``Phase/gone``, in seconds.
    private let goneAfter: Int64

    /// Creates a cached document.
    /// - Parameter goneAfter: The time after the fetch from which the document is ``Phase/gone``, in seconds.
    package init(_ fetched: FetchedDocument<Value>, fetchedAt: Int64, goneAfter: Int64 = CachedDocument.staleFor) {
        self.goneAfter = goneAfter
        value = fetched.value
        lifetime = fetched.lifetime
        self.fetchedAt = fetchedAt
    }

    /// The phase of the document at the given time.
    ///
    /// If the clock went back, as in a machine that was restored, the age is unknown and the phase is ``Phase/gone``:
    /// otherwise withdrawn keys would stay trusted until the same time has passed again.
    package func phase(now: Int64) -> Phase {
        let age = now - fetchedAt
        guard (0..<max(goneAfter, 1)).contains(age) else { return .gone }
        if age < lifetime.refreshAfter { return .fresh }
        return age < lifetime.seconds ? .ageing : .expired
    }
}

/// A fetched document with the freshness lifetime of its response.
package struct FetchedDocument<Value: Sendable>: Sendable {
    package var value: Value
    package var lifetime: FreshnessLifetime

    package init(_ value: Value, lifetime: FreshnessLifetime = FreshnessLifetime(cacheControl: nil)) {
        self.value = value
        self.lifetime = lifetime
    }
}
