// SPDX-License-Identifier: Apache-2.0

/// A start that waits for the user to choose a provider. It is sealed in the form of the page and not stored.
struct PendingChoice {
    let loginID: [UInt8]
    let issuedAt: Int64
    /// The SHA-256 hash of the cookie's binding value, 32 bytes.
    let bindingHash: [UInt8]
    /// The query of the app's request as received.
    let query: String

    init(loginID: [UInt8], issuedAt: Int64, bindingHash: [UInt8], query: String) {
        self.loginID = loginID
        self.issuedAt = issuedAt
        self.bindingHash = bindingHash
        self.query = query
    }

    func isStale(at now: Int64) -> Bool {
        issuedAt <= now - LoginState.lifetime || issuedAt > now + LoginState.clockSkew
    }

    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.write(raw: loginID)
        writer.write(issuedAt)
        writer.write(raw: bindingHash)
        writer.write(long: query.utf8)
        return writer.bytes
    }

    init?(encoded: [UInt8]) {
        var reader = ByteReader(encoded)
        guard let loginID = reader.read(16), let issuedAt = reader.readInt64(), let bindingHash = reader.read(32),
            let query = reader.readLong().flatMap({ String(validating: $0, as: UTF8.self) }), reader.isAtEnd
        else { return nil }
        self.init(loginID: loginID, issuedAt: issuedAt, bindingHash: bindingHash, query: query)
    }
}
