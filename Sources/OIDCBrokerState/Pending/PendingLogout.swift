// SPDX-License-Identifier: Apache-2.0

package import OIDCBrokerPages

/// A logout that waits for the person's confirmation or for the provider. It is sealed in the form of the page or in the
/// `state` for the provider, and not stored.
package struct PendingLogout: Hashable {
    /// What a logout waits for.
    package enum Phase: UInt8 {
        case confirmation = 1
        case provider = 2
    }

    /// The length of the identifier of a session, in bytes.
    private static let sessionLength = 16

    /// What the logout waits for.
    package var phase: Phase
    /// The time of the request, in seconds since 1970.
    private(set) var issuedAt: Int64
    /// The name of the app in the configuration; `nil` if the request names none.
    package let app: String?
    /// The name of the provider in the configuration; `nil` if it is not known.
    package let provider: String?
    /// The URI to which the user agent is sent afterwards; `nil` if there is none.
    package let redirectURI: String?
    /// The `state` of the app.
    package let state: String?
    /// The language that the app asked for.
    package let language: Language?
    /// The session of the app that ends, 16 bytes; `nil` if it is not known.
    package let session: [UInt8]?

    /// Creates a logout that waits.
    package init(
        phase: Phase, issuedAt: Int64, app: String?, provider: String?, redirectURI: String?, state: String?,
        language: Language?, session: [UInt8]? = nil
    ) {
        self.phase = phase
        self.issuedAt = issuedAt
        self.app = app
        self.provider = provider
        self.redirectURI = redirectURI
        self.state = state
        self.language = language
        self.session = session
    }

    /// Whether it is too old, or of the future, at a time in seconds since 1970.
    package func isStale(at now: Int64) -> Bool {
        issuedAt <= now - LoginState.lifetime || issuedAt > now + LoginState.clockSkew
    }

    /// The logout as if it were requested at a time, in seconds since 1970.
    package func renewed(at now: Int64) -> PendingLogout {
        var renewed = self
        renewed.issuedAt = now
        return renewed
    }

    /// The bytes that are sealed.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.write(phase.rawValue)
        writer.write(issuedAt)
        for text in [app, provider, redirectURI, state] {
            writer.write(UInt8(text == nil ? 0 : 1))
            if let text { writer.write(counted: text.utf8) }
        }
        writer.write(language.encoded)
        if let session { writer.write(raw: session) }
        return writer.bytes
    }
}

extension PendingLogout {
    /// Reads what ``encoded`` wrote; `nil` if it did not write this.
    package init?(encoded: [UInt8]) {
        var reader = ByteReader(encoded)
        guard let phase = reader.readByte().flatMap(Phase.init), let issuedAt = reader.readInt64() else { return nil }
        var texts: [String?] = []
        for _ in 0..<4 {
            switch reader.readByte() {
            case 0: texts.append(nil)
            case 1:
                guard let text = reader.readCountedString() else { return nil }
                texts.append(text)
            default: return nil
            }
        }
        guard let language = reader.readByte() else { return nil }
        // What an older version wrote has none.
        let session = reader.isAtEnd ? nil : reader.read(Self.sessionLength)
        guard reader.isAtEnd else { return nil }
        self.init(
            phase: phase, issuedAt: issuedAt, app: texts[0], provider: texts[1], redirectURI: texts[2], state: texts[3],
            language: Language(rawValue: language), session: session)
    }
}
