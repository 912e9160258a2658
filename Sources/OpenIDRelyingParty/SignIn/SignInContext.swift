// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDConnect

/// What the steps that complete one sign-in have in common.
struct SignInContext: Sendable {
    /// The provider's metadata, the same for all steps.
    let metadata: ProviderMetadata
    /// What the callback and the token endpoint's ID token are held against.
    var expectation: SignInExpectation
    /// When the callback as a whole must be done.
    let deadline: NIODeadline
    /// The event loop of the callback.
    let eventLoop: any EventLoop
}
