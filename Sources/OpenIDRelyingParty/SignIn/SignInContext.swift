// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDConnect

/// The values that the steps of one sign-in have in common. It is a class because closures of each step capture it: one
/// reference count instead of one for each member.
final class SignInContext: Sendable {
    /// The provider's metadata, the same for all steps.
    let metadata: ProviderMetadata
    /// The values against which the ID tokens are validated.
    let expectation: SignInExpectation
    /// The deadline of the whole callback.
    let deadline: NIODeadline
    /// The event loop of the callback.
    let eventLoop: any EventLoop
    /// What the requests to the provider are traced with; `nil` without a tracer.
    let trace: RequestTrace?

    init(
        metadata: ProviderMetadata, expectation: SignInExpectation, deadline: NIODeadline, eventLoop: any EventLoop,
        trace: RequestTrace? = nil
    ) {
        self.trace = trace
        self.metadata = metadata
        self.expectation = expectation
        self.deadline = deadline
        self.eventLoop = eventLoop
    }

    /// Returns the same context with other values to validate against.
    func replacing(_ expectation: SignInExpectation) -> SignInContext {
        SignInContext(
            metadata: metadata, expectation: expectation, deadline: deadline, eventLoop: eventLoop, trace: trace)
    }
}
