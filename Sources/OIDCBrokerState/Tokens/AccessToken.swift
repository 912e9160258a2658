// SPDX-License-Identifier: Apache-2.0

package import JOSE
import OIDCBrokerConfiguration
import OpenIDConnect
import OpenIDRelyingParty
package import SingleUse

/// An access token of the broker, with which an app gets the claims of a sign-in from UserInfo, and nothing else; or one
/// for an API of the app, a JWT that the API verifies.
///
/// The token contains the claims, for UserInfo alone sealed, so that a redemption does not occupy the store for the lifetime of the token.
/// The store has only the claim of a token that ended early, and that of its code, which is how a second redemption is
/// recognized.
package struct AccessToken {
    /// The longest lifetime that an app can have, in seconds: a day.
    package static let longestLifetime = BrokerConfiguration.App.tokenLifetimeBounds.upperBound.components.seconds

    /// The identifier, 16 bytes. It depends on the hand-off code, if there is one.
    package let id: [UInt8]
    /// The client ID of the app.
    package let clientID: String
    /// The time of the sign-in, in seconds since 1970: if the sessions of its account end later, so does the token.
    package let issuedAt: Int64
    /// The time from which the token is not valid, in seconds since 1970.
    package let expiry: Int64
    /// The claims of the ID token, without the times and hashes that minting adds; those of a JWT are its own.
    package let claims: JSONObjectText
    /// The API that the token is for, its `aud`; `nil` for a sealed token, for UserInfo alone.
    package internal(set) var resource: String?

    /// The key of the claim of a token that ended before its expiry.
    package static func endKey(id: [UInt8]) -> SingleUseKey { SingleUseKey(.endedAccessToken, id) }

    /// The claims of a sealed token.
    /// - Parameter sessionID: The session with which the token ends, 16 bytes; `nil` for none.
    package static func claims(of record: HandOffRecord, sessionID: [UInt8]?) -> JSONObjectText {
        var claims = record.claims
        if let sessionID { claims.append(sessionClaim, Base64URL.encode(sessionID)) }
        return claims
    }

    /// The claim that names the session of a token.
    package static let sessionClaim = "sid"

    /// Returns the session that the claims of a token name, 16 bytes; `nil` if they name none.
    package static func session(in claims: JSONObject) -> [UInt8]? {
        claims[sessionClaim]?.text.flatMap { $0.utf8.count == 22 ? Base64URL.decode($0) : nil }
    }

    /// Returns the sealed token; `nil` if the cipher fails or the token would be too long.
    package func sealed(by sealer: StateSealer) -> String? {
        var writer = ByteWriter(capacity: claims.bytes.count + clientID.utf8.count + 64)
        writer.write(raw: id)
        writer.write(issuedAt)
        writer.write(expiry)
        writer.write(counted: clientID.utf8)
        writer.write(long: claims.bytes)
        return sealer.seal(writer.bytes, for: .accessToken).map { IssuedTokenPrefix.accessToken + $0 }
    }

    /// Opens a token; `nil` if it was not sealed here or has expired.
    init?(_ text: WireText, openedBy sealer: StateSealer, now: Int64) {
        self.init(text, openedBy: sealer)
        guard isCurrent(at: now) else { return nil }
    }

    /// Whether it has not expired at a time.
    package func isCurrent(at now: Int64) -> Bool {
        expiry > now && expiry <= now + Self.longestLifetime + LoginState.clockSkew
    }

    /// Opens a token, expired or not; `nil` if it was not sealed here.
    package init?(_ text: WireText, openedBy sealer: StateSealer) {
        let prefix = IssuedTokenPrefix.accessToken.utf8
        guard text.utf8.starts(with: prefix),
            let plaintext = sealer.open(
                WireText(Substring(text.utf8.dropFirst(prefix.count))), for: .accessToken)?.plaintext
        else { return nil }
        var reader = ByteReader(plaintext)
        guard let id = reader.read(16), let issuedAt = reader.readInt64(), let expiry = reader.readInt64(),
            let clientID = reader.readCountedString(),
            let claims = reader.readLong().flatMap(JSONObjectText.init(bytes:)), reader.isAtEnd
        else { return nil }
        self.init(id: id, clientID: clientID, issuedAt: issuedAt, expiry: expiry, claims: claims)
    }

    /// Creates a token.
    package init(id: [UInt8], clientID: String, issuedAt: Int64, expiry: Int64, claims: JSONObjectText) {
        self.id = id
        self.clientID = clientID
        self.issuedAt = issuedAt
        self.expiry = expiry
        self.claims = claims
    }
}
