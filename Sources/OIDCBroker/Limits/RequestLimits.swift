// SPDX-License-Identifier: Apache-2.0

import Admission

/// The limits on the requests to a broker, in one process.
///
/// A client is an IPv4 address or the /64 of an IPv6 address, as in `BrokerRequest.client`. A /56 has four times the
/// rates of a client, and a /48 eight times. A client whose address is not known has no limits of its own. Rates are
/// about capacity, and no check depends on them, so each can be switched off. A request over a rate receives 429, or
/// for some callers 503, with `Retry-After`, and uses nothing up: a login goes on when the request is sent again.
///
/// At most 100,000 buckets are kept for each rate. An IPv4 client has one, an IPv6 client three. If there are more, the
/// buckets of the clients with the fewest requests are dropped. No request is refused for lack of memory.
public struct RequestLimits: Sendable, Hashable {
    /// The number of requests of browsers for each client and second, 1 to 1,000,000: authorize, choose, continue,
    /// callbacks, logout, in-process logins and sign-ins through the SDKs. 0 means no limit. A tenth of them, but at
    /// least one a second, may load parts of other sites' pages, as browsers say it (W3C Fetch Metadata).
    public var browserPerSecond = 20
    /// The number of such requests that may come at once, at most 1,000,000. A number below the rate counts as the
    /// rate.
    public var browserBurst = 200
    /// The number of refused requests of apps for each client and second, 1 to 1,000,000: token, credential, revoke,
    /// UserInfo, and the calls of the SDKs. 0 means no limit. It does not apply to a confidential app that
    /// authenticates.
    ///
    /// A request of a public app or an SDK counts as refused while it is under way, and stays counted only if it was
    /// refused. So requests that are sent in parallel cannot all pass.
    ///
    /// Notifications have the same limit for each client and provider, counted separately. A notification counts while
    /// it is checked, and stays counted unless it is valid. Over the limit the response is 429 if refused notifications
    /// alone exceed it, otherwise 503, both with `Retry-After`.
    public var failuresPerSecond = 5
    /// The number of such requests that may come at once, at most 1,000,000. A number below the rate counts as the
    /// rate.
    ///
    /// This also bounds the requests under way at the same time: at most this number, plus the rate for each second
    /// that they take. Refused requests alone would need only a few dozen, but the default is the same as that of
    /// browsers. When many users behind one address open a public app in the same second, each counts until the
    /// provider has responded, which may take seconds.
    public var failuresBurst = 200
    /// The number of callbacks that may wait for providers at once, of all clients, at least 1. If several providers
    /// have sign-ins in a browser, each may have at most half of it, rounded up. Together they may use a
    /// quarter of ``memoryBytes``, 16 KB each.
    public var callbacks = 2_048

    /// The memory that clients may make the process hold, in bytes, 16 MiB to 64 GiB: connections, streams, unread
    /// responses, bodies, requests under way, and what waits for a shared store or to be logged. `nil` means a quarter of
    /// the memory of the control group, or else of the machine, but 64 to 256 MiB.
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
