// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The refresh token of a session (RFC 6749 section 1.5): the identifier of the session, and a secret. The store has
/// only the hash of the secret. Printing shows nothing of it.
///
/// Its text is the unpadded base64url of 53 bytes: the version 1, the identifier, the secret and a checksum. The
/// checksum is no secret and proves nothing: it tells a damaged text, or one of another kind, without the store.
public struct RefreshToken: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The length of the text, in characters.
    public static let length = 71

    private static let version: UInt8 = 1
    private static let secretByteCount = 32
    private static let checksumByteCount = 4

    /// The session.
    public let sessionID: AccountSession.ID
    private let secret: [UInt8]

    /// Creates the token of a new session, with a random secret of 32 bytes.
    public init(session: AccountSession.ID) {
        sessionID = session
        secret = SecureRandom.bytes(Self.secretByteCount)
    }

    /// Reads a token; `nil` if the text is not exactly one that ``text`` can be. A token that can be read proves
    /// nothing before its ``secretHash`` was compared with that of the session.
    public init?(_ text: String) {
        guard text.utf8.count == Self.length, let bytes = Base64URL.decode(text), bytes.first == Self.version else {
            return nil
        }
        let content = Array(bytes.dropLast(Self.checksumByteCount))
        let rest = content.dropFirst()
        guard bytes == content + Self.checksum(of: content),
            let sessionID = AccountSession.ID(bytes: Array(rest.prefix(AccountSession.ID.byteCount)))
        else { return nil }
        self.sessionID = sessionID
        secret = Array(rest.dropFirst(AccountSession.ID.byteCount))
    }

    /// The token as the client gets it, a secret.
    public var text: String {
        let content: [UInt8] = [Self.version] + sessionID.bytes + secret
        return Base64URL.encode(content + Self.checksum(of: content))
    }

    /// The SHA-256 hash of the secret, 32 bytes.
    public var secretHash: [UInt8] { Hash.sha256(secret) }

    public var description: String { "RefreshToken" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// The first bytes of the SHA-256 hash of what stands before it.
    private static func checksum(of content: [UInt8]) -> [UInt8] {
        Array(Hash.sha256(content).prefix(checksumByteCount))
    }
}
