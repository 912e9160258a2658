// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect
public import OpenIDRelyingParty

/// A key for Sign in with Apple: the private key of a `.p8` file with its team ID and key ID.
///
/// Its description is the key ID only, and the private key cannot be read back.
public struct AppleKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The id of the developer team, 10 characters.
    public let teamID: String
    /// The id of the key, 10 characters. It is the `kid` of every client secret signed with the key.
    public let keyID: String

    private let signingKey: SigningKey

    /// Creates a key.
    /// - Parameters:
    ///   - teamID: The team ID as shown on the membership page of Apple's developer account.
    ///   - keyID: The key ID as shown on the keys page.
    ///   - pem: The text of the `.p8` file, which is PKCS#8 with P-256. CRLF line breaks and a missing last line break
    ///     are accepted.
    /// - Throws: ``AppleKeyError``, which states what is wrong.
    public init(teamID: String, keyID: String, privateKey pem: Secret) throws(AppleKeyError) {
        guard Self.isIdentifier(teamID) else { throw .teamID }
        guard Self.isIdentifier(keyID) else { throw .keyID }
        let file = try AppleKeyFile(pem.exposed)
        do {
            signingKey = try SigningKey(pem: file.pem)
        } catch {
            throw .damaged
        }
        self.teamID = teamID
        self.keyID = keyID
    }

    /// Whether a text has the form of a team ID or key ID: 10 characters of A-Z and 0-9.
    package static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count == 10
            && text.utf8.allSatisfy {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
    }

    /// Returns a client secret: a JWT signed with ES256 (RFC 7518 section 3.4: 64 bytes of r and s).
    /// - Parameters:
    ///   - clientID: The Services ID or bundle ID of the client that authenticates.
    ///   - audience: Apple's issuer.
    ///   - now: The current time, in seconds since 1970. Apple refuses a secret from the future, so `iat` lies before it
    ///     (`IssuedAt`).
    ///   - expiry: The `exp`, in seconds since 1970.
    func clientSecret(clientID: String, audience: String, now: Int64, expiry: Int64) throws -> Secret {
        let claims: JSONObject = [
            "iss": .string(teamID),
            "iat": .number(JSONNumber(IssuedAt.claim(now: now))),
            "exp": .number(JSONNumber(expiry)),
            "aud": .string(audience),
            "sub": .string(clientID),
        ]
        return Secret(try signingKey.sign(claims, header: ["kid": .string(keyID)]))
    }

    public var description: String { "AppleKey(\(keyID))" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
