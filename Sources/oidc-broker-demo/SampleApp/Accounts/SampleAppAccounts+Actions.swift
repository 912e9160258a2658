// SPDX-License-Identifier: Apache-2.0

import JOSE

extension SampleAppAccounts {
    /// Performs an action for the signed-in user, or signs one in.
    ///
    /// - Parameter held: The tokens of the user; `nil` if no user is signed in.
    /// - Returns: Who is signed in now, and what the page says.
    func perform(
        _ action: AccountAction, _ held: HeldTokens?
    ) async throws(AccountsWireError) -> AccountSessions.Session {
        switch action {
        case .signIn(let provider, let user):
            let tokens = try await wire.signIn(sheet.present(provider, as: user))
            return AccountSessions.Session(tokens: await hold(tokens), notice: .signedIn(isNew: tokens.isNew))
        case .signInAgain(let provider, let user):
            let current = try await signedIn(held)
            let tokens = try await wire.signIn(sheet.present(provider, as: user), mayCreate: false)
            // The broker signs in any user. The app has to check that it is the same user.
            guard tokens.uid.hasSameBytes(as: current.uid) else { throw .anotherPerson }
            return AccountSessions.Session(tokens: await hold(tokens), notice: .signedInAgain)
        case .link(let provider, let user):
            let current = try await signedIn(held)
            let tokens = try await wire.signIn(sheet.present(provider, as: user), linkingTo: current.idToken)
            return AccountSessions.Session(tokens: await hold(tokens), notice: .linked(provider))
        case .unlink(let provider):
            let current = try await signedIn(held)
            try await wire.unlink(provider.wireID, idToken: current.idToken)
            // The answer has no tokens: the next ID token carries the change. The provider is unlinked without it, too.
            guard let tokens = try? await wire.refresh(current.refreshToken) else {
                return AccountSessions.Session(tokens: current, notice: .unlinked(provider))
            }
            return AccountSessions.Session(tokens: await hold(tokens), notice: .unlinked(provider))
        case .refresh:
            let tokens = try await wire.refresh(signedIn(held).refreshToken)
            return AccountSessions.Session(tokens: await hold(tokens), notice: .refreshed)
        case .delete(let user):
            return AccountSessions.Session(notice: .deleted(try await delete(signedIn(held), agreeing: user)))
        case .signOut:
            // There is no call for it: an app forgets the tokens.
            return AccountSessions.Session(notice: .signedOut)
        }
    }

    private func signedIn(_ held: HeldTokens?) async throws(AccountsWireError) -> HeldTokens {
        guard let held else { throw .signedOut }
        return try await renewed(held)
    }

    /// Deletes the account, after the grant at Apple if it is linked. Apple requires that of apps. The code for it
    /// comes from a user who agreed a moment ago. The broker accepts that as the proof for the deletion.
    ///
    /// - Parameter user: The user who agrees at Apple; `nil` if none does.
    private func delete(
        _ held: HeldTokens, agreeing user: DemoUser?
    ) async throws(AccountsWireError) -> SignInReport {
        var report = SignInReport()
        let profile = try await wire.lookup(idToken: held.idToken)
        if profile.isLinked(to: .apple) {
            guard let user else { throw .noCredential }
            let credential = try sheet.present(.apple, as: user)
            guard let code = credential.authorizationCode else { throw .noCredential }
            try await wire.revoke(code, of: credential.providerID, idToken: held.idToken)
            report.check("the mock Apple revoked the grant, for a fresh authorization code", true)
        }
        try await wire.delete(idToken: held.idToken)
        report.check("the account was deleted, with no sign-in in between", true)
        let isDead = await wire.isDead(held.refreshToken)
        report.check("the refresh token is dead", isDead)
        return report
    }
}
