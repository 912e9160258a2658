// SPDX-License-Identifier: Apache-2.0

/// What the result of a sign-in in a browser is bound to. The pages have its hash, so that a stolen link opens nothing:
/// only this app has the text itself.
struct SessionID: Sendable {
    let raw: HiddenText
    /// The SHA-256 of ``raw`` in lower-case hexadecimal.
    let hashed: String

    init(raw: String, hashed: String) {
        self.raw = HiddenText(raw)
        self.hashed = hashed
    }

    #if canImport(CryptoKit)
        /// Creates a random one of 256 bits.
        init() {
            let nonce = Nonce()
            self.init(raw: nonce.raw, hashed: nonce.hashed)
        }
    #endif
}
