// SPDX-License-Identifier: Apache-2.0

import JOSE
public import OpenIDRelyingParty

/// A key for Sign in with Apple: what the `.p8` file holds, with the two ids that go with it.
///
/// Prints its key id and nothing else; the private key cannot be read back.
public struct AppleKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The developer team, 10 characters.
    public let teamID: String
    /// The key, 10 characters: `kid` of every client secret made with it.
    public let keyID: String

    private let signingKey: SigningKey

    /// Reads a key.
    /// - Parameters:
    ///   - teamID: as the membership page of Apple's developer account shows it.
    ///   - keyID: as the keys page shows it.
    ///   - pem: the `.p8` file's text: PKCS#8, P-256. CRLF and a missing last line end do no harm.
    /// - Throws: ``AppleKeyError``, which says what is wrong.
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

    /// Whether a text is an id as Apple gives them to teams and keys: 10 characters of A-Z and 0-9.
    package static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count == 10
            && text.utf8.allSatisfy {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
    }

    /// A client secret: a JWT signed with ES256 (RFC 7518 section 3.4: 64 bytes of r and s).
    /// - Parameters:
    ///   - clientID: the Services ID or bundle id that proves itself.
    ///   - audience: Apple's issuer.
    ///   - issuedAt: seconds since 1970.
    ///   - expiry: seconds since 1970.
    func clientSecret(clientID: String, audience: String, issuedAt: Int64, expiry: Int64) throws -> Secret {
        let claims: JSONObject = [
            "iss": .string(teamID),
            "iat": .number(JSONNumber(issuedAt)),
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
