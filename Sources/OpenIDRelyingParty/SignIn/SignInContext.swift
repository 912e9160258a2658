// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

/// The values that the steps of one sign-in have in common. It is a class because closures of each step capture it: one
/// reference count instead of one for each member.
final class SignInContext: Sendable {
    /// The provider's metadata, the same for all steps.
    let metadata: ProviderMetadata
    /// The values against which the ID tokens are validated.
    let expectation: SignInExpectation
    /// The event loop, the deadline and the trace of the whole callback.
    let scope: RequestScope

    init(metadata: ProviderMetadata, expectation: SignInExpectation, scope: RequestScope) {
        self.metadata = metadata
        self.expectation = expectation
        self.scope = scope
    }

    /// Returns the same context with other values to validate against.
    func replacing(_ expectation: SignInExpectation) -> SignInContext {
        SignInContext(metadata: metadata, expectation: expectation, scope: scope)
    }
}
