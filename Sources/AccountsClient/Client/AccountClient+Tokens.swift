// SPDX-License-Identifier: Apache-2.0

import Foundation

extension AccountClient {
    /// Returns the ID token of the person who is signed in, which other servers verify.
    ///
    /// It is refreshed five minutes before it expires. However many ask at a time, one request refreshes it for all.
    ///
    /// - Parameter forcingRefresh: Whether it is refreshed in any case, as after a change of the account that the token is
    ///   to show.
    /// - Throws: ``AccountsError``. Where the session has ended, nobody is signed in any more.
    public func idToken(forcingRefresh: Bool = false) async throws -> String {
        try await asking(forcingRefresh: forcingRefresh).idToken
    }

    /// A session that asks the server for something.
    struct Asking: Sendable {
        let idToken: String
        let uid: String
        let generation: Int
    }

    /// Returns the session with an ID token that may be used for some time.
    func asking(forcingRefresh: Bool = false) async throws -> Asking {
        try await load()
        guard let known = held else { throw AccountsError(.notSignedIn) }
        if forcingRefresh || !known.tokens.areFresh(at: now()) { try await refresh() }
        // The session that is held now, and its own number.
        guard let session = held else { throw AccountsError(.notSignedIn) }
        // Somebody else may have signed in meanwhile, for whom nobody asked.
        guard session.user.uid.utf8.elementsEqual(known.user.uid.utf8) else { throw AccountsError(.userMismatch) }
        return Asking(idToken: session.tokens.idToken.exposed, uid: session.user.uid, generation: generation)
    }

    /// Asks the server with the ID token of the session.
    ///
    /// That the session has ended is believed of the refresh token alone: an ID token may also be too old because the clock
    /// of the device was set. That the account is disabled or gone is believed at once.
    func ask<Response: Decodable & Sendable, Body: Encodable & Sendable>(
        _ operation: AccountOperation, _ body: (Asking) -> Body
    ) async throws -> (Response, Asking) {
        let first = try await asking()
        do {
            let response: Response = try await server.call(operation, body(first))
            return (response, first)
        } catch let error as AccountsError where error.code == .sessionExpired && generation == first.generation {
            try await refresh()
        } catch let error as AccountsError where error.endsSession {
            await end(first.generation)
            throw error
        }
        let second = try await asking()
        guard second.generation == first.generation else { throw AccountsError(.userMismatch) }
        do {
            let response: Response = try await server.call(operation, body(second))
            return (response, second)
        } catch let error as AccountsError where error.endsSession && error.code != .sessionExpired {
            // A session that was refreshed a moment ago has not expired, whatever is wrong with its ID token.
            await end(second.generation)
            throw error
        }
    }

    // MARK: Refreshing

    /// Gets a new ID token for the session that is held; with others, if they are about it already.
    private func refresh() async throws {
        guard let session = held else { throw AccountsError(.notSignedIn) }
        if let refreshing, refreshing.generation == generation { return try await refreshing.task.value }
        let number = generation
        // Not of the caller's task, whose cancellation concerns only itself.
        let task = Task { try await self.refresh(session, number) }
        refreshing = Refreshing(generation: number, task: task)
        try await task.value
    }

    private func refresh(_ session: StoredSession, _ number: Int) async throws {
        defer {
            if refreshing?.generation == number { refreshing = nil }
        }
        let tokens: SessionTokens
        // A device may sleep before it reads the response.
        let begun = now()
        do {
            let response: TokenResponse = try await server.call(
                .token, TokenRequest(refreshToken: session.tokens.refreshToken.exposed))
            tokens = try response.tokens(of: session.user.uid, at: begun)
        } catch let error as AccountsError where error.endsSession {
            await end(number)
            throw error
        }
        guard generation == number else { return }
        held?.tokens = tokens
        // The refresh token is the same, so a storage that keeps the older copy does no harm.
        try? await write(held).value
    }
}
