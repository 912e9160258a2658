// SPDX-License-Identifier: Apache-2.0

/// The error that a team id, a key id or a private key is not valid for Apple, or that no client secret can be made.
///
/// The description states how to correct it, and never contains a part of the key.
public struct AppleKeyError: Error, Sendable, Hashable, CustomStringConvertible {
    private enum Code: String {
        case teamID = "the team id is not 10 capital letters and digits, as the membership page shows it"
        case keyID = "the key id is not 10 capital letters and digits, as the keys page shows it"
        case notPEM = "no '-----BEGIN PRIVATE KEY-----' line: the private key is the .p8 file as Apple gave it"
        case escapedLineBreaks = "the private key has '\\n' in the place of line breaks: give the .p8 file itself"
        case cutShort = "the private key ends without its '-----END PRIVATE KEY-----' line"
        case textBeside = "there is other text beside the private key: give the .p8 file as Apple gave it"
        case encrypted = "the private key is encrypted with a passphrase; Apple's .p8 file is not"
        case notPKCS8 = "the private key is not PKCS#8: give the .p8 file as Apple gave it, not converted"
        case notPrivateKey = "a certificate, a public key or something else stands in the place of the private key"
        case rsa = "an RSA key; a key for Sign in with Apple is a P-256 key"
        case otherCurve = "a key on another curve; a key for Sign in with Apple is a P-256 key"
        case otherKind = "a key of another kind; a key for Sign in with Apple is a P-256 key"
        case damaged = "the private key cannot be read: it is damaged or incomplete"
        case notConfigured = "no client secret can be made: team id, key id and private key are not configured"
        case notSigned = "no client secret can be made: the private key does not sign"
    }

    private let code: Code

    private init(_ code: Code) {
        self.code = code
    }

    /// The team id is not 10 characters of A-Z and 0-9.
    public static let teamID = AppleKeyError(.teamID)
    /// The key id is not 10 characters of A-Z and 0-9.
    public static let keyID = AppleKeyError(.keyID)
    /// The text is not PEM, or has lost its line breaks.
    public static let notPEM = AppleKeyError(.notPEM)
    /// The text has the two characters `\n` in place of line breaks, as happens in environment variables.
    public static let escapedLineBreaks = AppleKeyError(.escapedLineBreaks)
    /// The last line is missing.
    public static let cutShort = AppleKeyError(.cutShort)
    /// There is other text before or after the PEM block, for example a second key.
    public static let textBeside = AppleKeyError(.textBeside)
    /// The key is a PKCS#8 key encrypted with a passphrase.
    public static let encrypted = AppleKeyError(.encrypted)
    /// The key is a SEC 1 key (`EC PRIVATE KEY`).
    public static let notPKCS8 = AppleKeyError(.notPKCS8)
    /// The PEM block is not a private key.
    public static let notPrivateKey = AppleKeyError(.notPrivateKey)
    /// The key is an RSA key.
    public static let rsa = AppleKeyError(.rsa)
    /// The key is on P-384 or another curve.
    public static let otherCurve = AppleKeyError(.otherCurve)
    /// The key is an Ed25519 key or of another kind.
    public static let otherKind = AppleKeyError(.otherKind)
    /// The content is not valid base64, or not a valid DER key.
    public static let damaged = AppleKeyError(.damaged)
    /// No key is configured. A provider that only verifies native credentials needs none.
    public static let notConfigured = AppleKeyError(.notConfigured)
    /// The cryptographic library refused to sign.
    public static let notSigned = AppleKeyError(.notSigned)

    public var description: String { code.rawValue }
}
