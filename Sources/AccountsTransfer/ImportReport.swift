// SPDX-License-Identifier: Apache-2.0

package import Accounts
package import JOSE

/// What came of the users of files.
package struct ImportReport: Sendable, Hashable {
    /// The number of users in the files so far.
    package var users = 0
    /// Whether the last page of a project is among the files: one that names no further page.
    package var hasLastPage = false
    /// What became of those that could be read.
    package private(set) var added = 0
    package private(set) var unchanged = 0
    package private(set) var updated = 0
    package private(set) var adopted = 0
    package private(set) var conflicts = 0
    /// Users with a second factor, who were left out.
    package private(set) var withSecondFactor = 0
    /// Users with a second factor, who were taken and sign in without it.
    package private(set) var losingSecondFactor = 0
    /// Users that could not be read.
    package var wrong = 0
    // What the accounts of those are like who were not left out.
    /// How many can sign in, by the ID of the provider.
    package private(set) var signInsByProvider: [String: Int] = [:]
    /// How many can sign in by any provider.
    package private(set) var canSignIn = 0
    /// How many had a password and no identity by which they can sign in.
    package private(set) var onlyPassword = 0
    /// How many had only identities that cannot sign in, such as a phone number.
    package private(set) var onlyFacts = 0
    /// How many had neither a password nor any identity: anonymous ones, or users of a file that leaves identities out.
    package private(set) var withoutIdentity = 0
    /// How many cannot sign in, and have custom claims and an email, by which they may enter later.
    package private(set) var withEmailAndClaims = 0
    /// The first of those, at most ``mostListed``.
    package private(set) var usersWithEmailAndClaims: [AccountID] = []
    /// How many have claims of reserved names, which are kept and are not in tokens.
    package private(set) var withReservedClaims = 0
    /// How many were created before 1973, as times in seconds look.
    package private(set) var withEarlyTimes = 0

    /// The time before which a sign-up is unlikely: March 1973, in seconds since 1970. The seconds of a later time that
    /// are taken for milliseconds come before it.
    private static let earlyTime: Int64 = 100_000_000
    /// The maximum number of users that are listed, so that memory does not grow with the files.
    package static let mostListed = 10_000

    /// Creates the report of an empty file.
    package init() {}

    /// Whether every user was taken, or was there already.
    package var isWhole: Bool { conflicts + withSecondFactor + wrong == 0 }

    mutating func count(_ user: ImportedUser, hasPassword: Bool) {
        if user.hasSecondFactor { losingSecondFactor += 1 }
        if user.account.customClaims?.hasReservedName == true { withReservedClaims += 1 }
        if (1..<Self.earlyTime).contains(user.account.createdAt) { withEarlyTimes += 1 }
        guard user.identities.isEmpty else {
            canSignIn += 1
            for identity in user.identities { signInsByProvider[identity.providerID, default: 0] += 1 }
            return
        }
        let account = user.account
        if account.customClaims != nil, account.email != nil, !account.isDisabled, !user.hasSecondFactor {
            withEmailAndClaims += 1
            if usersWithEmailAndClaims.count < Self.mostListed { usersWithEmailAndClaims.append(account.id) }
        }
        let record = account.imported
        if hasPassword {
            onlyPassword += 1
        } else if record?[.facts] != nil || record?[.user]?.objectValue?[UserMember.phoneNumber.rawValue] != nil {
            onlyFacts += 1
        } else {
            withoutIdentity += 1
        }
    }

    mutating func count(_ outcome: ImportOutcome) {
        switch outcome {
        case .added: added += 1
        case .unchanged: unchanged += 1
        case .updated: updated += 1
        case .adopted: adopted += 1
        case .conflict: conflicts += 1
        case .hasSecondFactor: withSecondFactor += 1
        }
    }

    /// The report as an object.
    package var members: JSONObject {
        func number(_ count: Int) -> JSONValue { .number(JSONNumber(Int64(count))) }
        var providers = JSONObject()
        for (id, count) in signInsByProvider.sorted(by: { $0.key < $1.key }) { providers[id] = number(count) }
        return [
            "users": number(users), "added": number(added), "unchanged": number(unchanged),
            "updated": number(updated), "adopted": number(adopted), "conflicts": number(conflicts),
            "withSecondFactor": number(withSecondFactor), "losingSecondFactor": number(losingSecondFactor),
            "invalid": number(wrong), "canSignIn": number(canSignIn),
            "signInsByProvider": .object(providers), "onlyPassword": number(onlyPassword),
            "onlyFacts": number(onlyFacts), "withoutIdentity": number(withoutIdentity),
            "withEmailAndClaims": number(withEmailAndClaims),
            "usersWithEmailAndClaims": .array(usersWithEmailAndClaims.map { .string($0.text) }),
            "withReservedClaims": number(withReservedClaims), "createdBefore1973": number(withEarlyTimes),
        ]
    }

    /// The report in lines for an operator.
    package var lines: [String] {
        var lines = [
            "users: \(users)",
            "added: \(added), there already: \(unchanged), updated: \(updated), adopted: \(adopted)",
            "left out: \(conflicts) by conflicts, \(withSecondFactor) with a second factor, \(wrong) invalid",
            "can sign in: \(canSignIn)",
        ]
        lines += signInsByProvider.sorted { $0.key < $1.key }.map { "  by \($0.key): \($0.value)" }
        if losingSecondFactor > 0 { lines.append("  with a second factor, but without it here: \(losingSecondFactor)") }
        lines.append("cannot sign in: only had a password: \(onlyPassword)")
        lines.append("cannot sign in: only identities that this server does not accept: \(onlyFacts)")
        lines.append("without any identity: \(withoutIdentity)")
        if withoutIdentity > 0 {
            lines.append("  anonymous users, or a file of `firebase auth:export`, which leaves oidc.* and saml.* out")
        }
        if withEmailAndClaims > 0 {
            lines.append("cannot sign in, with custom claims and an email: \(withEmailAndClaims)")
            lines += usersWithEmailAndClaims.map { "  \($0)" }
            let rest = withEmailAndClaims - usersWithEmailAndClaims.count
            if rest > 0 { lines.append("  and \(rest) more") }
        }
        if withReservedClaims > 0 {
            lines.append("with claims of reserved names, which are kept but not put into tokens: \(withReservedClaims)")
        }
        if withEarlyTimes > 0 {
            lines.append("created before 1973: \(withEarlyTimes)")
            lines.append("  perhaps the times are in seconds, and must be in milliseconds")
        }
        return lines
    }
}
