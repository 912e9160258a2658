// SPDX-License-Identifier: Apache-2.0

import Foundation

extension AccountClient {
    /// Signs a person in, and makes an account if this is the first time.
    ///
    /// Who was signed in before is not any more.
    ///
    /// - Parameter credential: The credential of the person.
    /// - Throws: ``AccountsError``, after which the session is as it was.
    @discardableResult
    public func signIn(with credential: Credential) async throws -> SignInResult {
        try await load()
        let (begun, signOuts) = (now(), signOuts)
        let response: SignInResponse = try await server.call(.signIn, SignInRequest(credential))
        let entered = try response.entered(at: begun)
        return try await begin(entered, knowing: entered.user) {
            guard self.signOuts == signOuts else { throw AccountsError(.notSignedIn) }
        }
    }

    /// Links another provider to the account of the person who is signed in, who may sign in with it from now on.
    ///
    /// - Parameter credential: The credential of the person at the other provider.
    /// - Throws: ``AccountsError``, with ``AccountsError/updatedCredential`` for a credential in use.
    @discardableResult
    public func link(with credential: Credential) async throws -> SignInResult {
        let begun = now()
        let (response, asked): (SignInResponse, Asking) = try await ask(.signIn) { asking in
            SignInRequest(credential, linkingTo: asking.idToken)
        }
        let entered = try response.entered(at: begun)
        guard entered.uid.utf8.elementsEqual(asked.uid.utf8) else { throw AccountsError(.unexpectedResponse) }
        let user = try stillHeld(asked.uid)
        return try await begin(entered, knowing: entered.user.providerData.reduce(user) { $0.linked(to: $1) }) {
            _ = try self.stillHeld(asked.uid)
        }
    }

    /// Shows that the person who is signed in is there, as some operations require (see
    /// ``AccountsError/Code/requiresRecentLogin``). No account is made.
    ///
    /// - Parameter credential: A credential of the person, of any provider that is linked.
    /// - Throws: ``AccountsError``. It is ``AccountsError/Code/userMismatch`` for a credential of somebody else; the
    ///   session then stays as it was.
    @discardableResult
    public func reauthenticate(with credential: Credential) async throws -> SignInResult {
        try await load()
        guard let uid = held?.user.uid else { throw AccountsError(.notSignedIn) }
        let begun = now()
        let response: SignInResponse = try await server.call(.signIn, SignInRequest(credential, mayCreate: false))
        let entered = try response.entered(at: begun)
        guard entered.uid.utf8.elementsEqual(uid.utf8) else { throw AccountsError(.userMismatch) }
        return try await begin(entered, knowing: try stillHeld(uid)) { _ = try self.stillHeld(uid) }
    }

    // MARK: Parts

    /// Returns the person, if that is still who is signed in.
    private func stillHeld(_ uid: String) throws -> User {
        guard let user = held?.user else { throw AccountsError(.notSignedIn) }
        guard user.uid.utf8.elementsEqual(uid.utf8) else { throw AccountsError(.userMismatch) }
        return user
    }

    /// Begins the session of a sign-in, with the account as the server describes it.
    /// - Parameters:
    ///   - entered: What the server said.
    ///   - known: The account where the server cannot be asked: the credential is used up, so that the sign-in could not
    ///     be tried again.
    ///   - mayBegin: Throws if the session may not begin any more, since the app signed out, or somebody else in, while
    ///     the server was asked.
    private func begin(
        _ entered: SignInResponse.Entered, knowing known: User, _ mayBegin: () throws -> Void
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
        try mayBegin()
        try await replace(with: StoredSession(tokens: entered.tokens, user: user))
        return SignInResult(
            user: user,
            additionalUserInfo: AdditionalUserInfo(
                providerID: entered.providerID, isNewUser: entered.isNewUser, profile: entered.profile),
            providerTokens: entered.providerTokens)
    }
}
