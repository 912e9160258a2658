// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerState
import SingleUse

/// A provider's ID token that a response handed to a page of an app, and the encryption of its record.
///
/// `GoogleAuthProvider` of the SDK for JavaScript keeps this token of an error and drops the pending credential beside it.
/// So the page sends the token again, without its nonce. The record is what was verified: the token is not verified again.
///
/// The key of the record is the hash of the signed part. The record is sealed under a key derived from the whole token:
/// signed parts get into logs, and one without its signature opens nothing. Printing shows nothing of it.
struct HandedOutToken: Sendable, Unprinted {
    private static let sealPrefix = Array("identity-toolkit handed-out token seal v1".utf8)
    /// What the token itself says.
    private static let omitted = ["id_token", "claims"]

    private let idToken: String
    private let secret: SealingSecret
    /// The key of the record in the store.
    let key: SingleUseKey

    /// - Parameters:
    ///   - idToken: The ID token.
    ///   - app: The name of the app whose page has it.
    ///   - projectID: The project of the app. Neither has a space.
    init(_ idToken: String, app: String, projectID: String) {
        let bytes = Array(idToken.utf8)
        let signed = bytes[..<(bytes.lastIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex)]
        self.idToken = idToken
        key = SingleUseKey(.handedOutToken, Array("\(projectID) \(app) ".utf8) + signed)
        // The signature cannot be guessed, so one hash with its own prefix derives a key.
        secret = SealingSecret(bytes: Hash.sha256(Self.sealPrefix + bytes))
    }

    /// Seals the record.
    /// - Returns: The value for the store; `nil` if it is too long, or the cipher fails.
    func seal(_ credential: PendingCredential) -> [UInt8]? {
        var members = credential.members
        for name in Self.omitted { members[name] = nil }
        guard let value = SealedValue.seal(members.serialized(), with: secret, at: key),
            value.count <= SingleUseKey.longestValue
        else { return nil }
        return value
    }

    /// Opens a record; `nil` if it is not that of this token, or not usable now.
    /// - Parameter now: The current time, in seconds since 1970.
    func open(_ sealed: [UInt8], now: Int64) -> PendingCredential? {
        guard let content = SealedValue.open(sealed, with: secret, at: key),
            var members = JSONObjectText(bytes: content)?.object, let claims = JSONObject(claimsOf: idToken)
        else { return nil }
        members["id_token"] = .string(idToken)
        members["claims"] = .object(claims)
        return PendingCredential(members: members).flatMap { $0.isUsable(at: now) ? $0 : nil }
    }
}

extension JSONObject {
    /// Reads the claims of an ID token without verification; `nil` if they cannot be read.
    init?(claimsOf idToken: String) {
        let parts = Array(idToken.utf8).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let limits = JSONLimits(maximumBytes: JSONWebSignature.longestToken, maximumDepth: 32)
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]),
            let claims = try? JSONParser.object(payload, limits: limits)
        else { return nil }
        self = claims
    }
}
