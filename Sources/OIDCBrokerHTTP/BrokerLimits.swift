// SPDX-License-Identifier: Apache-2.0

public import NIOCore

/// The limits that a channel handler must enforce on a request before it reaches the broker.
public struct BrokerLimits: Sendable, Hashable {
    /// The maximum size of a body, in bytes. Larger bodies get a 413 response.
    public var maximumBodyBytes: Int = 65_536
    /// The time limit of receiving a body, after which the response is 408.
    public var bodyDeadline: TimeAmount = .seconds(10)

    package init() {}
}
