// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension AccountClient {
    /// Asks the server for the account of the signed-in user.
    ///
    /// - Returns: The user, as ``currentUser`` is from now on: by this answer, or by that of a later call or a change
    ///   if it came first.
    /// - Throws: ``AccountsError``.
    @discardableResult
    public func reload() async throws -> User {
        let (response, asked): (LookupResponse, Asking) = try await ask(.lookup) { LookupRequest(idToken: $0.idToken) }
        let copy = try state.answer(asked.number, try response.user(uid: asked.uid))
        let user = try state.session(of: asked.uid).user
        await keep(copy)
        return user
    }

    /// Changes the name and the photo of the signed-in user. The ID token shows it after its next refresh.
    ///
    /// - Parameters:
    ///   - displayName: The name, at most 256 characters.
    ///   - photoURL: The https address of a photo, at most 2,048 bytes.
    /// - Returns: The user, as ``currentUser`` is from now on.
    /// - Throws: ``AccountsError``.
    @discardableResult
    public func updateProfile(
        displayName: ProfileChange<String> = .keep, photoURL: ProfileChange<URL> = .keep
    ) async throws -> User {
        let uid = try await signedInUser()
        try await takeTurn()
        defer { passTurn() }
        let (response, _): (AccountResponse, Asking) = try await ask(.update, as: uid) { asking in
            UpdateRequest(
                idToken: asking.idToken, displayName: displayName.requested { $0 },
                photoUrl: photoURL.requested { $0.absoluteString })
        }
        return try await apply(response, to: uid)
    }

    /// Unlinks a provider from the account of the signed-in user. Sessions that began with it end, but for
    /// this one. Nothing happens if it is not linked.
    ///
    /// - Parameter providerID: The ID of the provider.
    /// - Returns: The user, as ``currentUser`` is from now on.
    /// - Throws: ``AccountsError``, which is ``AccountsError/Code/operationNotAllowed`` for the last provider:
    ///   without it, the user could not sign in to the account any more. It is
    ///   ``AccountsError/Code/requiresRecentLogin`` if the last sign-in is too long ago.
    @discardableResult
    public func unlink(providerID: String) async throws -> User {
        let uid = try await signedInUser()
        try await takeTurn()
        defer { passTurn() }
        let (response, _): (AccountResponse, Asking) = try await ask(.update, as: uid) { asking in
            UpdateRequest(idToken: asking.idToken, deleteProvider: [providerID])
        }
        return try await apply(response, to: uid)
    }

    /// Revokes at Apple what the user allowed this app, as Apple requires before an account is deleted. The account
    /// stays, and may be deleted at once.
    ///
    /// - Parameter code: The `authorizationCode` of a sign-in with Apple a moment ago, as text. It works once, within
    ///   five minutes.
    /// - Throws: ``AccountsError``, which is ``AccountsError/Code/invalidCredential`` for a code that was used or is
    ///   another user's.
    public func revokeToken(withAuthorizationCode code: String) async throws {
        let _: (EmptyResponse, Asking) = try await ask(.revokeToken) { asking in
            RevokeTokenRequest(token: code, idToken: asking.idToken)
        }
    }

    /// Deletes the account of the signed-in user, with all data that the server stores about it. No user is
    /// signed in afterwards.
    ///
    /// - Throws: ``AccountsError``, after which the user is still signed in, unless the session had ended
    ///   (``AccountsError/Code/sessionExpired``, ``AccountsError/Code/userNotFound``,
    ///   ``AccountsError/Code/userDisabled``) or ``signOut()`` was called meanwhile. It is
    ///   ``AccountsError/Code/requiresRecentLogin`` if the last sign-in is too long ago. After
    ///   ``AccountsError/Code/networkUnavailable`` the account may be deleted all the same: ``reload()`` shows the
    ///   truth.
    public func delete() async throws {
        let uid = try await signedInUser()
        try await takeTurn()
        defer { passTurn() }
        let _: (EmptyResponse, Asking) = try await ask(.delete, as: uid) { asking in
            DeleteRequest(idToken: asking.idToken, localId: asking.uid)
        }
        // A user who has signed in since a sign-out is not affected.
        guard (try? state.session(of: uid)) != nil else { return }
        await end(state.generation)
    }

    /// Signs out the signed-in user, on this device. It succeeds if none is. The server is not asked.
    ///
    /// It waits for no other operation. A sign-in, a link or a re-authentication that was called before it, and has not
    /// ended, begins no session any more.
    ///
    /// - Throws: ``AccountsError`` of ``AccountsError/Code/storageFailed`` if the session cannot be removed, in which
    ///   case the user is still signed in.
    public func signOut() async throws {
        try await load()
        let replacement = state.signOut()
        try await replace(replacement)
    }

    /// Takes the answer to a change of an account.
    private func apply(_ response: AccountResponse, to uid: String) async throws -> User {
        let copy = try state.change(of: uid) { try response.user(uid: $0.uid, known: $0) }
        let user = try state.session(of: uid).user
        await keep(copy)
        return user
    }
}
