// SPDX-License-Identifier: Apache-2.0

package import JOSE

/// What was imported with an account and has no other place in it, as the text of a JSON object: the email, facts that
/// open no door, and members that are exported again as they were.
public struct ImportedRecord: Sendable, Hashable {
    /// A member of the object.
    package enum Member: String, Sendable, CaseIterable {
        /// The email with which the account was imported.
        case email
        /// Whether the other system had verified that email.
        case emailVerified
        /// Whether the user had a second factor there.
        case secondFactor
        /// Whether a user has signed in to the account since.
        case entered
        /// Whether another account was imported with the same email, and neither email was verified.
        case sharesEmail
        /// Identities that cannot sign in here, as elements of `providerUserInfo`.
        case facts
        /// The places of the facts in `providerUserInfo`, from 0, if they are not the last ones.
        case factPositions
        /// Members of the user, by their names, that are not in the account.
        case user
        /// Members of the user's identities that are not in them, by the ID of the provider.
        case identities
        /// What the attributes of the account were when it was imported, as hashes.
        case marks
    }

    /// The text of the object, at most 65,536 bytes.
    public let json: String

    /// Creates a record from its text; `nil` if the text is no JSON object, has a name twice, or is too long.
    public init?(json: String) {
        guard Self.object(json) != nil else { return nil }
        self.json = json
    }

    /// Creates a record of members that are nested less than ``maximumDepth``; `nil` if its text is too long.
    package init?(_ members: JSONObject) {
        let bytes = members.serialized()
        guard bytes.count <= AccountLimits.importedBytes else { return nil }
        json = String(decoding: bytes, as: UTF8.self)
    }

    /// How deep the object may be nested.
    package static let maximumDepth = 64

    /// The members.
    package var members: JSONObject { Self.object(json) ?? JSONObject() }

    /// The value of a member; `nil` if there is none.
    package subscript(_ member: Member) -> JSONValue? { members[member.rawValue] }

    /// The email with which the account was imported; `nil` if there was none.
    var email: EmailAddress? { Self.address(self[.email]) }

    /// The email that was set aside because another account had it; `nil` if there is none.
    var emailSetAside: EmailAddress? { Self.address(self[.user]?.objectValue?["email"]) }

    /// Whether the email of the import still counts for the account: it is still the account's, and none of its
    /// identities proves another one.
    package func keeps(_ email: EmailAddress, beside identities: [AccountIdentity]) -> Bool {
        self.email == email && !identities.contains { $0.verified.provedEmail.map { $0 != email } ?? false }
    }

    /// Whether the other system has verified an email that still counts.
    package func proves(_ email: EmailAddress, beside identities: [AccountIdentity]) -> Bool {
        keeps(email, beside: identities) && self[.emailVerified]?.boolValue == true
    }

    /// Whether a user may sign in to the account by its email alone: there was no sign-in since the import, it had no
    /// second factor, and no other account came with the email.
    var mayBeEnteredByEmail: Bool {
        let members = members
        return [Member.entered, .secondFactor, .sharesEmail].allSatisfy { members[$0.rawValue] == nil }
    }

    /// Notes that a user has signed in to the account.
    package mutating func noteEntry() { note(.entered) }

    /// Notes that something is so.
    mutating func note(_ member: Member) {
        var members = members
        guard members[member.rawValue] == nil else { return }
        members[member.rawValue] = .bool(true)
        // It is longer by less than the difference of the limits.
        if let record = ImportedRecord(members) { self = record }
    }

    /// Whether an imported account has had no sign-in, neither there nor here.
    /// - Parameters:
    ///   - account: The account.
    ///   - members: The members of its record; `nil` if it was not imported.
    package static func isUnused(_ account: Account, _ members: JSONObject?) -> Bool {
        guard let members, members[Member.entered.rawValue] == nil else { return false }
        return account.lastSignInAt == account.createdAt
            && members[Member.user.rawValue]?.objectValue?["lastLoginAt"] == nil
    }

    /// Returns the elements of `providerUserInfo`: the identities, and the facts at their places among them.
    /// - Parameters:
    ///   - identities: The elements of the identities.
    ///   - members: The members of the record; `nil` if there is none.
    package static func elements(_ identities: [JSONValue], withFactsOf members: JSONObject?) -> [JSONValue] {
        let positions = members?[Member.factPositions.rawValue]?.arrayValue ?? []
        var elements = identities
        for (number, fact) in (members?[Member.facts.rawValue]?.arrayValue ?? []).enumerated() {
            let position = number < positions.count ? positions[number].integerValue : nil
            let end = elements.count
            elements.insert(fact, at: position.map { min(max(0, Int(clamping: $0)), end) } ?? end)
        }
        return elements
    }

    /// Sets what came with an identity and is not in it. Another identity of the provider must not be exported with it.
    /// - Returns: What it was.
    @discardableResult
    mutating func setRest(_ rest: JSONValue?, of providerID: String) -> JSONValue? {
        var members = members
        var identities = members[Member.identities.rawValue]?.objectValue ?? JSONObject()
        let former = identities[providerID]
        guard former != rest else { return former }
        identities[providerID] = rest
        members[Member.identities.rawValue] = identities.members.isEmpty ? nil : .object(identities)
        if let record = ImportedRecord(members) { self = record }
        return former
    }

    /// Keeps what came with identities only where the account has these identities, which may have got another key since.
    /// - Parameters:
    ///   - offered: The identities that the record came with.
    ///   - linked: The identities of the account.
    ///   - known: The record that the account had; `nil` if it had none.
    mutating func keepRests(
        of offered: [VerifiedIdentity], linked: [AccountIdentity], knownFrom known: ImportedRecord? = nil
    ) {
        let former = known?[.identities]?.objectValue
        for identity in offered where !linked.contains(where: { $0.key == identity.key }) {
            let (old, new) = (former?[identity.providerID], self[.identities]?.objectValue?[identity.providerID])
            let id = new?.objectValue?["rawId"]
            guard id == nil || id != old?.objectValue?["rawId"] else { continue }
            setRest(old, of: identity.providerID)
        }
    }

    private static func address(_ value: JSONValue?) -> EmailAddress? {
        value?.text.flatMap { EmailAddress($0.makeString()) }
    }

    private static func object(_ json: String) -> JSONObject? {
        try? JSONParser.object(
            Array(json.utf8), limits: JSONLimits(maximumBytes: AccountLimits.importedBytes, maximumDepth: maximumDepth))
    }

    /// Whether both are the same bytes.
    public static func == (left: ImportedRecord, right: ImportedRecord) -> Bool {
        left.json.hasSameBytes(as: right.json)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(WireText(json)) }
}
