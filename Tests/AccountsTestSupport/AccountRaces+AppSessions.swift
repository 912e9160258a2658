// SPDX-License-Identifier: Apache-2.0

#if canImport(Testing)
    import Accounts
    import JOSE
    import OpenIDConnect
    import Testing

    extension AccountRaces {
        private static let keys = SuccessorKeys(sealingKeys: [[UInt8](repeating: 7, count: 32)])
        private static let policy = RefreshTokenPolicy(
            idleLifetime: 1_000, lifetime: 1_000, rotates: true, repetition: 10)

        /// Many refreshes of one token of an app at once are one rotation, and all have the same answer. Many that come too
        /// late end the session once.
        package func rotateOnce() async throws {
            let ada = Self.person("ada", at: "p")
            let claims: JSONObject = ["upstream_iss": "https://p", "upstream_sub": "ada"]
            let first = try await all(1) { [operations] _, transaction in
                let account = try operations.enter(
                    SignInRequest(ada, authTime: Self.now), in: transaction, now: Self.now
                ).account
                return try operations.begin(
                    AppSessionRequest(
                        id: AccountSession.ID(), seed: AccountStep.secretHash(1), account: account.id,
                        identity: ada.key,
                        app: "shop", authTime: Self.now, scope: "openid",
                        claims: String(decoding: claims.serialized(), as: UTF8.self), policy: Self.policy),
                    keys: Self.keys, in: transaction, now: Self.now)
            }
            let token = try #require(first.values.first)
            let (answers, refusals) = try await refresh(token, at: Self.now)
            #expect(refusals.isEmpty && answers.count == Self.count)
            #expect(Set(answers).count == 1 && answers.first != token.text)
            let late = try await refresh(token, at: Self.now + 11)
            #expect(late.values == [""])
            #expect(late.refusals == [AccountRefusal.Code](repeating: .sessionEnded, count: Self.count - 1))
        }

        /// The texts of the tokens; an empty one for a session that ended.
        private func refresh(
            _ token: AppRefreshToken, at now: Int64
        ) async throws -> (values: [String], refusals: [AccountRefusal.Code]) {
            try await all { [operations] _, transaction in
                let presented = PresentedAppToken(token, of: "shop", policy: Self.policy, absence: .none)
                let refresh = try operations.refresh(presented, keys: Self.keys, in: transaction, now: now) { _ in }
                guard case .refreshed(_, let next) = refresh else { return "" }
                return next.text
            }
        }
    }
#endif
