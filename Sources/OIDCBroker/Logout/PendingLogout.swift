// SPDX-License-Identifier: Apache-2.0

import OIDCBrokerPages
import OIDCBrokerState

/// A logout that waits for the person's confirmation or for the provider. It is sealed in the form of the page or in the
/// `state` for the provider, and not stored.
struct PendingLogout: Hashable {
    /// What a logout waits for.
    enum Phase: UInt8 {
        case confirmation = 1
        case provider = 2
    }

    var phase: Phase
    /// The time of the request, in seconds since 1970.
    let issuedAt: Int64
    /// The name of the app in the configuration; `nil` if the request names none.
    let app: String?
    /// The name of the provider in the configuration; `nil` if it is not known.
    let provider: String?
    /// The URI to which the user agent is sent afterwards; `nil` if there is none.
    let redirectURI: String?
    /// The `state` of the app.
    let state: String?
    /// The language that the app asked for.
    let language: Language?

    func isStale(at now: Int64) -> Bool {
        issuedAt <= now - LoginState.lifetime || issuedAt > now + LoginState.clockSkew
    }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.write(phase.rawValue)
        writer.write(issuedAt)
        for text in [app, provider, redirectURI, state] {
            writer.write(UInt8(text == nil ? 0 : 1))
            if let text { writer.write(counted: text.utf8) }
        }
        writer.write(language.encoded)
        return writer.bytes
    }
}

extension PendingLogout {
    init?(encoded: [UInt8]) {
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
        guard let language = reader.readByte(), reader.isAtEnd else { return nil }
        self.init(
            phase: phase, issuedAt: issuedAt, app: texts[0], provider: texts[1], redirectURI: texts[2], state: texts[3],
            language: Language(rawValue: language))
    }
}
