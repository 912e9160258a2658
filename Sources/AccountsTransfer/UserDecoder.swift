// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import JOSE

/// Reads one user. What an account cannot have is kept in its record, so that nothing is lost.
package struct UserDecoder: Sendable {
    // The record of an account nests what it keeps of a user once more.
    private static let limits = JSONLimits(
        maximumBytes: UserReader.longestUser, maximumDepth: ImportedRecord.maximumDepth - 1)
    /// The maximum length of a subject, in bytes (OpenID Connect Core 1.0 section 2).
    private static let longestSubject = 255
    private static let relayDomain = "@privaterelay.appleid.com"

    private let issuers: ProviderIssuers
    private let now: Int64

    /// Creates a decoder.
    /// - Parameters:
    ///   - issuers: The issuers of the providers.
    ///   - now: The current time, in seconds since 1970, which stands for a time of creation that is missing.
    package init(issuers: ProviderIssuers, now: Int64) {
        self.issuers = issuers
        self.now = now
    }

    /// Reads the object of a user, which is one of JSON.
    package static func object(_ element: UserReader.Element) throws(UserError) -> JSONObject {
        guard let bytes = element.bytes else {
            throw UserError("it has more than \(UserReader.longestUser) bytes")
        }
        do throws(JSONError) {
            return try JSONParser.object(bytes, limits: limits)
        } catch {
            throw UserError("it is not a valid JSON object: \(error)")
        }
    }

    /// The identifier of a user, for a message; `nil` if it has none.
    package static func id(of user: JSONObject) -> AccountID? {
        user[UserMember.localId.rawValue]?.text.flatMap { AccountID($0) }
    }

    /// Makes a user of an object.
    package func user(_ object: JSONObject) throws(UserError) -> ImportedUser {
        guard let id = Self.id(of: object) else {
            throw UserError("localId is not a text of 1 to 128 characters without NUL")
        }
        var members = object
        for member in UserMember.password { members[member.rawValue] = nil }
        members[UserMember.localId.rawValue] = nil
        // One name for one thing.
        if let time = members[UserMember.lastSignedInAt.rawValue] {
            members[UserMember.lastSignedInAt.rawValue] = nil
            if members[UserMember.lastLoginAt.rawValue] == nil { members[UserMember.lastLoginAt.rawValue] = time }
        }
        let lastSignInAt = try Self.milliseconds(.lastLoginAt, in: members).map(Self.seconds)
        var account = try account(id, takingFrom: &members)
        var record = JSONObject()
        if let email = members[UserMember.email.rawValue]?.text?.makeString(), let address = EmailAddress(email) {
            let flag = members[UserMember.emailVerified.rawValue].flatMap(Self.flag)
            let isVerified = flag ?? false
            account.email = address
            account.isEmailVerified = isVerified
            members[UserMember.email.rawValue] = nil
            if flag != nil { members[UserMember.emailVerified.rawValue] = nil }
            record[ImportedRecord.Member.email.rawValue] = .string(email)
            if isVerified { record[ImportedRecord.Member.emailVerified.rawValue] = .bool(true) }
        }
        let hasSecondFactor = members.present(UserMember.mfaInfo.rawValue) != nil
        if hasSecondFactor { record[ImportedRecord.Member.secondFactor.rawValue] = .bool(true) }
        let identities = try identities(takingFrom: &members, into: &record)
        if !members.members.isEmpty { record[ImportedRecord.Member.user.rawValue] = .object(members) }
        guard let record = ImportedRecord(record), record.json.utf8.count <= AccountLimits.importedBytes - 256 else {
            throw UserError("it has more members than can be stored")
        }
        account.imported = record
        var user = ImportedUser(account, identities: identities)
        user.lastSignInAt = lastSignInAt
        user.hasSecondFactor = hasSecondFactor
        return user
    }

    // MARK: The account

    private func account(_ id: AccountID, takingFrom members: inout JSONObject) throws(UserError) -> Account {
        let created = try Self.milliseconds(.createdAt, in: members)
        let seen = try Self.milliseconds(.lastLoginAt, in: members)
        let createdAt = created.map { Self.seconds($0) } ?? seen.map { Self.seconds($0) } ?? now
        var validSince: Int64 = 0
        if let text = members[UserMember.validSince.rawValue], let time = Self.number(text) {
            validSince = min(max(0, time), now)
            if time == validSince { members[UserMember.validSince.rawValue] = nil }
        }
        var account = Account(id: id, createdAt: createdAt, validSince: validSince)
        account.lastSignInAt = seen.map { Self.seconds($0) } ?? createdAt
        // Whole seconds are in the account. An account without a sign-in has no time of one.
        if let created, created == createdAt * 1000 { members[UserMember.createdAt.rawValue] = nil }
        if let seen, seen == account.lastSignInAt * 1000, account.lastSignInAt != createdAt {
            members[UserMember.lastLoginAt.rawValue] = nil
        }
        if let text = members[UserMember.displayName.rawValue]?.text?.makeString(), Account.isDisplayName(text) {
            account.displayName = text
            members[UserMember.displayName.rawValue] = nil
        }
        if let text = members[UserMember.photoUrl.rawValue]?.text?.makeString(), Account.isPhotoURL(text) {
            account.photoURL = text
            members[UserMember.photoUrl.rawValue] = nil
        }
        if let value = members.present(UserMember.disabled.rawValue) {
            guard let isDisabled = Self.flag(value) else { throw UserError("disabled is neither true nor false") }
            account.isDisabled = isDisabled
            // That it is not is written as it came.
            if isDisabled { members[UserMember.disabled.rawValue] = nil }
        }
        if let text = members[UserMember.customAttributes.rawValue]?.text,
            let claims = CustomClaims(imported: text.makeString()), !claims.isEmpty
        {
            account.customClaims = claims
            members[UserMember.customAttributes.rawValue] = nil
        }
        return account
    }

    private static func milliseconds(
        _ member: UserMember, in members: JSONObject
    ) throws(UserError) -> Int64? {
        guard let value = members.present(member.rawValue) else { return nil }
        // Up to the year 9999.
        guard let time = number(value), (0...253_402_300_799_999).contains(time) else {
            throw UserError("\(member.rawValue) is not a time in milliseconds")
        }
        return time
    }

    private static func seconds(_ milliseconds: Int64) -> Int64 { milliseconds / 1000 }

    /// A Boolean value, which may be written as a text.
    private static func flag(_ value: JSONValue) -> Bool? {
        if let flag = value.boolValue { return flag }
        guard let text = value.text else { return nil }
        return text.hasSameBytes(asASCII: "true") ? true : text.hasSameBytes(asASCII: "false") ? false : nil
    }

    /// A whole number, which may be written as a text.
    static func number(_ value: JSONValue) -> Int64? {
        if let number = value.integerValue { return number }
        guard let digits = value.text?.ascii(atMost: 18), !digits.isEmpty,
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(digits)
    }

    // MARK: Identities

    private func identities(
        takingFrom members: inout JSONObject, into record: inout JSONObject
    ) throws(UserError) -> [VerifiedIdentity] {
        guard let elements = members[UserMember.providerUserInfo.rawValue]?.arrayValue else { return [] }
        var identities: [VerifiedIdentity] = []
        var facts: [JSONValue] = []
        var positions: [Int] = []
        var rest = JSONObject()
        for (position, element) in elements.enumerated() {
            // One user may be known by two providers of the same issuer.
            guard var members = element.objectValue, identities.count < AccountLimits.identities,
                let identity = try identity(takingFrom: &members),
                !identities.contains(where: {
                    $0.providerID.hasSameBytes(as: identity.providerID) || $0.key == identity.key
                })
            else {
                facts.append(element)
                positions.append(position)
                continue
            }
            identities.append(identity)
            if !members.members.isEmpty { rest[identity.providerID] = .object(members) }
        }
        members[UserMember.providerUserInfo.rawValue] = nil
        if !facts.isEmpty { record[ImportedRecord.Member.facts.rawValue] = .array(facts) }
        if let first = positions.first, first < identities.count {
            record[ImportedRecord.Member.factPositions.rawValue] = .array(
                positions.map { .number(JSONNumber(Int64($0))) })
        }
        if !rest.members.isEmpty { record[ImportedRecord.Member.identities.rawValue] = .object(rest) }
        return identities
    }

    /// - Returns: `nil` for a fact.
    private func identity(takingFrom members: inout JSONObject) throws(UserError) -> VerifiedIdentity? {
        guard let provider = members[IdentityMember.providerId.rawValue]?.text,
            let providerID = provider.visibleASCII(atMost: 128),
            let subject = members[IdentityMember.rawId.rawValue]?.text?.printableASCII(atMost: Self.longestSubject),
            !providerID.isEmpty, !subject.isEmpty
        else { return nil }
        let key: IdentityKey
        var isSubject = true
        switch issuers.meaning(of: provider) {
        case .issuer(let issuer): key = IdentityKey(issuer: issuer, subject: subject)
        case .entraTenant(let tenant):
            // A personal account of Microsoft has no object in the tenant.
            guard let imported = IdentityKey(entraObject: subject, of: tenant) else { return nil }
            (key, isSubject) = (imported, false)
        case .fact: return nil
        case .unknown:
            throw UserError("the issuer of \(providerID) is not known", providerWithoutIssuer: providerID)
        }
        let text = members[IdentityMember.email.rawValue]?.text?.makeString()
        let isRelay =
            providerID.hasSameBytes(as: "apple.com")
            && text?.utf8.suffix(Self.relayDomain.utf8.count)
                .elementsEqual(Self.relayDomain.utf8) ?? false
        let identity = VerifiedIdentity(
            key, providerID: providerID,
            email: text.flatMap { EmailAddress($0) }, isPrivateRelay: isRelay,
            displayName: members[IdentityMember.displayName.rawValue]?.text?.makeString(),
            photoURL: members[IdentityMember.photoUrl.rawValue]?.text?.makeString())
        members[IdentityMember.providerId.rawValue] = nil
        // The object id is exported again, also when the subject is known.
        if isSubject { members[IdentityMember.rawId.rawValue] = nil }
        if identity.email != nil { members[IdentityMember.email.rawValue] = nil }
        if identity.displayName != nil { members[IdentityMember.displayName.rawValue] = nil }
        if identity.photoURL != nil { members[IdentityMember.photoUrl.rawValue] = nil }
        return identity
    }
}
