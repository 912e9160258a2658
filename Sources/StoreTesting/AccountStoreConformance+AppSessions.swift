// SPDX-License-Identifier: Apache-2.0

import Accounts

// MARK: The sessions of OpenID apps

extension AccountStoreConformance {
    /// A session of an OpenID app.
    static func appSession(
        _ number: Int, of account: Account, hash secretHash: [UInt8]? = nil, generation: UInt32 = 1,
        scope: String = "openid offline_access", claims: String = #"{"name":"\u00e9 é"}"#
    ) -> AccountSession {
        AccountSession(
            id: sessionID(number), secretHash: secretHash ?? hash(number), account: account.id,
            providerID: "google.com", app: "shop", authTime: start, createdAt: start, expiry: start + 86_400,
            grant: AccountSession.Grant(
                scope: scope, claims: claims, lastUsedAt: start + 1, generation: generation, keyID: [0, 1, 0xFF, 3],
                rotations: [start - 1, start]))
    }

    @Sendable static func keepsAppSessions(_ examination: inout AccountExamination) async throws {
        let ada = account("ada")
        let (known, ofSDK) = (appSession(1, of: ada), session(2, of: ada))
        try await examination.add(ada, sessions: [known, ofSDK])
        examination.check(
            try await examination.session(known.id)?.isExactly(known) == true, "The session of an app comes back.")
        var sdkSession = session(1, of: ada)
        sdkSession.lastUsedOn = known.lastUsedOn
        let ofOtherWire = sdkSession
        let conflicts: [(what: String, write: AccountExamination.Write)] = [
            ("Giving it another secret without a rotation", { try $0.update(appSession(1, of: ada, hash: hash(9))) }),
            ("Taking a rotation back", { try $0.update(appSession(1, of: ada, generation: 0)) }),
            ("Giving it other scopes", { try $0.update(appSession(1, of: ada, generation: 2, scope: "openid")) }),
            ("Giving it other claims", { try $0.update(appSession(1, of: ada, generation: 2, claims: "{}")) }),
            ("Giving it to the wire of the SDKs", { try $0.update(ofOtherWire) }),
            ("Giving a session of the SDKs to an app", { try $0.update(appSession(2, of: ada)) }),
        ]
        for (what, write) in conflicts { try await examination.checkConflict(what, write) }
        let rotated = appSession(1, of: ada, hash: hash(9), generation: .max)
        try await examination.transact { try $0.update(rotated) }
        examination.check(
            try await examination.session(known.id)?.isExactly(rotated) == true,
            "The session of an app is updated with a rotation.")
    }
}
