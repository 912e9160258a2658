// SPDX-License-Identifier: Apache-2.0

import Accounts
import NIOCore
import OIDCBroker
import ServiceLifecycle
import SingleUse

/// Asks the database of accounts while it is in doubt, so that what is known of it does not wait for a request.
struct AccountStoreProbe: Sendable {
    let store: CountedAccountStore
    /// The time between two questions.
    var interval = Duration.milliseconds(250)

    /// Asks until the database answers for the first time.
    /// - Throws: `CancellationError` when the task is canceled.
    func reach(on eventLoop: any EventLoop) async throws {
        while store.status == .notReached {
            try Task.checkCancellation()
            await ask(on: eventLoop)
            if store.status == .notReached { try await Task.sleep(for: interval) }
        }
    }

    /// Asks whenever it is in doubt, until graceful shutdown or cancellation.
    func run(on eventLoop: any EventLoop) async {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: interval)) != nil {
                if store.isInDoubt { await ask(on: eventLoop) }
            }
        }
    }

    /// Asks once, and returns at once if the task is canceled. The store notes the answer.
    private func ask(on eventLoop: any EventLoop) async {
        let answered = eventLoop.makePromise(of: Void.self)
        // No record is read: one that cannot be read does not block the others.
        store.transact(.read, on: eventLoop) { _ = try $0.accounts(after: nil, limit: 0) }.cascade(to: answered)
        await withTaskCancellationHandler {
            try? await answered.futureResult.get()
        } onCancel: {
            answered.fail(CancellationError())
        }
    }
}
