// SPDX-License-Identifier: Apache-2.0

import OIDCBroker
import Synchronization

/// The handler of an embedding server, which remembers what it was handed, and can refuse.
final class NotificationRecorder: NotificationHandler {
    /// What it throws when it refuses.
    struct Refusal: Error {}

    private struct State {
        var refusals = 0
        var offered = 0
        var taken: [ProviderNotification] = []
    }

    private let state = Mutex(State())

    /// What it took, in its order.
    var taken: [ProviderNotification] { state.withLock { $0.taken } }
    /// How often it was handed something, refused or not.
    var offered: Int { state.withLock { $0.offered } }

    /// Refuses the next so many.
    func refuse(_ times: Int) { state.withLock { $0.refusals = times } }

    func handle(_ notification: ProviderNotification) async throws {
        try state.withLock { state throws(Refusal) in
            state.offered += 1
            guard state.refusals == 0 else {
                state.refusals -= 1
                throw Refusal()
            }
            state.taken.append(notification)
        }
    }
}
