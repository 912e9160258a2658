// SPDX-License-Identifier: Apache-2.0

/// A document with the time of its fetch, and what may be done with it now.
///
/// A class, so that a look-up passes one reference on and not every string of a provider's metadata.
package final class CachedDocument<Value: Sendable>: Sendable {
    /// What may be done with a document of some age.
    package enum Phase: Sendable, Hashable {
        /// It is used.
        case fresh
        /// It is used, and refreshed in the background ahead of its expiry.
        case ageing
        /// It is refreshed first, and used only where that fails.
        case expired
        /// It is not used any more.
        case gone
    }

    /// Seconds after the fetch for which a document serves on while refreshing fails: a day.
    package static var staleFor: Int64 { 86_400 }

    package let value: Value
    package let lifetime: FreshnessLifetime
    /// Seconds of an ``ElapsedClock``.
    package let fetchedAt: Int64
    /// Seconds after the fetch from which on it is ``Phase/gone``.
    private let goneAfter: Int64

    /// - Parameter goneAfter: seconds after the fetch; ``staleFor`` where nothing is said.
    package init(_ fetched: FetchedDocument<Value>, fetchedAt: Int64, goneAfter: Int64 = CachedDocument.staleFor) {
        self.goneAfter = goneAfter
        value = fetched.value
        lifetime = fetched.lifetime
        self.fetchedAt = fetchedAt
    }

    /// What may be done with it. Where the clock went back, as in a machine that was restored, its age is not known, and
    /// it is gone: else keys that were removed would stay trusted until that time has passed again.
    package func phase(now: Int64) -> Phase {
        let age = now - fetchedAt
        guard (0..<max(goneAfter, 1)).contains(age) else { return .gone }
        if age < lifetime.refreshAfter { return .fresh }
        return age < lifetime.seconds ? .ageing : .expired
    }
}

/// A document as it was fetched, with the lifetime its response gave it.
package struct FetchedDocument<Value: Sendable>: Sendable {
    package var value: Value
    package var lifetime: FreshnessLifetime

    package init(_ value: Value, lifetime: FreshnessLifetime = FreshnessLifetime(cacheControl: nil)) {
        self.value = value
        self.lifetime = lifetime
    }
}
