// SPDX-License-Identifier: Apache-2.0

import Foundation

extension AccountClient {
    /// Signs a user in, and makes an account if this is the first time.
    ///
    /// Who was signed in before is not any more.
    ///
    /// - Parameter credential: The credential of the user.
    /// - Throws: ``AccountsError``, after which the session is as it was. It is ``AccountsError/Code/notSignedIn`` if
    ///   ``signOut()`` was called meanwhile.
    @discardableResult
    public func signIn(with credential: Credential) async throws -> SignInResult {
        let entry = state.entry
        try await load()
        try await takeTurn()
        defer { passTurn() }
        try state.check(entry)
        let sentAt = now()
        let response: SignInResponse = try await server.call(.signIn, SignInRequest(credential))
        let entered = try response.entered(at: sentAt)
        try state.check(entry)
        return try await begin(entered, entry, knowing: entered.user)
    }

    /// Links another provider to the account of the signed-in user, who may sign in with it from now on.
    ///
    /// - Parameter credential: The credential of the user at the other provider.
    /// - Throws: ``AccountsError``, with ``AccountsError/updatedCredential`` for a credential in use. It is
    ///   ``AccountsError/Code/requiresRecentLogin`` if the last sign-in is too long ago. After
    ///   ``AccountsError/Code/networkUnavailable``, ``AccountsError/Code/storageFailed`` and
    ///   ``AccountsError/Code/notSignedIn`` the provider may be linked all the same: ``reload()`` shows the truth, once
    ///   the user is signed in.
    @discardableResult
    public func link(with credential: Credential) async throws -> SignInResult {
        let uid = try await signedInUser()
        try await takeTurn()
        defer { passTurn() }
        let (response, asked): (SignInResponse, Asking) = try await ask(.signIn, as: uid) { asking in
            SignInRequest(credential, linkingTo: asking.idToken)
        }
        let entered = try response.entered(at: asked.sentAt)
        guard entered.uid.utf8.elementsEqual(uid.utf8) else { throw AccountsError(.unexpectedResponse) }
        let user = try state.session(of: uid).user
        return try await begin(
            entered, .user(uid: uid), knowing: entered.user.providerData.reduce(user) { $0.linked(to: $1) })
    }

    /// Shows that the signed-in user is there, as some operations require (see
    /// ``AccountsError/Code/requiresRecentLogin``). No account is made.
    ///
    /// - Parameter credential: A credential of the user, of any provider that is linked.
    /// - Throws: ``AccountsError``. It is ``AccountsError/Code/userMismatch`` for a credential of another user; the
    ///   session then stays as it was.
    @discardableResult
    public func reauthenticate(with credential: Credential) async throws -> SignInResult {
        let uid = try await signedInUser()
        try await takeTurn()
        defer { passTurn() }
        let entry = SessionState.Entry.user(uid: uid)
        try state.check(entry)
        let sentAt = now()
        let response: SignInResponse = try await server.call(.signIn, SignInRequest(credential, mayCreate: false))
        let entered = try response.entered(at: sentAt)
        guard entered.uid.utf8.elementsEqual(uid.utf8) else { throw AccountsError(.userMismatch) }
        return try await begin(entered, entry, knowing: try state.session(of: uid).user)
    }

    /// Begins the session of a sign-in, with the account as the server describes it.
    /// - Parameters:
    ///   - entry: What must be true when the server has described it.
    ///   - known: The account where the server cannot be asked: the credential is used up, so that the sign-in could
    ///     not be tried again.
    private func begin(
        _ entered: SignInResponse.Entered, _ entry: SessionState.Entry, knowing known: User
    ) async throws -> SignInResult {
        let user: User
        do {
            let response: LookupResponse = try await server.call(
                .lookup, LookupRequest(idToken: entered.tokens.idToken.exposed))
            user = try response.user(uid: entered.uid)
        } catch let error as AccountsError where error.endsSession {
            throw error
        } catch {
            user = known
        }
        let replacement = try state.begin(StoredSession(tokens: entered.tokens, user: user), entry)
        try await replace(replacement)
        return SignInResult(
            user: user,
            additionalUserInfo: AdditionalUserInfo(
                providerID: entered.providerID, isNewUser: entered.isNewUser, profile: entered.profile),
            providerTokens: entered.providerTokens)
    }
}
