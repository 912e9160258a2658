// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithApple
import SignInWithAppleTesting

/// The team and the clients of these tests.
enum Apple {
    static let teamID = "TEAM123456"
    static let otherTeamID = "OTHER98765"
    static let keyID = "KEY1234567"
    static let servicesID = "com.example.web"
    static let bundleID = "com.example.app"
    static let otherBundleID = "com.example.other"
    static let redirectURI = "https://app.example/__/auth/handler"
    /// Now, seconds since 1970: that of a new `TestClock`.
    static let now: Int64 = 1_800_000_000

    static func key(teamID: String = Apple.teamID, keyID: String = Apple.keyID) throws -> AppleKey {
        try AppleKey(teamID: teamID, keyID: keyID, privateKey: MockApple.DeveloperKey.make(teamID: teamID).privateKey)
    }
}

extension MockApple.DeveloperKey {
    /// The key as a client reads it.
    func appleKey() throws -> AppleKey {
        try AppleKey(teamID: teamID, keyID: keyID, privateKey: privateKey)
    }
}

/// Claims that are really signed and really verified, since nothing else can be validated.
func verified(_ claims: JSONObject, type: String? = nil) throws -> VerifiedPayload {
    let key = try SigningKey.generate(.es256)
    let keys = try KeySet(json: (["keys": [.object(key.publicJWK)]] as JSONObject).serialized())
    return try JSONWebSignature(compact: key.sign(claims, type: type)).verified(by: keys, algorithms: [.es256])
}

/// The header and the claims of a token, not verified.
func parts(of token: String) throws -> (header: JSONObject, claims: JSONObject, signature: [UInt8]) {
    struct NotAToken: Error {}
    let segments = token.split(separator: ".", omittingEmptySubsequences: false).map { Base64URL.decode(String($0)) }
    guard segments.count == 3, let header = segments[0], let claims = segments[1], let signature = segments[2] else {
        throw NotAToken()
    }
    let limits = JSONLimits(maximumBytes: 65_536)
    return (
        try JSONParser.object(header, limits: limits), try JSONParser.object(claims, limits: limits), signature
    )
}
