// SPDX-License-Identifier: Apache-2.0

/// Limits the bytes of the audit's lines that strangers cause in a second. Each kind of event has its own limit, so that a
/// flood of one kind leaves out no other.
struct StrangerLines: Sendable {
    /// The maximum number of bytes of each kind in a second.
    static let maximumBytes = 64 * 1024

    private struct Second: Sendable {
        var number: Int64
        var bytes = 0
        var leftOut = 0
    }

    private var seconds: [AuditEvent.Kind: Second] = [:]

    /// Counts an event if there is room for its line.
    /// - Parameters:
    ///   - earlier: The number of similar events that were left out before this one, for another reason.
    ///   - now: The time of the wall clock in seconds. A clock that was set back begins a new second.
    /// - Returns: The number of events that were left out since the last line; `nil` if this one is left out too.
    mutating func take(_ event: AuditEvent, after earlier: Int, now: Int64) -> Int? {
        var second = seconds[event.kind] ?? Second(number: now)
        defer { seconds[event.kind] = second }
        if second.number != now { (second.number, second.bytes) = (now, 0) }
        guard event.maximumLineBytes <= Self.maximumBytes - second.bytes else {
            second.leftOut += earlier + 1
            return nil
        }
        second.bytes += event.maximumLineBytes
        defer { second.leftOut = 0 }
        return second.leftOut + earlier
    }
}

extension AuditEvent {
    /// Whether a client without a verified identity may have caused it: it names no user, and neither an operator nor a
    /// provider is behind it.
    package var isOfStranger: Bool {
        guard subject == nil, account == nil else { return false }
        switch kind {
        // The ID token was verified. Each login has one.
        case .callback where Self.outcomesAfterVerification.contains(outcome): return false
        case .start, .callback, .refreshed, .refused, .credential, .revoked, .limited, .accountSignIn, .accountLink,
            .accountUnlink, .accountDelete, .accountRevoke:
            return outcome != Outcome.signedIn.label
        // Notifications that the provider did not sign have a limit of their own: one a second.
        case .redeemed, .notification, .reload, .keysChanged, .started, .stopped, .accountAdminUpdate,
            .accountAdminCreate, .accountAdminDelete:
            return false
        }
    }

    /// The labels of the outcomes of a callback that follow a verified ID token.
    private static let outcomesAfterVerification = Set(
        [
            Outcome.unexpectedSubject, .missingAuthTime, .requirementNotMet(""), .unusableClaims(""), .accountRefused,
            .accountNeedsInteraction,
        ].map(\.label))

    /// The maximum length of the line of an event that names no user, in bytes: the names of all members with the address,
    /// the reference and the time, and the texts of the configuration and the program.
    var maximumLineBytes: Int {
        256 + outcome.utf8.count + (provider?.utf8.count ?? 0) + (app?.utf8.count ?? 0)
    }
}
