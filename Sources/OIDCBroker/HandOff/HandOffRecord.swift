// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// What a hand-off code stands for.
package struct HandOffRecord: Sendable, Hashable {
    /// The app it was issued to.
    package var clientID: String
    /// The redirect URI it was sent to.
    package var redirectURI: String
    /// The app's S256 challenge, 32 bytes.
    package var codeChallenge: [UInt8]
    /// The issuer that issued it.
    package var issuer: String
    /// The claims of the ID token, without the times and hashes that minting adds.
    package var claims: JSONObjectText
    /// The `upstream` member of the response; `nil` if the app is not allowed it.
    package var upstream: JSONObjectText?
    /// The `user` member of the response: a name that nobody vouches for; `nil` if there is none.
    package var user: JSONObject?

    package init(
        clientID: String,
        redirectURI: String,
        codeChallenge: [UInt8],
        issuer: String,
        claims: JSONObjectText,
        upstream: JSONObjectText?,
        user: JSONObject? = nil
    ) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.codeChallenge = codeChallenge
        self.issuer = issuer
        self.claims = claims
        self.upstream = upstream
        self.user = user
    }

    /// How long it may be, bytes: 64 KB for a store's entry, less what sealing and a delivery add.
    static let longest = 63 * 1024

    /// Whether a store takes it: what is read of it here is nearly all there is, and without its text.
    var isStorable: Bool {
        claims.bytes.count + (upstream?.bytes.count ?? 0) + Self.longestRest <= Self.longest
            || encoded.count <= Self.longest
    }

    /// More than all other fields together, in a usual record.
    private static let longestRest = 8 * 1024

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.write(counted: clientID.utf8)
        writer.write(counted: redirectURI.utf8)
        writer.write(counted: codeChallenge)
        writer.write(counted: issuer.utf8)
        writer.write(long: claims.bytes)
        writer.write(UInt8(upstream == nil ? 0 : 1) | UInt8(user == nil ? 0 : 2))
        if let upstream { writer.write(long: upstream.bytes) }
        if let user { writer.write(long: user.serialized()) }
        return writer.bytes
    }

    init?(_ encoded: [UInt8]) {
        var reader = ByteReader(encoded)
        guard let clientID = reader.readCountedString(), let redirectURI = reader.readCountedString(),
            let codeChallenge = reader.readCounted(), let issuer = reader.readCountedString(),
            let claims = reader.readLong().flatMap(JSONObjectText.init(bytes:)), let members = reader.readByte()
        else { return nil }
        var upstream: JSONObjectText?
        if members & 1 != 0 {
            guard let text = reader.readLong().flatMap(JSONObjectText.init(bytes:)) else { return nil }
            upstream = text
        }
        var user: JSONObject?
        if members & 2 != 0 {
            guard let object = reader.readLong().flatMap(JSONObjectText.init(bytes:))?.object else { return nil }
            user = object
        }
        guard reader.isAtEnd else { return nil }
        self.init(
            clientID: clientID, redirectURI: redirectURI, codeChallenge: codeChallenge, issuer: issuer, claims: claims,
            upstream: upstream, user: user)
    }
}
