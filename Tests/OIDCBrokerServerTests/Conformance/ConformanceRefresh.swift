// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerTesting
import OpenIDConnect
import OpenIDRelyingParty
import Testing

/// A sign-in and what is done with its refresh token, by the public calls of `RelyingParty`; and its verdict.
struct ConformanceRefresh: Sendable {
    let options: SignInFixture.Options
    let setting: ConformanceModule.Setting

    /// Runs it.
    func perform() async throws -> ConformanceVerdict {
        try await RelyingPartySession.run(options) { session in
            try await refresh(session)
        } afterwards: { verdict, provider in
            var verdict = verdict
            verdict.finalSteps = provider.steps
            verdict.violations = provider.violations()
            return verdict
        }
    }

    private func refresh(_ session: RelyingPartySession) async throws -> ConformanceVerdict {
        let provider = session.provider
        let signIn = try await session.signIn()
        let first = Tokens(
            access: try #require(signIn.accessToken), refresh: try #require(signIn.refreshToken))
        do {
            let last =
                if setting == .refreshedUntilAccepted {
                    try await afterTwoRefusals(first, signIn, session.relyingParty)
                } else {
                    try await refreshed(first, signIn, session.relyingParty)
                }
            let claims = try await session.relyingParty.userInfo(
                accessToken: last.access, subject: signIn.subject, using: RunningServer.eventLoops)
            #expect(claims.string("email") == SignInFixture.ada.email)
            return ConformanceVerdict(end: .accepted, steps: provider.steps)
        } catch let error as RelyingPartyError {
            let reason = ConformanceVerdict.reason("\(error)", issuer: provider.issuer)
            return ConformanceVerdict(end: .rejected(reason), steps: provider.steps)
        }
    }

    private struct Tokens: Sendable {
        let access: Secret
        let refresh: Secret
    }

    private func refreshed(
        _ tokens: Tokens, _ signIn: VerifiedSignIn, _ relyingParty: RelyingParty
    ) async throws -> Tokens {
        let refreshed = try await relyingParty.refresh(
            tokens.refresh, issuer: signIn.issuer, subject: signIn.subject, using: RunningServer.eventLoops)
        #expect(refreshed.accessToken != tokens.access)
        #expect(refreshed.claims?.string("sub") == signIn.subject)
        return Tokens(access: refreshed.accessToken, refresh: try #require(refreshed.refreshToken))
    }

    /// An access token that is refused is a reason to refresh, each time with the refresh token got last.
    private func afterTwoRefusals(
        _ first: Tokens, _ signIn: VerifiedSignIn, _ relyingParty: RelyingParty
    ) async throws -> Tokens {
        var tokens = first
        for _ in 0..<2 {
            let access = tokens.access
            let refusal = await #expect(throws: RelyingPartyError.self) {
                try await relyingParty.userInfo(
                    accessToken: access, subject: signIn.subject, using: RunningServer.eventLoops)
            }
            #expect(refusal?.step == .userInfo)
            tokens = try await refreshed(tokens, signIn, relyingParty)
        }
        return tokens
    }
}
