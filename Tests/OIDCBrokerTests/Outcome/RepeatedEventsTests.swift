// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import JOSE
import Logging
import OIDCBrokerTesting
import OpenIDConnect
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerPages
@testable import OIDCBrokerRecords
@testable import OIDCBrokerState

/// Lines that any client can cause are logged once a second.
struct RepeatedEventsTests {
    @Test func `the first of a second is written, the next second's says how many were left out`() {
        var machine = RepeatedEvents.StateMachine()
        #expect(machine.note(.unreadable, now: 10) == .write(leftOut: 0))
        for _ in 0..<3 { #expect(machine.note(.unreadable, now: 10) == .leaveOut) }
        #expect(machine.note(.unreadable, now: 11) == .write(leftOut: 3))
        #expect(machine.note(.unreadable, now: 11) == .leaveOut)
        #expect(machine.note(.unreadable, now: 500) == .write(leftOut: 1))
        #expect(machine.note(.unreadable, now: 501) == .write(leftOut: 0))
    }

    @Test func `a client without a login does not silence the lines about logins`() {
        var machine = RepeatedEvents.StateMachine()
        #expect(machine.note(.expired, now: 10) == .write(leftOut: 0))
        for _ in 0..<5 { #expect(machine.note(.expired, now: 10) == .leaveOut) }
        #expect(machine.note(.expired, isOfLogin: true, now: 10) == .write(leftOut: 0))
        for _ in 0..<3 { #expect(machine.note(.expired, isOfLogin: true, now: 10) == .leaveOut) }
        #expect(machine.note(.expired, isOfLogin: true, now: 11) == .write(leftOut: 3))
        #expect(machine.note(.expired, now: 11) == .write(leftOut: 5))
    }

    @Test(arguments: [false, true]) func `of successes ten a second are written`(isOfLogin: Bool) {
        var machine = RepeatedEvents.StateMachine()
        for _ in 0..<10 {
            #expect(machine.note(.signedIn, isOfLogin: isOfLogin, now: 10) == .write(leftOut: 0))
        }
        for _ in 0..<3 { #expect(machine.note(.signedIn, isOfLogin: isOfLogin, now: 10) == .leaveOut) }
        #expect(machine.note(.signedIn, isOfLogin: isOfLogin, now: 11) == .write(leftOut: 3))
        for _ in 0..<9 {
            #expect(machine.note(.signedIn, isOfLogin: isOfLogin, now: 11) == .write(leftOut: 0))
        }
        #expect(machine.note(.signedIn, isOfLogin: isOfLogin, now: 11) == .leaveOut)
    }

    @Test func `a login keeps its own reference, and what has none gets that of the line that was written`() {
        let lines = RepeatedEvents()
        let first = lines.note(.expired, at: .callback, provider: nil, now: 1).reference
        let second = lines.note(.expired, at: .callback, provider: nil, now: 1)
        #expect(second.action == .leaveOut && second.reference == first)
        for number in 0..<12 as Range<UInt8> {
            let login = PageReference(loginID: [number])
            let (action, reference) = lines.note(.expired, at: .callback, provider: nil, login: login, now: 1)
            #expect(reference == login)
            #expect(action == (number == 0 ? .write(leftOut: 0) : .leaveOut))
        }
        #expect(lines.note(.expired, at: .callback, provider: nil, now: 1).reference == first)
    }

    @Test func `each kind for itself`() {
        var machine = RepeatedEvents.StateMachine()
        for line in RepeatableEvent.allCases { #expect(machine.note(line, now: 1) == .write(leftOut: 0)) }
        for line in RepeatableEvent.allCases where line != .signedIn {
            #expect(machine.note(line, now: 1) == .leaveOut)
        }
    }

    @Test func `of each place and each provider for itself, where it is a provider's failure`() {
        var machine = RepeatedEvents.StateMachine()
        for place in [RepeatableEvent.Place.callback, .start, .credential] {
            for provider: UInt64? in [1, 2, nil] {
                #expect(machine.note(.failedToken, at: place, provider: provider, now: 1) == .write(leftOut: 0))
                #expect(machine.note(.failedToken, at: place, provider: provider, now: 1) == .leaveOut)
            }
            #expect(machine.note(.expired, at: place, provider: 1, now: 1) == .write(leftOut: 0))
            #expect(machine.note(.expired, at: place, provider: 2, now: 1) == .leaveOut)
        }
    }

    @Test func `what is remembered is bounded, however many providers there were`() {
        var machine = RepeatedEvents.StateMachine()
        let most = UInt64(RepeatedEvents.StateMachine.mostKindsOfProviders)
        for provider in 0..<most {
            #expect(machine.note(.failedToken, provider: provider, now: 1) == .write(leftOut: 0))
        }
        #expect(machine.note(.failedToken, provider: most, now: 1) == .write(leftOut: 0))
        for provider in most..<most + 5 {
            #expect(machine.note(.failedToken, provider: provider, now: 1) == .leaveOut)
        }
        #expect(machine.note(.failedToken, provider: 0, now: 2) == .write(leftOut: 0))
        #expect(machine.note(.failedToken, provider: most + 9, now: 2) == .write(leftOut: 5))
    }

    @Test(arguments: [-1, -3600, -315_360_000] as [Int64])
    func `a clock that is stepped back silences nothing`(step: Int64) {
        var machine = RepeatedEvents.StateMachine()
        #expect(machine.note(.expired, now: 1_800_000_000) == .write(leftOut: 0))
        #expect(machine.note(.expired, now: 1_800_000_000 + step) == .write(leftOut: 0))
        #expect(machine.note(.expired, now: 1_800_000_000 + step) == .leaveOut)
    }

    /// Requests of a client without any credentials, each kind with its outcome.
    private static let garbage: [(String, String)] = [
        ("?state=a&state=b&code=c", "unreadable"), ("?state=a&code=c", "unknown_state"),
        ("?apiKey=x", "reserved_for_firebase"),
    ]

    @Test(arguments: garbage)
    func `garbage at the callback: one line a second of each kind, with the number of the others`(
        query: String, outcome: String
    ) throws {
        let installation = try Installation()
        var browser = Browser(installation)
        for _ in 0..<50 { #expect(try browser.get(Installation.handler + query).status >= 400) }
        #expect(installation.log.outcomes == [outcome])
        #expect(installation.log.lines.last?.metadata["auth.repeated"] == nil)
        installation.clock.advance(by: 1)
        for _ in 0..<50 { _ = try browser.get(Installation.handler + query) }
        #expect(installation.log.outcomes == [outcome, outcome])
        #expect(installation.log.lines.last?.metadata["auth.repeated"] == "49")
    }

    @Test func `a login of one's own, brought back with an error or another issuer, again and again`() throws {
        let installation = try Installation()
        for (error, issuer, outcome) in [
            ("x", nil, "refused_by_provider"), ("access_denied", nil, "cancelled"),
            ("x", "https://evil.example", "failed_authorization"),
        ] {
            for _ in 0..<15 {
                var browser = Browser(installation)
                var response = try installation.provider.refuse(try browser.start(), error)
                if let issuer { response = response.filter { $0.0 != "iss" } + [("iss", issuer)] }
                #expect(try browser.bring(response).status == 303)
            }
            #expect(installation.log.outcomes.count { $0 == outcome } == 1, "\(outcome)")
        }
    }

    @Test func `codes that are none, by an app without a secret`() throws {
        let installation = try Installation()
        let app = AppClient.shop
        let code = HandOff().code
        for _ in 0..<5 { #expect(try installation.redeem(code, app).status == 400) }
        func refusals() -> [CapturedLog.Line] {
            installation.log.lines.filter { $0.message == "hand-off code refused: unknown or expired" }
        }
        #expect(refusals().count == 1)
        installation.clock.advance(by: 1)
        #expect(try installation.redeem(code, app).status == 400)
        #expect(refusals().count == 2)
        #expect(refusals().last?.metadata["auth.repeated"] == "4")
    }

    @Test func `sign-ins are written, with pages between and without`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        for _ in 0..<3 { #expect(try browser.signIn()["code"] != nil) }
        for _ in 0..<2 { #expect(try browser.signIn(.desk)["code"] != nil) }
        #expect(
            installation.log.outcomes
                == ["signed_in", "signed_in", "signed_in", "continuing", "signed_in", "continuing", "signed_in"])
    }

    @Test func `of sign-ins ten a second are a line at info, and the next one says how many were left out`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        for _ in 0..<13 { #expect(try browser.signIn()["code"] != nil) }
        func lines() -> [CapturedLog.Line] {
            installation.log.lines.filter { $0.metadata["auth.outcome"] == "signed_in" }
        }
        #expect(lines().map(\.message) == [String](repeating: "sign-in succeeded", count: 10))
        installation.clock.advance(by: 1)
        #expect(try browser.signIn()["code"] != nil)
        let last = try #require(lines().last)
        #expect(lines().count == 11 && last.level == .info)
        #expect(last.message == "sign-in succeeded; 3 left out")
        #expect(
            Set(last.metadata.keys) == [
                "auth.outcome", "auth.app", "auth.provider", "auth.milliseconds", "auth.reference", "auth.repeated",
            ])
        #expect(last.metadata["auth.app"] == "shop" && last.metadata["auth.repeated"] == "3")
        #expect(last.metadata["auth.milliseconds"] == "0")
    }
}
