// SPDX-License-Identifier: Apache-2.0

import JOSE
import LatencyMeasurement
import Testing

private let second: Int64 = 1_000_000_000

@Suite struct AccountTallyTests {
    private let key: SigningKey
    private let tokens: AccountTokenCheck
    private let window = MeasurementWindow(begin: 10 * second, end: 20 * second)

    init() throws {
        key = try SigningKey.generate(.es256)
        tokens = try AccountTokenCheck(key: key, audience: "people")
    }

    private func token(of uid: String, audience: String = "people", by other: SigningKey? = nil) throws -> String {
        try (other ?? key).sign(["sub": .string(uid), "aud": .string(audience)], type: "JWT")
    }

    private func outcome(
        _ expectation: AccountExpectation, _ result: Result<AccountReply, AccountFault>,
        intendedStart: Int64 = 11 * second, end: Int64 = 12 * second
    ) -> AccountOutcome {
        AccountOutcome(
            person: 1, expectation: expectation, intendedStart: intendedStart, end: end, result: result)
    }

    private func tally(accounts: Set<String> = []) -> AccountTally {
        AccountTally(window: window, tokens: tokens, accounts: accounts)
    }

    // MARK: Tokens

    @Test func `a token counts for its account, project and key only`() throws {
        let good = try token(of: "uid-1")
        #expect(tokens.fault(in: good, of: "uid-1") == nil)
        #expect(tokens.fault(in: good, of: "uid-2")?.description == "an ID token of another account")
        let elsewhere = try token(of: "uid-1", audience: "others")
        #expect(tokens.fault(in: elsewhere, of: "uid-1")?.description == "an ID token of another project")
        let forged = try token(of: "uid-1", by: SigningKey.generate(.es256))
        #expect(tokens.fault(in: forged, of: "uid-1")?.description == "an ID token without a valid signature")
        #expect(tokens.fault(in: "aa.bb.cc", of: "uid-1")?.description == "an ID token without a valid signature")
    }

    // MARK: Operations

    @Test func `only what is verified counts`() throws {
        let good = AccountReply(uid: "uid-1", idToken: try token(of: "uid-1"), refreshToken: "r")
        let forged = AccountReply(uid: "uid-1", idToken: try token(of: "uid-2"), refreshToken: "r")
        let expectation = AccountExpectation.tokens(uid: "uid-1", refreshToken: "r")
        var tally = tally()
        tally.add(
            [
                outcome(expectation, .success(good)), outcome(expectation, .success(forged)),
                outcome(expectation, .failure(AccountFault("status 503"))),
            ], .refresh, basis: .end)
        #expect(tally.recorder.verified == 1)
        #expect(tally.recorder.endedInWindow == 1)
        #expect(
            tally.recorder.errors == ["refresh: an ID token of another account": 1, "refresh: status 503": 1])
        #expect(tally.recorder.histograms[.refresh]?.count == 1)
        #expect(tally.recorder.histograms[.refresh].map { ($0.maximum - second).magnitude < 1_000_000 } == true)
    }

    @Test func `two users do not get one account`() throws {
        let expectation = AccountExpectation.newAccount(subject: "s")
        func reply(_ uid: String) throws -> Result<AccountReply, AccountFault> {
            .success(AccountReply(uid: uid, idToken: try token(of: uid), refreshToken: "r"))
        }
        var tally = tally(accounts: ["uid-0"])
        tally.add(
            [
                outcome(expectation, try reply("uid-0")), outcome(expectation, try reply("uid-1")),
                outcome(expectation, try reply("uid-1")),
            ], .new, basis: .end)
        #expect(tally.recorder.verified == 1)
        #expect(tally.recorder.errors == ["new: the account of another user": 2])
    }

    @Test func `a refusal is no operation, and an accepted wrong credential is an error whenever it happens`() {
        var tally = tally()
        tally.add(
            [
                outcome(.refusal, .success(AccountReply(uid: ""))),
                outcome(.refusal, .failure(.accepted), intendedStart: 0, end: second),
            ], .known, basis: .end)
        #expect(tally.recorder.verified == 0)
        #expect(tally.recorder.refusedSpoiled == 1)
        #expect(tally.recorder.errors == [LoadRecorder.acceptedSpoiled: 1])
    }

    /// Lookups are a closed loop, the sign-ins beside them an open one.
    @Test func `each kind counts by its own time`() {
        let late = outcome(
            .profile(uid: "uid-1"), .success(AccountReply(uid: "uid-1")), intendedStart: 19 * second,
            end: 21 * second)
        var tally = tally()
        tally.add([late], .lookup, basis: .end)
        #expect(tally.recorder.verified == 0)
        tally.add([late], .known, basis: .intendedStart)
        #expect(tally.recorder.verified == 1)
        #expect(Set(tally.recorder.histograms.keys) == [.known])
        // It did not end in the window, so the processor time of the window is not its own.
        #expect(tally.recorder.endedInWindow == 0)
    }
}
