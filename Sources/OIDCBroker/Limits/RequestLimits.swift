// SPDX-License-Identifier: Apache-2.0

import Admission

/// The limits of a broker on who asks, in one process.
///
/// A client is an IPv4 address or the /64 of an IPv6 address, as ``BrokerRequest/client`` has it. A client whose
/// address is not known has no limits of its own. Rates are about capacity and no check depends on them, so each can be
/// switched off. What is over a rate receives 429 with `Retry-After` and uses nothing up: a login goes on when it is
/// sent again.
///
/// The buckets of at most 100,000 clients are kept for each rate. If there are more, those are forgotten that asked for
/// the least, and nobody is refused for lack of memory.
public struct RequestLimits: Sendable, Hashable {
    /// The number of requests of browsers for each client and second, 1 to 1,000,000: authorize, choose, continue,
    /// callbacks, logout, and the logins of apps in process. 0 is no limit. A tenth of them, at least one a second, may be
    /// subresources of other sites' pages, as browsers say it (W3C Fetch Metadata).
    public var browserPerSecond = 20
    /// The number of such requests that may come at once, at most 1,000,000. A number below the rate counts as the
    /// rate.
    public var browserBurst = 200
    /// The number of refused requests of apps for each client and second, 1 to 1,000,000: token, credential, revoke,
    /// UserInfo, and the wire of the SDKs. 0 is no limit. It does not apply to a confidential app that authenticates.
    ///
    /// A request of a public app or an SDK counts as a refused one while it is under way, and no longer if it was not
    /// refused. So requests that are sent in parallel do not pass together.
    ///
    /// Apart from them, and from those at other providers, the notifications of a provider count while they are checked,
    /// and no longer if they hold. Where those that are being checked are too many, one more receives 503 with
    /// `Retry-After` in the place of 429.
    public var failuresPerSecond = 5
    /// The number of such requests that may come at once, at most 1,000,000. A number below the rate counts as the
    /// rate.
    ///
    /// Of requests that are under way at the same time, at most this number may pass, and the rate for each second that
    /// they take. The default is therefore that of browsers, and not the few dozens that would do for refused requests
    /// alone: people behind one address who open a public app in the same second all count until the provider, which
    /// may take seconds, has responded to each.
    public var failuresBurst = 200
    /// The number of callbacks that wait for providers at once, of all clients, at least 1. If there are several
    /// providers with sign-ins in a browser, one of them may have half of it, rounded up. Together they have a quarter of
    /// ``memoryBytes`` at most, 16 KB each.
    public var callbacks = 2_048

    /// The memory that clients may make the process hold, in bytes, 16 MiB to 64 GiB: connections, streams, unread
    /// responses, bodies and requests that wait. `nil` is a quarter of what the control group of the process allows, or
    /// else the machine has, at least 64 and at most 256 MiB.
    public var memoryBytes: Int?

    /// Creates the default limits.
    public init() {}
}

extension RequestLimits {
    /// The bounds of ``memoryBytes``.
    package static let memoryBounds = 16 << 20...64 << 30

    /// The memory that clients may make the process hold, in bytes.
    package var memory: Int {
        let bounds = Self.memoryBounds
        return min(max(memoryBytes ?? AvailableMemory.share, bounds.lowerBound), bounds.upperBound)
    }
}
