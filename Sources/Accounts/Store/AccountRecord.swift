// SPDX-License-Identifier: Apache-2.0

/// A record that a store on SQL keeps as a row.
package protocol AccountRecord {
    /// Its table.
    static var table: AccountTable { get }
    /// The values, in the order of the columns of the table.
    var row: [AccountValue] { get }
    /// Reads a row.
    init(row: some AccountColumns) throws(AccountStoreError)
}

/// A table of a store on SQL.
package struct AccountTable: Sendable {
    /// What a column has.
    package enum Kind: Sendable {
        case text, bytes, number, boolean
    }

    /// The name, without that of the program.
    let name: String
    /// The columns, those of the key first.
    package let columns: KeyValuePairs<String, Kind>
}

extension Account: AccountRecord {
    package static let table = AccountTable(
        name: "account",
        columns: [
            "uid": .text, "created_at": .number, "last_sign_in_at": .number, "last_refresh_at": .number,
            "display_name": .text, "photo_url": .text, "email": .text, "email_key": .text, "email_verified": .boolean,
            "disabled": .boolean, "valid_since": .number, "found_by_email": .boolean, "custom_claims": .text,
            "imported": .text,
        ])

    package var row: [AccountValue] {
        [
            .text(id.text), .number(createdAt), .number(lastSignInAt), .number(lastRefreshAt), .text(displayName),
            .text(photoURL), .text(email?.text), .text(emailKey), .boolean(isEmailVerified), .boolean(isDisabled),
            .number(validSince), .boolean(isFoundByEmail), .text(customClaims?.json), .text(imported?.json),
        ]
    }

    package init(row: some AccountColumns) throws(AccountStoreError) {
        self.init(id: try row.account(0), createdAt: try row.number(1), validSince: try row.number(10))
        lastSignInAt = try row.number(2)
        lastRefreshAt = try row.numberIfAny(3)
        displayName = try row.textIfAny(4)
        photoURL = try row.textIfAny(5)
        email = try row.emailIfAny(6)
        ownsEmail = try row.textIfAny(7) != nil
        isEmailVerified = try row.boolean(8)
        isDisabled = try row.boolean(9)
        isFoundByEmail = try row.boolean(11)
        if let json = try row.textIfAny(12) { customClaims = try row.readable(CustomClaims(imported: json)) }
        if let json = try row.textIfAny(13) { imported = try row.readable(ImportedRecord(json: json)) }
    }
}

extension AccountIdentity: AccountRecord {
    package static let table = AccountTable(
        name: "identity",
        columns: [
            "issuer": .bytes, "subject": .bytes, "uid": .text, "provider_id": .text, "email": .text,
            "email_verified": .boolean, "private_relay": .boolean, "display_name": .text, "photo_url": .text,
            "created_at": .number, "last_used_at": .number, "token_hash": .bytes, "token_expiry": .number,
            "revoked_at": .number,
        ])

    package var row: [AccountValue] {
        key.row + [
            .text(account.text), .text(verified.providerID), .text(verified.email?.text),
            .boolean(verified.isEmailProved), .boolean(verified.isPrivateRelay), .text(verified.displayName),
            .text(verified.photoURL), .number(createdAt), .number(lastUsedAt), .bytes(accessToken?.hash),
            .number(accessToken?.expiry), .number(revokedAt),
        ]
    }

    package init(row: some AccountColumns) throws(AccountStoreError) {
        let verified = VerifiedIdentity(
            try IdentityKey(row: row), providerID: try row.text(3), email: try row.emailIfAny(4),
            isEmailProved: try row.boolean(5), isPrivateRelay: try row.boolean(6), displayName: try row.textIfAny(7),
            photoURL: try row.textIfAny(8))
        self.init(verified, of: try row.account(2), at: try row.number(9))
        lastUsedAt = try row.number(10)
        if let hash = try row.bytesIfAny(11), let expiry = try row.numberIfAny(12) {
            accessToken = HandedOutToken(hash: hash, expiry: expiry)
        }
        revokedAt = try row.numberIfAny(13)
    }
}

/// The claims that are kept with an identity: a column of its table that is read and written alone.
struct IdentityClaims: AccountRecord {
    static let table = AccountTable(name: "identity", columns: ["claims": .text])

    let text: String?

    var row: [AccountValue] { [.text(text)] }

    init(row: some AccountColumns) throws(AccountStoreError) { text = try row.textIfAny(0) }
}

extension IdentityKey {
    /// Both may have any byte.
    package var row: [AccountValue] { [.bytes(Array(issuer.utf8)), .bytes(Array(subject.utf8))] }

    fileprivate init(row: some AccountColumns) throws(AccountStoreError) {
        self.init(
            issuer: try row.readable(String(validating: row.bytes(0), as: UTF8.self)),
            subject: try row.readable(String(validating: row.bytes(1), as: UTF8.self)))
    }
}

extension AccountSession: AccountRecord {
    package static let table = AccountTable(
        name: "session",
        columns: [
            "id": .bytes, "secret_hash": .bytes, "uid": .text, "provider_id": .text, "app": .text,
            "auth_time": .number, "last_proof_at": .number, "created_at": .number, "last_used_on": .number,
            "expiry": .number, "wire": .number, "generation": .number, "last_used_at": .number, "key_id": .bytes,
            "rotations": .bytes, "scope": .text, "claims": .text, "provider_session": .bytes,
        ])

    package var row: [AccountValue] {
        [
            .bytes(id.bytes), .bytes(secretHash), .text(account.text), .text(providerID), .text(app),
            .number(authTime), .number(lastProofAt), .number(createdAt), .number(lastUsedOn), .number(expiry),
            .number(wire.rawValue), .number(Int64(grant?.generation ?? 0)), .number(grant?.lastUsedAt),
            .bytes(grant?.keyID), .bytes(grant?.rotationBytes), .text(grant?.scope), .text(grant?.claims),
            .bytes(providerSession),
        ]
    }

    package init(row: some AccountColumns) throws(AccountStoreError) {
        self.init(
            id: try row.readable(ID(bytes: row.bytes(0))), secretHash: try row.bytes(1), account: try row.account(2),
            providerID: try row.text(3), app: try row.textIfAny(4), authTime: try row.number(5),
            createdAt: try row.number(7), expiry: try row.number(9), grant: try Self.grant(in: row),
            providerSession: try row.bytesIfAny(17))
        lastProofAt = try row.numberIfAny(6)
        lastUsedOn = try row.number(8)
    }

    private static func grant(in row: some AccountColumns) throws(AccountStoreError) -> Grant? {
        switch try row.readable(Wire(rawValue: row.number(10))) {
        case .sdk: return nil
        case .app:
            return Grant(
                scope: try row.text(15), claims: try row.text(16), lastUsedAt: try row.number(12),
                generation: try row.readable(UInt32(exactly: row.number(11))), keyID: try row.bytes(13),
                rotations: try row.readable(Grant.rotations(row.bytes(14))))
        }
    }
}
