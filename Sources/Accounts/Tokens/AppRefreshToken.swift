// SPDX-License-Identifier: Apache-2.0

import JOSE
import OpenIDConnect

/// The refresh token of an OpenID app (RFC 6749 section 1.5): the identifier of a session, the number of rotations
/// before it, and a secret. The store has only the hash of the secret. Printing shows nothing of it.
///
/// Its text is a prefix and the unpadded base64url of 57 bytes: the version 2, the identifier, the number, the secret and
/// a checksum. The checksum proves nothing, as that of a ``RefreshToken``, which is another kind on another wire.
package struct AppRefreshToken: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The length of the text, in characters.
    package static let length = IssuedTokenPrefix.refreshToken.utf8.count + 76

    private static let version: UInt8 = 2
    private static let secretByteCount = 32
    private static let checksumByteCount = 4

    /// The session.
    package let sessionID: AccountSession.ID
    /// The number of rotations before this token; it is not verified, so any client may have written it.
    package let generation: UInt32
    private let secret: [UInt8]

    private init(_ sessionID: AccountSession.ID, _ generation: UInt32, secret: [UInt8]) {
        self.sessionID = sessionID
        self.generation = generation
        self.secret = secret
    }

    /// Creates the first token of a session. The same one is created of the same seed and key.
    /// - Parameters:
    ///   - sessionID: The session.
    ///   - seed: 32 bytes that only the grant of the session has.
    ///   - key: The key under which the secret is derived.
    package init(session sessionID: AccountSession.ID, seed: [UInt8], under key: SuccessorKeys.Key) {
        self.init(sessionID, 0, secret: key.secret(after: seed, of: sessionID, generation: 0))
    }

    /// Reads a token; `nil` if the text is not exactly one that ``text`` can be. It proves nothing before its
    /// ``secretHash`` was compared.
    package init?(_ text: String) {
        let prefix = IssuedTokenPrefix.refreshToken.utf8
        guard text.utf8.count == Self.length, text.utf8.starts(with: prefix),
            let bytes = Base64URL.decode(String(Substring(text.utf8.dropFirst(prefix.count)))),
            bytes.first == Self.version
        else { return nil }
        let content = Array(bytes.dropLast(Self.checksumByteCount))
        let rest = content.dropFirst().dropFirst(AccountSession.ID.byteCount)
        guard bytes.elementsEqual(content + Self.checksum(of: content)), rest.count == 4 + Self.secretByteCount,
            let sessionID = AccountSession.ID(bytes: Array(content[1...AccountSession.ID.byteCount]))
        else { return nil }
        self.init(
            sessionID, rest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }, secret: Array(rest.dropFirst(4)))
    }

    /// The token as the app gets it, a secret.
    package var text: String {
        let content = [Self.version] + sessionID.bytes + SuccessorKeys.bytes(of: generation) + secret
        return IssuedTokenPrefix.refreshToken + Base64URL.encode(content + Self.checksum(of: content))
    }

    /// The SHA-256 hash of the secret, 32 bytes.
    package var secretHash: [UInt8] { Hash.sha256(secret) }

    package var description: String { "AppRefreshToken" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// The token that replaces this one.
    func successor(under key: SuccessorKeys.Key) -> AppRefreshToken {
        let next = generation &+ 1
        return AppRefreshToken(
            sessionID, next, secret: key.secret(after: secret, of: sessionID, generation: next))
    }

    private static func checksum(of content: [UInt8]) -> [UInt8] {
        Array(Hash.sha256(content).prefix(checksumByteCount))
    }
}
