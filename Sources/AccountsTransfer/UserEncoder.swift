// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import JOSE

/// Writes a user of Firebase from an account: what the account has now, and beside it what came with the user.
package struct UserEncoder: Sendable {
    /// The form of the file.
    package enum Form: Sendable, Hashable {
        /// That of `accounts:batchGet`.
        case full
        /// That which `firebase auth:import` takes.
        case firebaseTools
    }

    /// What a user lost in a form.
    package struct Loss: Sendable, Hashable {
        /// The providers of identities that were left out.
        package var providers: [String] = []
        /// The members that were left out.
        package var members: [String] = []
    }

    /// The providers that `firebase auth:import` knows.
    private static let knownProviders: Set<String> = [
        "apple.com", "facebook.com", "gc.apple.com", "github.com", "google.com", "linkedin.com", "microsoft.com",
        "playgames.google.com", "twitter.com", "yahoo.com",
    ]
    private static let knownMembers: Set<String> = Set(
        [
            UserMember.localId, .email, .emailVerified, .passwordHash, .salt, .displayName, .photoUrl, .phoneNumber,
            .lastSignedInAt, .createdAt, .disabled, .customAttributes, .mfaInfo, .providerUserInfo,
        ].map(\.rawValue))
    private static let knownIdentityMembers: Set<String> = Set(
        [IdentityMember.providerId, .rawId, .email, .displayName, .photoUrl].map(\.rawValue))

    private let form: Form

    /// Creates an encoder.
    package init(_ form: Form) {
        self.form = form
    }

    /// Returns a user, and what the form cannot have of it.
    /// - Parameters:
    ///   - account: The account.
    ///   - identities: Its identities.
    ///   - password: The members of a password, from the file with which the user came; `nil` if there are none.
    package func user(
        _ account: Account, _ identities: [AccountIdentity], password: JSONObject? = nil
    ) -> (user: JSONObject, loss: Loss) {
        var user = full(account, identities)
        for member in password?.members ?? [] where user[member.name] == nil { user[member.name] = member.value }
        var loss = Loss()
        guard form == .firebaseTools else { return (user, loss) }
        let elements = user[UserMember.providerUserInfo.rawValue]?.arrayValue ?? []
        user[UserMember.providerUserInfo.rawValue] = .array(elements.compactMap { reduced($0, &loss) })
        if let time = user[UserMember.lastLoginAt.rawValue] {
            user[UserMember.lastLoginAt.rawValue] = nil
            user[UserMember.lastSignedInAt.rawValue] = time
        }
        for name in [UserMember.passwordHash, .salt].map(\.rawValue) {
            if let text = user[name]?.text?.makeString() { user[name] = .string(Self.standardBase64(text)) }
        }
        user.removeMembers { name in
            let isKnown = name.ascii(atMost: 32).map(Self.knownMembers.contains) ?? false
            if !isKnown { loss.members.append(name.ascii(atMost: 64) ?? "?") }
            return !isKnown
        }
        return (user, loss)
    }

    private func reduced(_ element: JSONValue, _ loss: inout Loss) -> JSONValue? {
        guard var identity = element.objectValue,
            let provider = identity[IdentityMember.providerId.rawValue]?.text?.visibleASCII(atMost: 128)
        else {
            loss.providers.append("?")
            return nil
        }
        guard Self.knownProviders.contains(provider) else {
            // A password and a phone are members of the user in this form.
            if provider != "password", provider != "phone" { loss.providers.append(provider) }
            return nil
        }
        identity.removeMembers { name in
            let isKnown = name.ascii(atMost: 32).map(Self.knownIdentityMembers.contains) ?? false
            if !isKnown { loss.members.append("providerUserInfo." + (name.ascii(atMost: 64) ?? "?")) }
            return !isKnown
        }
        return .object(identity)
    }

    private static func standardBase64(_ text: String) -> String {
        var characters = text.utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        while !characters.count.isMultiple(of: 4) { characters.append(UInt8(ascii: "=")) }
        return String(decoding: characters, as: UTF8.self)
    }

    // MARK: The full form

    private func full(_ account: Account, _ identities: [AccountIdentity]) -> JSONObject {
        // Each access to the record itself would read its text.
        let record = account.imported?.members
        func member(_ name: ImportedRecord.Member) -> JSONValue? { record?[name.rawValue] }
        let kept = member(.user)?.objectValue ?? JSONObject()
        var user = JSONObject()
        func set(_ member: UserMember, _ value: JSONValue?) { user[member.rawValue] = value ?? kept[member.rawValue] }
        user[UserMember.localId.rawValue] = .string(account.id.text)
        // One that another account has here is the user's in the file.
        set(.email, account.email.map { .string($0.text) })
        set(.emailVerified, account.email.map { _ in .bool(account.isEmailVerified) })
        set(.displayName, account.displayName.map { .string($0) })
        set(.photoUrl, account.photoURL.map { .string($0) })
        set(.disabled, account.isDisabled ? .bool(true) : nil)
        set(.customAttributes, account.customClaims.map { .string($0.json) })
        user[UserMember.createdAt.rawValue] = time(account.createdAt, .createdAt, kept)
        let isUnused = ImportedRecord.isUnused(account, record)
        if !isUnused { user[UserMember.lastLoginAt.rawValue] = time(account.lastSignInAt, .lastLoginAt, kept) }
        set(.validSince, account.validSince > 0 ? .string(String(account.validSince)) : nil)
        user[UserMember.providerUserInfo.rawValue] = .array(
            ImportedRecord.elements(
                self.identities(identities, rests: member(.identities)?.objectValue), withFactsOf: record))
        for member in kept.members where user[member.name] == nil { user[member.name] = member.value }
        if isUnused { user[UserMember.lastLoginAt.rawValue] = nil }
        return user
    }

    /// A time in milliseconds: the one that came with the user, if the account's is the same second.
    private func time(_ seconds: Int64, _ member: UserMember, _ kept: JSONObject) -> JSONValue {
        if let value = kept[member.rawValue], let known = UserDecoder.number(value), known / 1000 == seconds {
            return .string(String(known))
        }
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1000)
        return .string(String(overflows ? 0 : product))
    }

    private func identities(_ identities: [AccountIdentity], rests: JSONObject?) -> [JSONValue] {
        identities.map { identity -> JSONValue in
            let verified = identity.verified
            let rest = rests?[verified.providerID]?.objectValue ?? JSONObject()
            var members = JSONObject()
            members[IdentityMember.providerId.rawValue] = .string(verified.providerID)
            members[IdentityMember.rawId.rawValue] =
                rest[IdentityMember.rawId.rawValue] ?? .string(verified.key.subject)
            members[IdentityMember.email.rawValue] = verified.email.map { .string($0.text) }
            members[IdentityMember.displayName.rawValue] = verified.displayName.map { .string($0) }
            members[IdentityMember.photoUrl.rawValue] = verified.photoURL.map { .string($0) }
            for member in rest.members where members[member.name] == nil { members[member.name] = member.value }
            return .object(members)
        }
    }
}
