// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBroker
import OIDCBrokerState
import SingleUse

/// A ticket that an app redeems once for the sign-in that a login at the handler page ended in, and the encryption of
/// its record.
///
/// The record is sealed under a key derived from the ticket. The store receives the hash of the ticket and the
/// ciphertext, so reading the store reveals nothing, and the ticket is of no use without the store. Printing shows
/// nothing of it.
struct SignInTicket: Sendable, Unprinted {
    /// The lifetime of a ticket, in seconds.
    static let lifetime: Int64 = 300
    /// The length of a ticket, in characters of base64url.
    static let length = 43
    /// The name of the parameter in the URL of a ticket.
    static let parameter = "ticket"
    /// The maximum length of the name of an app, in bytes.
    static let longestApp = 64

    private static let byteCount = 32
    private static let sealPrefix = Array("identity-toolkit ticket seal v1".utf8)

    /// 256 random bits.
    private let bytes: [UInt8]
    private let secret: SealingSecret
    /// The key of the entry in the store.
    let key: SingleUseKey

    /// Creates a ticket.
    init() { self.init(bytes: SecureRandom.bytes(Self.byteCount)) }

    /// Creates a ticket from a received text; `nil` if it does not have the form of one.
    init?(_ text: WireText) {
        guard text.utf8.count == Self.length, let bytes = Base64URL.decode(text), bytes.count == Self.byteCount else {
            return nil
        }
        self.init(bytes: bytes)
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        key = SingleUseKey(.signInTicket, bytes)
        // The ticket consists of 256 uniformly random bits, so one hash with a prefix of its own derives a key as well
        // as HKDF.
        secret = SealingSecret(bytes: Hash.sha256(Self.sealPrefix + bytes))
    }

    /// The ticket as the app receives it, 43 characters.
    var text: String { Base64URL.encode(bytes) }

    /// Seals a record. Its profile, which is only shown, is left out if it is too long for a store.
    /// - Returns: The value for the store; `nil` if it is too long even so, or the cipher fails.
    func seal(_ record: SignInTicketRecord) -> [UInt8]? {
        sealed(record) ?? sealed(record.withoutProfile)
    }

    private func sealed(_ record: SignInTicketRecord) -> [UInt8]? {
        guard let value = SealedValue.seal(record.encoded, with: secret, at: key),
            value.count <= SingleUseKey.longestValue
        else { return nil }
        return value
    }

    /// Opens a record; `nil` if it was not sealed under this ticket.
    func open(_ sealed: [UInt8]) -> SignInTicketRecord? {
        SealedValue.open(sealed, with: secret, at: key).flatMap { SignInTicketRecord(encoded: $0) }
    }
}
