// SPDX-License-Identifier: Apache-2.0

import Foundation

// What changes the account or the session is done one after the other: a link makes a new session, which an unlinking
// that asks with the one before would end. A sign-out does not wait for the server, and so it stands in no line.
extension AccountClient {
    /// Returns the uid of the signed-in user. An operation that waits for its turn is for this user, and not for the
    /// one who is signed in then.
    /// - Throws: ``AccountsError`` if none is, or the session cannot be read now.
    func signedInUser() async throws -> String {
        try await load()
        return try state.session().user.uid
    }

    /// Waits until all who came before have passed their turns. It must be followed by ``passTurn()``, if it does not
    /// throw.
    /// - Throws: `CancellationError` if the task is canceled before.
    func takeTurn() async throws {
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                // A task that is canceled later than this is found in the line.
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else if turns.take(id, continuation) {
                    continuation.resume()
                }
            }
        } onCancel: {
            Task { await self.leaveLine(id) }
        }
    }

    func passTurn() {
        turns.pass()?.resume()
    }

    private func leaveLine(_ id: UUID) {
        turns.leave(id)?.resume(throwing: CancellationError())
    }
}
