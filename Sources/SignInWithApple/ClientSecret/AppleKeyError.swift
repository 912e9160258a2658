// SPDX-License-Identifier: Apache-2.0

/// The error that a team ID, a key ID or a private key is not valid for Apple, or that no client secret can be made.
///
/// The description states how to correct it, and never contains a part of the key.
public struct AppleKeyError: Error, Sendable, Hashable, CustomStringConvertible {
    private let text: String

    private init(_ text: String) {
        self.text = text
    }

    /// The team ID is not 10 characters of A-Z and 0-9.
    public static let teamID = AppleKeyError(
        "the team id is not 10 capital letters and digits, as the membership page shows it")
    /// The key ID is not 10 characters of A-Z and 0-9.
    public static let keyID = AppleKeyError(
        "the key id is not 10 capital letters and digits, as the keys page shows it")
    /// The text is not PEM, or has lost its line breaks.
    public static let notPEM = AppleKeyError(
        "no '-----BEGIN PRIVATE KEY-----' line: the private key is the .p8 file as Apple gave it")
    /// The text has the two characters `\n` in place of line breaks, as happens in environment variables.
    public static let escapedLineBreaks = AppleKeyError(
        "the private key has '\\n' in the place of line breaks: give the .p8 file itself")
    /// The last line is missing.
    public static let cutShort = AppleKeyError("the private key ends without its '-----END PRIVATE KEY-----' line")
    /// There is other text before or after the PEM block, for example a second key.
    public static let textBeside = AppleKeyError(
        "there is other text beside the private key: give the .p8 file as Apple gave it")
    /// The key is a PKCS#8 key encrypted with a passphrase.
    public static let encrypted = AppleKeyError(
        "the private key is encrypted with a passphrase; Apple's .p8 file is not")
    /// The key is a SEC 1 key (`EC PRIVATE KEY`).
    public static let notPKCS8 = AppleKeyError(
        "the private key is not PKCS#8: give the .p8 file as Apple gave it, not converted")
    /// The PEM block is not a private key.
    public static let notPrivateKey = AppleKeyError(
        "the text is a certificate, a public key or something else, not a private key: give the .p8 file from Apple")
    /// The key is an RSA key.
    public static let rsa = AppleKeyError("the private key is an RSA key; a key for Sign in with Apple is a P-256 key")
    /// The key is on P-384 or another curve.
    public static let otherCurve = AppleKeyError("a key on another curve; a key for Sign in with Apple is a P-256 key")
    /// The key is an Ed25519 key or of another kind.
    public static let otherKind = AppleKeyError("a key of another kind; a key for Sign in with Apple is a P-256 key")
    /// The content is not valid base64, or not a valid DER key.
    public static let damaged = AppleKeyError(
        "the private key is damaged or incomplete: download the .p8 file again, or create a new key")
    /// No key is configured. A provider that only verifies native credentials needs none.
    public static let notConfigured = AppleKeyError(
        "no client secret can be made: team id, key id and private key are not configured")
    /// The cryptographic library refused to sign.
    public static let notSigned = AppleKeyError("no client secret can be made: the private key does not sign")

    public var description: String { text }
}
