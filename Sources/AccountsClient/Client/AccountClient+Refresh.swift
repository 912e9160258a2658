// SPDX-License-Identifier: Apache-2.0

import Foundation

extension AccountClient {
    /// What a refresh comes to, if it does not fail.
    enum RefreshOutcome: Sendable {
        /// The session has a new ID token.
        case refreshed
        /// The session was replaced meanwhile, so the response about it no longer matters.
        case replaced
    }

    /// Gets a new ID token for the session of a user; with others, if they are about it already.
    ///
    /// - Parameters:
    ///   - uid: Who must be signed in, before and after.
    ///   - isForced: Whether the refresh must begin after this call, since one that is under way may not know yet what
    ///     the caller wants to see.
    /// - Returns: The session that is held then.
    /// - Throws: ``AccountsError``.
    func refreshed(_ uid: String, isForced: Bool) async throws -> StoredSession {
        let mark: Int? = isForced ? refreshes.count : nil
        while true {
            let session = try state.session(of: uid)
            let running: Task<RefreshOutcome, any Error>
            switch refreshes.step(state.generation, after: mark) {
            case .join(let task):
                running = task
            case .begin:
                running = beginRefresh(of: session)
            case .follow(let task):
                do {
                    _ = try await task.value
                } catch let error as AccountsError where error.endsSession {
                    throw error
                } catch {
                    // The next one may do better.
                }
                continue
            }
            let outcome = try await running.value
            // A session that has just begun has a new ID token, but perhaps not as new as it must be.
            if outcome == .refreshed || !isForced { return try state.session(of: uid) }
        }
    }

    private func beginRefresh(of session: StoredSession) -> Task<RefreshOutcome, any Error> {
        let (generation, number) = (state.generation, refreshes.nextNumber)
        // Not of the caller's task, whose cancellation concerns only itself.
        let task = Task { try await self.refresh(session, generation, number) }
        refreshes.begin(task, generation)
        return task
    }

    private func refresh(_ session: StoredSession, _ generation: Int, _ number: Int) async throws -> RefreshOutcome {
        defer { refreshes.end(number) }
        // The lifetime runs while the response is under way.
        let sentAt = now()
        let tokens: SessionTokens
        do {
            let response: TokenResponse = try await server.call(
                .token, TokenRequest(refreshToken: session.tokens.refreshToken.exposed))
            tokens = try response.tokens(of: session.user.uid, at: sentAt)
        } catch let error as AccountsError where error.endsSession {
            guard state.generation == generation else { return .replaced }
            await end(generation)
            throw error
        }
        guard let copy = state.refresh(tokens, generation) else { return .replaced }
        // The refresh token is the same.
        await keep(copy)
        return .refreshed
    }
}
