// SPDX-License-Identifier: Apache-2.0

import Accounts
import JOSE
import Testing

@testable import IdentityToolkit

/// Credentials of a user, with everything that a provider may send and with as little as it must.
enum PendingCredentialFixture {
    static let now: Int64 = 1_790_000_000
    static let projectID = "shop-test"
    static let app = "web"
    static let key = IdentityKey(issuer: "https://appleid.apple.com", subject: "001.ada")

    static let full = PendingCredential(
        VerifiedIdentity(
            key, providerID: "apple.com", email: EmailAddress("Ada@Example.com"), isEmailProved: true,
            isPrivateRelay: true, displayName: "Ada", photoURL: "https://example.com/ada.png"),
        claims: ["sub": "001.ada", "email": "Ada@Example.com", "groups": ["a", "b"]],
        idToken: "header.payload.signature", accessToken: "access-token-of-ada", accessTokenExpiry: now + 3600,
        verifiedAt: now, authTime: now - 200,
        origin: TokenUse(hash: [UInt8](repeating: 7, count: 32), expiry: now + 420), account: AccountID("ada"))

    static let bare = make()

    static func make(
        _ identity: VerifiedIdentity? = nil, claims: JSONObject = [:], idToken: String = "header.payload.signature",
        verifiedAt: Int64 = PendingCredentialFixture.now, origin: TokenUse? = nil
    ) -> PendingCredential {
        PendingCredential(
            identity ?? VerifiedIdentity(key, providerID: "apple.com"), claims: claims, idToken: idToken,
            verifiedAt: verifiedAt, authTime: verifiedAt, origin: origin)
    }

    /// The 32 bytes of a sealing key.
    static func sealingKey(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    static func sealer(
        _ bytes: UInt8..., projectID: String = PendingCredentialFixture.projectID
    ) -> PendingCredentialSealer {
        PendingCredentialSealer(sealingKeys: bytes.map { sealingKey($0) }, projectID: projectID)
    }

    /// Expects that two credentials are the same, their texts byte for byte.
    static func expectSame(_ left: PendingCredential, _ right: PendingCredential) throws {
        #expect(left.identity == right.identity)
        #expect(left.identity.providerID.hasSameBytes(as: right.identity.providerID))
        #expect(left.identity.email?.text == right.identity.email?.text)
        #expect(Array((left.identity.displayName ?? "").utf8) == Array((right.identity.displayName ?? "").utf8))
        #expect(left.claims == right.claims)
        #expect(left.idToken == right.idToken)
        #expect(left.accessToken == right.accessToken)
        #expect(left.accessTokenExpiry == right.accessTokenExpiry)
        #expect(left.verifiedAt == right.verifiedAt)
        #expect(left.authTime == right.authTime)
        #expect(left.origin == right.origin)
        #expect(left.account == right.account)
        #expect(left.random == right.random)
    }
}

extension PendingCredentialSealer {
    /// Seals a credential for the app of the fixture.
    func seal(_ credential: PendingCredential) -> String? { seal(credential, for: PendingCredentialFixture.app) }

    /// Opens a text of the app of the fixture.
    func open(_ text: String, now: Int64) -> PendingCredential? {
        open(text, for: PendingCredentialFixture.app, now: now)
    }
}
