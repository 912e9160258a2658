// SPDX-License-Identifier: Apache-2.0

/// The reason why a text does not hold usable signing keys. It contains no part of the text.
public struct SigningKeysError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The code of an error. A later version may have more.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The codes, for a `switch` that must know every one of them.
        package enum Value: String, Sendable, CaseIterable {
            case noKey, tooMany, encrypted, unreadable, unsupportedKind, unsupportedSize, duplicate, unusable
        }

        /// Which of the codes it is.
        package let value: Value

        /// Creates a code.
        package init(_ value: Value) { self.value = value }

        /// There is no private key.
        public static let noKey = Self(.noKey)
        /// There are more than ``SigningKeys/maximumCount`` private keys.
        public static let tooMany = Self(.tooMany)
        /// A key is encrypted with a passphrase.
        public static let encrypted = Self(.encrypted)
        /// A key is damaged, cut off or in a format that is not supported.
        public static let unreadable = Self(.unreadable)
        /// A key is neither a P-256 nor an RSA key.
        public static let unsupportedKind = Self(.unsupportedKind)
        /// An RSA key has fewer than 2048 or more than 4096 bits.
        public static let unsupportedSize = Self(.unsupportedSize)
        /// A key is there twice.
        public static let duplicate = Self(.duplicate)
        /// A key cannot be used, as an RSA key with an exponent that verifiers refuse.
        public static let unusable = Self(.unusable)

        /// The name of the code, which does not change.
        public var description: String { value.rawValue }
    }

    /// The code.
    public let code: Code
    /// The position of the key among the private keys of the text, from 1; `nil` if no single key is the reason.
    public let keyNumber: Int?

    init(_ code: Code, keyNumber: Int? = nil) {
        self.code = code
        self.keyNumber = keyNumber
    }

    public var description: String {
        guard let keyNumber else { return reason }
        return "key \(keyNumber): \(reason)"
    }

    private var reason: String {
        switch code.value {
        case .noKey: "there is no PEM private key, a block such as '-----BEGIN PRIVATE KEY-----'"
        case .tooMany: "there are more than \(SigningKeys.maximumCount) private keys; remove the oldest"
        case .encrypted: "the key is encrypted with a passphrase; store it without one"
        case .unreadable: "the PEM private key is damaged, incomplete, or in an unsupported format"
        case .unsupportedKind: "the key is neither a P-256 nor an RSA key"
        case .unsupportedSize: "the RSA key has fewer than 2048 or more than 4096 bits"
        case .duplicate: "the same key is listed twice; remove one of them"
        case .unusable: "verifiers refuse this key, for example because of its RSA exponent; create another one"
        }
    }
}
