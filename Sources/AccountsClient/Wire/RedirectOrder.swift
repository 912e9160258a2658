// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Synchronization

    /// What happens to a task first, its redirect or its cancellation; the other one then does not happen.
    ///
    /// swift-corelibs-foundation ends the process if a redirect is answered whose task was canceled meanwhile. There a
    /// redirect that is refused ends its task, so that nothing is left to cancel. What is called with the lock held only
    /// hands on to a queue of the session, in whose order both then come.
    final class RedirectOrder: Sendable {
        private enum State { case running, redirected, canceled }

        private let state = Mutex(State.running)

        /// Refuses the redirect, unless the task was canceled before.
        func redirect(_ refuse: () -> Void) { become(.redirected, refuse) }

        /// Cancels the task, unless its redirect was refused before.
        func cancel(_ cancel: () -> Void) { become(.canceled, cancel) }

        private func become(_ next: State, _ body: () -> Void) {
            state.withLock { state in
                guard state == .running else { return }
                state = next
                body()
            }
        }
    }
#endif
