// SPDX-License-Identifier: Apache-2.0

/// One operation on accounts that has ended.
package struct AccountOutcome: Sendable {
    /// The number of the user.
    package let person: Int
    /// What the response had to be.
    package let expectation: AccountExpectation
    /// When the operation was meant to begin, in nanoseconds of the monotonic clock.
    package let intendedStart: Int64
    /// When the response was complete.
    package let end: Int64
    /// What the response said, or why it does not count.
    package let result: Result<AccountReply, AccountFault>

    /// Creates an outcome.
    package init(
        person: Int, expectation: AccountExpectation, intendedStart: Int64, end: Int64,
        result: Result<AccountReply, AccountFault>
    ) {
        self.person = person
        self.expectation = expectation
        self.intendedStart = intendedStart
        self.end = end
        self.result = result
    }
}

/// The results of a load on accounts. Only verified operations count.
///
/// It is made after the load, so that verifying signatures takes no time from what is measured.
package struct AccountTally: Sendable {
    /// The results so far.
    package private(set) var recorder: LoadRecorder
    private let tokens: AccountTokenCheck
    private let window: MeasurementWindow
    /// The accounts that already have an owner.
    private var accounts: Set<String>

    /// Creates an empty tally.
    ///
    /// - Parameters:
    ///   - window: The window that counts.
    ///   - tokens: The check of ID tokens.
    ///   - accounts: The accounts that were made before.
    package init(window: MeasurementWindow, tokens: AccountTokenCheck, accounts: Set<String>) {
        self.window = window
        self.tokens = tokens
        self.accounts = accounts
        recorder = LoadRecorder(window: window, basis: .end)
    }

    /// Adds operations of one kind, and verifies each of them.
    package mutating func add(_ outcomes: [AccountOutcome], _ part: SignInPart, basis: LoadRecorder.Basis) {
        var own = LoadRecorder(window: window, basis: basis)
        for outcome in outcomes {
            let (start, end) = (outcome.intendedStart, outcome.end)
            switch verified(outcome) {
            case .success:
                if outcome.expectation == .refusal {
                    own.recordRefusal(intendedStart: start, end: end)
                } else {
                    own.record(part, intendedStart: start, end: end)
                }
            case .failure(let fault) where fault == .accepted:
                // Whenever it happened: the part of the load that is measured does not matter.
                own.recordError(LoadRecorder.acceptedSpoiled, intendedStart: window.begin, end: window.begin)
            case .failure(let fault):
                own.recordError("\(part.rawValue): \(fault)", intendedStart: start, end: end)
            }
        }
        recorder.merge(own)
    }

    private mutating func verified(_ outcome: AccountOutcome) -> Result<AccountReply, AccountFault> {
        guard case .success(let reply) = outcome.result else { return outcome.result }
        if let idToken = reply.idToken, let fault = tokens.fault(in: idToken, of: reply.uid) { return .failure(fault) }
        if case .newAccount = outcome.expectation, !accounts.insert(reply.uid).inserted {
            return .failure(AccountFault("the account of another user"))
        }
        return outcome.result
    }
}
