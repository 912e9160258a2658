// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OpenIDConnect

/// The values that the steps of one sign-in have in common.
struct SignInContext: Sendable {
    /// The provider's metadata, the same for all steps.
    let metadata: ProviderMetadata
    /// The values against which the ID tokens are validated.
    var expectation: SignInExpectation
    /// The deadline of the whole callback.
    let deadline: NIODeadline
    /// The event loop of the callback.
    let eventLoop: any EventLoop
}
