// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// What a channel handler must hold a request to before the broker sees it.
public struct BrokerLimits: Sendable, Hashable {
    /// The largest body, bytes; one more is answered 413.
    public var maximumBodyBytes: Int = 65_536
    /// How long a body may take to arrive; then 408.
    public var bodyDeadline: TimeAmount = .seconds(10)

    package init() {}
}
