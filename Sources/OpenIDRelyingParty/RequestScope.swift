// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// What the requests to a provider that serve one request of a client have in common.
package struct RequestScope: Sendable {
    /// The event loop on which everything runs.
    package let eventLoop: any EventLoop
    /// The deadline of all requests together.
    package let deadline: NIODeadline
    /// What the requests are traced with; `nil` without a tracer.
    package let trace: RequestTrace?

    /// - Parameters:
    ///   - eventLoop: The event loop of the client's request.
    ///   - deadline: The deadline of all requests together.
    ///   - trace: What the requests are traced with; `nil` without a tracer.
    package init(
        on eventLoop: any EventLoop, deadline: NIODeadline = .now() + RelyingParty.callbackTimeout,
        trace: RequestTrace? = nil
    ) {
        self.eventLoop = eventLoop
        self.deadline = deadline
        self.trace = trace
    }
}
