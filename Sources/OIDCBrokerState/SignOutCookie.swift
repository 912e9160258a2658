// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
import JOSE
package import OIDCBrokerConfiguration
package import OIDCBrokerHTTP

/// The ID token of a provider that stays with the browser, so that the user can sign out there without being asked
/// (OpenID Connect RP-Initiated Logout 1.0 section 2, `id_token_hint`).
package struct KeptIDToken: Hashable {
    /// The time of the sign-in, in seconds since 1970.
    let issuedAt: Int64
    /// The fingerprint of the provider and the broker's client there, 8 bytes.
    let fingerprint: [UInt8]
    /// The broker's `sub` of the user.
    package let subject: String
    /// The ID token.
    package let idToken: String

    /// Creates a value to keep.
    package init(issuedAt: Int64, fingerprint: [UInt8], subject: String, idToken: String) {
        self.issuedAt = issuedAt
        self.fingerprint = fingerprint
        self.subject = subject
        self.idToken = idToken
    }

    /// The bytes that are sealed; `nil` if the ID token is no JWS in the compact serialization (RFC 7515 section 7.1).
    ///
    /// The parts of the token are decoded: sealing encodes them again, and a token that was encoded twice would be a third
    /// longer.
    package var encoded: [UInt8]? {
        let text = Array(idToken.utf8)
        var writer = ByteWriter(capacity: text.count + 128)
        writer.write(issuedAt)
        writer.write(counted: fingerprint)
        writer.write(counted: subject.utf8)
        var (start, count) = (0, 0)
        for end in 0...text.count where end == text.count || text[end] == UInt8(ascii: ".") {
            guard let part = Base64URL.decode(text[start..<end]) else { return nil }
            writer.write(counted: part)
            (start, count) = (end + 1, count + 1)
        }
        return count == Self.partCount ? writer.bytes : nil
    }

    /// Reads what ``encoded`` wrote; `nil` if it did not write this.
    package init?(encoded: [UInt8]) {
        var reader = ByteReader(encoded)
        guard let issuedAt = reader.readInt64(), let fingerprint = reader.readCounted(),
            let subject = reader.readCountedString()
        else { return nil }
        var parts: [String] = []
        for _ in 0..<Self.partCount {
            guard let part = reader.readCounted() else { return nil }
            parts.append(Base64URL.encode(part))
        }
        guard reader.isAtEnd else { return nil }
        self.init(issuedAt: issuedAt, fingerprint: fingerprint, subject: subject, idToken: parts.joined(separator: "."))
    }

    /// A header, a payload and a signature.
    private static let partCount = 3
}

/// The cookies that keep ID tokens of providers for the sign-out, sealed with keys of their own purpose.
///
/// The browser sends them to the path of `logout` only, so the callback that sets one does not see them. Their names
/// are numbered, so that a browser has at most ``maximumCount``: a provider has one, and the fifth takes the place of
/// the first.
package struct SignOutCookie: Sendable {
    /// The lifetime of a cookie, in seconds.
    package static let lifetime: Int64 = 86_400
    /// The maximum number of cookies in a browser.
    package static let maximumCount = 4
    /// The maximum length of the head of a response with the cookie, in bytes: what proxies take by default.
    package static let maximumHeadLength = 4096
    /// The room in a head for what the server and proxies add to it, in bytes.
    static let headReserve = 256

    private let prefix: String
    /// The attributes without the lifetime.
    private let attributes: String

    /// Creates the cookies of a broker.
    /// - Parameters:
    ///   - publicURL: The URL, which decides whether they are `Secure`.
    ///   - path: The path of `logout`.
    package init(publicURL: PublicURL, path: String) {
        prefix = publicURL.isSecure ? "__Secure-oidc-sign-out-" : "oidc-sign-out-"
        attributes = "; Path=\(path); HttpOnly; SameSite=Lax" + (publicURL.isSecure ? "; Secure" : "")
    }

    /// Returns the name of the cookie of the provider at a position in the configuration.
    package func name(at position: Int) -> String { "\(prefix)\(position % Self.maximumCount)" }

    /// Adds the cookie to a response, if its head stays short enough.
    package func set(_ kept: KeptIDToken, at position: Int, sealer: StateSealer, in response: inout BrokerResponse) {
        guard let encoded = kept.encoded, let sealed = sealer.seal(encoded, for: .signOut) else { return }
        let value = "\(name(at: position))=\(sealed); Max-Age=\(Self.lifetime)\(attributes)"
        let length = Self.lineLength(.setCookie, value.utf8.count)
        guard Self.fits(length, in: response) else { return }
        response.head.headerFields.append(.once(.setCookie, value))
    }

    /// Whether the head of a response stays short enough with a further line of so many bytes.
    package static func fits(_ length: Int = 0, in response: BrokerResponse) -> Bool {
        let present = response.head.headerFields.reduce(0) { $0 + lineLength($1.name, $1.value.utf8.count) }
        return present + length <= maximumHeadLength - headReserve
    }

    /// The length of a field in HTTP/1.1, with `: ` and the end of the line.
    private static func lineLength(_ name: HTTPField.Name, _ valueLength: Int) -> Int {
        name.rawName.utf8.count + valueLength + 4
    }

    /// Returns what the browser keeps of a provider; `nil` if there is nothing, if it was not sealed here for this
    /// provider within the lifetime, or if there are two cookies of the name, since one of them was planted.
    package func kept(
        at position: Int, fingerprint: [UInt8], in cookies: Cookies, sealer: StateSealer, now: Int64
    ) -> KeptIDToken? {
        let values = cookies.values(name(at: position))
        guard values.count == 1, let value = values.first,
            let plaintext = sealer.open(WireText(value), for: .signOut)?.plaintext,
            let kept = KeptIDToken(encoded: plaintext), kept.fingerprint == fingerprint,
            kept.issuedAt > now - Self.lifetime, kept.issuedAt <= now + LoginState.clockSkew
        else { return nil }
        return kept
    }

    /// The name of the cookie with the app's `state` of a sign-out.
    private var stateName: String { prefix + "state" }

    /// Returns the field that keeps the app's `state` of a sign-out until the user agent comes back from the provider,
    /// however long the user is there (``PendingLogout/keepStateInCookie()``). It is a session cookie, one for a browser.
    package func set(state: String) -> HTTPField {
        .once(.setCookie, "\(stateName)=\(Base64URL.encode(Array(state.utf8)))\(attributes)")
    }

    /// Returns the app's `state` that the browser keeps; several if one was tossed in.
    package func states(in cookies: Cookies) -> [String] {
        cookies.values(stateName).compactMap { Base64URL.decode(String($0)) }
            .compactMap { String(validating: $0, as: UTF8.self) }
    }

    /// Returns the field that deletes the cookie with the app's `state`; `nil` if the browser has none.
    package func stateDeletion(in cookies: Cookies) -> HTTPField? { deletion(of: stateName, in: cookies) }

    /// Returns the field that deletes the cookie of a provider; `nil` if the browser has none.
    package func deletion(at position: Int, in cookies: Cookies) -> HTTPField? {
        deletion(of: name(at: position), in: cookies)
    }

    private func deletion(of name: String, in cookies: Cookies) -> HTTPField? {
        cookies.values(name).isEmpty ? nil : .once(.setCookie, "\(name)=; Max-Age=0\(attributes)")
    }
}
