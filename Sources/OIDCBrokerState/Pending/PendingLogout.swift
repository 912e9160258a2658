// SPDX-License-Identifier: Apache-2.0

import JOSE
package import OIDCBrokerPages

/// A logout that waits for the user's confirmation or for the provider. It is sealed in the form of the page or in the
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
    package private(set) var redirectURI: String?
    /// The `state` of the app.
    package private(set) var state: String?
    /// The hash of the app's `state`, 16 bytes, while the `state` is in a cookie; otherwise `nil`.
    private var stateHash: [UInt8]?
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

    /// Replaces the app's `state` by its hash. The `state` goes into a cookie, so that the URL at the provider is not longer
    /// than every provider accepts.
    /// - Returns: The app's `state`; `nil` if there is none.
    package mutating func keepStateInCookie() -> String? {
        guard let state else { return nil }
        stateHash = LoginRequirements.hash(of: state)
        self.state = nil
        return state
    }

    /// Restores the app's `state` from the values of that cookie. If none matches, the user agent is not sent to the app: an
    /// app cannot tell a return without its `state` from a forged one.
    package mutating func restoreState(from kept: [String]) {
        guard let hash = stateHash else { return }
        stateHash = nil
        state = kept.first { ConstantTime.equal(LoginRequirements.hash(of: $0), hash) }
        if state == nil { redirectURI = nil }
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
        for text in [app, provider, redirectURI] { writer.write(optional: text) }
        if let stateHash {
            writer.write(Self.hashMark)
            writer.write(raw: stateHash)
        } else {
            writer.write(optional: state)
        }
        writer.write(language.encoded)
        if let session { writer.write(raw: session) }
        return writer.bytes
    }
}

extension ByteWriter {
    fileprivate mutating func write(optional text: String?) {
        write(UInt8(text == nil ? 0 : 1))
        if let text { write(counted: text.utf8) }
    }
}

extension PendingLogout {
    /// The byte before the hash of a `state`. Versions without the cookie cannot read it.
    private static let hashMark: UInt8 = 2

    /// Reads what ``encoded`` wrote; `nil` if it did not write this.
    package init?(encoded: [UInt8]) {
        var reader = ByteReader(encoded)
        guard let phase = reader.readByte().flatMap(Phase.init), let issuedAt = reader.readInt64() else { return nil }
        var texts: [String?] = []
        var stateHash: [UInt8]?
        for position in 0..<4 {
            switch reader.readByte() {
            case 0: texts.append(nil)
            case 1:
                guard let text = reader.readCountedString() else { return nil }
                texts.append(text)
            case Self.hashMark where position == 3:
                guard let hash = reader.read(LoginRequirements.hashLength) else { return nil }
                stateHash = hash
                texts.append(nil)
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
        self.stateHash = stateHash
    }
}
