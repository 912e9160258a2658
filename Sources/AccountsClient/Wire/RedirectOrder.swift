// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Synchronization

    /// What happens to a task first, its redirect or its cancellation; the other one then does not happen.
    ///
    /// swift-corelibs-foundation ends the process if a redirect is answered whose task was canceled meanwhile. There a
    /// redirect that is refused ends its task, so that nothing is left to cancel.
    final class RedirectOrder: Sendable {
        private let hasHappened = Atomic(false)

        /// Refuses the redirect, unless the task was canceled before.
        func redirect(_ refuse: () -> Void) { first(refuse) }

        /// Cancels the task, unless its redirect was refused before.
        func cancel(_ cancel: () -> Void) { first(cancel) }

        private func first(_ body: () -> Void) {
            if !hasHappened.exchange(true, ordering: .acquiringAndReleasing) { body() }
        }
    }
#endif
