// SPDX-License-Identifier: Apache-2.0

import Signing

/// An executor that runs work on the thread of the caller, for tests whose event loop has no thread.
struct InlineSigningExecutor: SigningExecutor {
    func execute(_ work: @escaping @Sendable () -> Void) { work() }
}
