// SPDX-License-Identifier: Apache-2.0

import Admission
import Logging
import HTTPTypes
import JOSE
import OIDCBrokerTesting
import OpenIDRelyingParty
import SignInWithAppleTesting
import Testing
import TestingSupport

@testable import OIDCBroker
@testable import OIDCBrokerConfiguration
@testable import OIDCBrokerHTTP
@testable import OIDCBrokerRecords
@testable import OIDCBrokerState

/// What the audit says: each event once, none of a sign-in left out, and nothing of the user but the broker's own
/// identifiers.
struct AuditTests {
    private static let client = IPAddress("192.0.2.7")

    private func events(_ log: CapturedLog, _ name: String) -> [[String: String]] {
        log.lines.filter { $0.message == name }.map(\.metadata)
    }

    @Test func `a sign-in is a start, a callback and a redemption, with address, user and reference`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        browser.client = Self.client
        let app = AppClient.shop
        let code = try #require(try browser.signIn(app)["code"])
        let tokens = try installation.redeem(code, app).json()
        let lines = installation.audit.lines
        #expect(lines.map(\.message) == ["start", "callback", "redeemed"])
        #expect(lines.allSatisfy { $0.level == .notice })
        let outcomes = lines.map { $0.metadata["auth.outcome"] }
        #expect(outcomes == ["redirected", "signed_in", "redeemed"])
        for line in lines.prefix(2) {
            #expect(line.metadata["auth.client"] == "192.0.2.7")
            #expect(line.metadata["auth.provider"] == "oidc.acme")
        }
        let subject = SubjectIdentifier.derive(issuer: installation.provider.issuer, subject: TestProvider.subject)
        for line in lines.dropFirst() { #expect(line.metadata["auth.sub"] == subject) }
        #expect(lines.allSatisfy { $0.metadata["auth.app"] == "shop" })
        #expect(!installation.audit.text.contains(TestProvider.subject))
        #expect(!installation.audit.text.contains("@"))
        #expect(tokens["id_token"] != nil)
    }

    @Test func `of events that any client can cause one a second is written, with the number of those left out`() throws
    {
        let setup = try AppleSetup()
        let installation = setup.installation
        var junk = AppClient.shop.tokenForm(HandOff().code)
        junk.removeAll { $0.0 == "client_id" }
        for _ in 0..<30 {
            // A callback of no login, two starts of no app, two requests of none, a code that is none, a credential, and
            // a notification.
            _ = try installation.get(Installation.handler + "?state=x&code=y")
            _ = try installation.get("/__/auth/authorize?client_id=nobody")
            _ = try installation.get("/__/auth/authorize", fields: [.secFetchMode: "cors"])
            _ = try installation.token(junk)
            _ = try installation.redeem(HandOff().code, .shop)
            _ = try setup.post("credential", setup.credentialForm(("x", "y"), hasCode: false))
            _ = try setup.notify("{}")
        }
        let names = ["callback", "start", "start", "refused", "refused", "credential", "notification"]
        #expect(installation.audit.lines.map(\.message) == names)
        installation.clock.advance(by: 1)
        _ = try installation.get(Installation.handler + "?state=x&code=y")
        _ = try installation.redeem(HandOff().code, .shop)
        _ = try setup.notify("{}")
        let later = installation.audit.lines.dropFirst(names.count)
        #expect(later.map { $0.metadata["auth.repeated"] } == ["29", "29", "29"])
    }

    @Test func `no line of a sign-in is left out, whatever strangers do in the same second`() throws {
        let installation = try Installation()
        for _ in 0..<20 {
            for _ in 0..<20 { _ = try installation.get(Installation.handler + "?state=x&code=y") }
            var browser = Browser(installation)
            let app = AppClient.shop
            let code = try #require(try browser.signIn(app)["code"])
            #expect(try installation.redeem(code, app).status == 200)
        }
        #expect(events(installation.audit, "start").count == 20)
        #expect(events(installation.audit, "redeemed").count == 20)
        let callbacks = events(installation.audit, "callback").map { $0["auth.outcome"] }
        #expect(callbacks.count { $0 == "signed_in" } == 20)
        #expect(callbacks.count { $0 == "unknown_state" } == 1)
    }

    @Test func `starts and callbacks of strangers' logins are bounded in bytes a second, and summed up`() throws {
        let installation = try Installation()
        let refused = try (0..<3).map { _ in
            var browser = Browser(installation)
            let request = try browser.start()
            return (browser, try installation.provider.refuse(request, "access_denied"))
        }
        let begun = installation.audit.lines.count
        for _ in 0..<300 { _ = try installation.get(AppClient.shop.target()) }
        for (browser, response) in refused {
            var browser = browser
            _ = try browser.bring(response)
        }
        let written = events(installation.audit, "start").count
        #expect((begun..<280).contains(written) && written * 256 < StrangerLines.maximumBytes)
        // A flood of starts leaves out no callback, and nothing of a sign-in.
        #expect(
            events(installation.audit, "callback").map { $0["auth.outcome"] } == [
                "cancelled", "cancelled", "cancelled",
            ])
        var browser = Browser(installation)
        let app = AppClient.shop
        let code = try #require(try browser.signIn(app)["code"])
        #expect(try installation.redeem(code, app).status == 200)
        #expect(installation.audit.lines.suffix(2).map(\.metadata["auth.outcome"]) == ["signed_in", "redeemed"])
        installation.clock.advance(by: 1)
        _ = try installation.get(AppClient.shop.target())
        #expect(events(installation.audit, "start").last?["auth.repeated"] == String(304 - written))
    }

    @Test(arguments: AuditEvent.Kind.allCases)
    func `of each kind of event that names no user, the bytes in a second are bounded, but not of an operator's`(
        kind: AuditEvent.Kind
    ) {
        let bounded: Set<AuditEvent.Kind> = [
            .start, .callback, .refreshed, .refused, .credential, .revoked, .limited, .accountSignIn, .accountLink,
            .accountUnlink, .accountDelete, .accountRevoke,
        ]
        let (log, clock) = (CapturedLog(), TestClock())
        let trail = AuditTrail(log.logger, clock: clock)
        for _ in 0..<1_000 { trail.record(AuditEvent(kind, outcome: "refused", app: "shop")) }
        let count = log.lines.count
        #expect(bounded.contains(kind) ? (count + 1) * 267 > StrangerLines.maximumBytes : count == 1_000)
        #expect(count * 267 <= StrangerLines.maximumBytes || !bounded.contains(kind))
        trail.record(AuditEvent(kind, outcome: "refused", subject: "somebody"))
        trail.record(AuditEvent(kind, outcome: "refused", account: "somebody"))
        #expect(log.lines.count == count + 2)
        clock.advance(by: 1)
        trail.record(AuditEvent(kind, outcome: "refused", app: "shop"))
        trail.record(AuditEvent(kind, outcome: "refused", app: "shop"))
        let last = log.lines.suffix(2).map { $0.metadata["auth.repeated"] }
        #expect(last == [bounded.contains(kind) ? String(1_000 - count) : nil, nil])
    }

    @Test(
        arguments: [
            .unexpectedSubject, .missingAuthTime, .requirementNotMet("x"), .unusableClaims("x"), .accountRefused,
            .accountNeedsInteraction,
        ] as [Outcome])
    func `no refusal of a verified user is left out`(outcome: Outcome) {
        let log = CapturedLog()
        let trail = AuditTrail(log.logger, clock: TestClock())
        for _ in 0..<1_000 { trail.record(AuditEvent(.callback, outcome: outcome.label)) }
        #expect(log.lines.count == 1_000)
    }

    @Test func `the page of a callback whose event was left out names the one that was written`() throws {
        let installation = try Installation()
        let pages = try (0..<3).map { _ in try installation.get(Installation.handler + "?state=x&code=y") }
        let written = try #require(events(installation.audit, "callback").first?["auth.reference"])
        #expect(pages.allSatisfy { $0.text.contains(written) })
    }

    @Test func `without a logger nothing is made`() {
        var made = 0
        func event() -> AuditEvent {
            made += 1
            return AuditEvent(.started, outcome: "listening")
        }
        AuditTrail(nil).record(event())
        #expect(made == 0)
        let log = CapturedLog()
        AuditTrail(log.logger).record(event())
        #expect(made == 1 && log.lines.map(\.message) == ["started"])
    }

    @Test func `codes that are none, and apps that do not authenticate, are refused`() throws {
        let installation = try Installation()
        _ = try installation.redeem(HandOff().code, .shop)
        _ = try installation.token([("grant_type", "authorization_code"), ("client_id", "nobody")])
        let refused = events(installation.audit, "refused")
        #expect(refused.map { $0["auth.outcome"] } == ["refused", "unauthenticated"])
        #expect(refused.map { $0["auth.app"] } == ["shop", nil])
    }

    @Test func `a code with a record that does not fit bears the reference of its login, and its user`() throws {
        let installation = try Installation()
        var browser = Browser(installation)
        let app = AppClient.shop
        let code = try #require(try browser.signIn(app)["code"])
        let wrong = app.tokenForm(code).map { $0.0 == "redirect_uri" ? ($0.0, "https://shop.example/other") : $0 }
        #expect(try installation.token(wrong).status == 400)
        let started = try #require(events(installation.audit, "start").first?["auth.reference"])
        let subject = SubjectIdentifier.derive(issuer: installation.provider.issuer, subject: TestProvider.subject)
        let refused = events(installation.audit, "refused")
        #expect(refused.map { $0["auth.reference"] } == [started])
        #expect(refused.map { $0["auth.sub"] } == [subject])
        // A code without a record has no known user.
        #expect(try installation.token(app.tokenForm(HandOff().code)).status == 400)
        #expect(events(installation.audit, "refused").map { $0["auth.sub"] } == [subject, nil])
    }

    @Test func `credentials, revocations and notifications are events`() throws {
        let setup = try AppleSetup()
        _ = try setup.post("credential", setup.credentialForm(("x", "y"), hasCode: false))
        let form = AppleSetup.confidential + [("token", "never-was"), ("audience", StubApple.servicesID)]
        #expect(try setup.post("revoke", form).status == 200)
        #expect(try setup.notify("{}").status == 400)
        let audit = setup.installation.audit
        #expect(events(audit, "credential").map { $0["auth.outcome"] } == ["failed_id_token"])
        #expect(events(audit, "revoked").map { $0["auth.outcome"] } == ["revoked"])
        #expect(events(audit, "notification").map { $0["auth.outcome"] } == ["refused"])
    }

    @Test func `a request over a limit is an event with the address, one a second`() throws {
        var limits = RequestLimits()
        (limits.browserPerSecond, limits.browserBurst) = (1, 1)
        let installation = try Installation(requestLimits: limits)
        var browser = Browser(installation)
        browser.client = Self.client
        for _ in 0..<4 { _ = try browser.get(Installation.handler + "?state=x&code=y") }
        // Of a flood one a second is written.
        #expect(events(installation.audit, "limited").count == 1)
        installation.clock.advance(by: 1)
        for _ in 0..<4 { _ = try browser.get(Installation.handler + "?state=x&code=y") }
        let limited = events(installation.audit, "limited")
        #expect(limited.map { $0["auth.repeated"] } == [nil, "2"])
        #expect(limited.allSatisfy { $0["auth.outcome"] == "browser" && $0["auth.client"] == "192.0.2.7" })
    }

    @Test func `a reload is an event, and each kind of key that it changes, without the key`() throws {
        let installation = try Installation()
        var next = installation.configuration
        try installation.broker.reload(next)
        #expect(installation.audit.lines.map(\.message) == ["reload"])
        next.sealingKeys.append(Secret(Installation.secondSealingKey))
        next.providers[0].configuration.clientSecret = Secret("another-client-secret")
        try installation.broker.reload(next)
        let lines = installation.audit.lines.dropFirst()
        #expect(lines.map(\.message) == ["keys_changed", "keys_changed", "reload"])
        #expect(
            lines.map { $0.metadata["auth.outcome"] } == ["sealing_keys", "provider_credential", "applied"])
        #expect(!installation.audit.text.contains("another-client-secret"))
        #expect(!installation.audit.text.contains(Installation.secondSealingKey))
    }

    @Test func `a sign-in that enters an account names the account`() throws {
        let accounts = StubAccounts()
        let installation = try Installation(extensions: [accounts]) { $0.apps[0].accounts = true }
        var browser = Browser(installation)
        #expect(try browser.signIn()["code"] != nil)
        let entered = try #require(events(installation.audit, "account_sign_in").first)
        #expect(entered["auth.account"] == StubAccounts.uid)
        #expect(entered["auth.outcome"] == "succeeded")
        let callback = try #require(events(installation.audit, "callback").first)
        #expect(callback["auth.account"] == StubAccounts.uid)
        #expect(callback["auth.reference"] == entered["auth.reference"])
    }

    @Test func `the names of events are the documented ones`() {
        #expect(
            AuditEvent.Kind.allCases.map(\.rawValue) == [
                "start", "callback", "redeemed", "refreshed", "refused", "credential", "revoked", "notification",
                "limited", "reload", "keys_changed", "started", "stopped", "account_sign_in", "account_link",
                "account_unlink",
                "account_delete", "account_revoke", "account_admin_update", "account_admin_create",
                "account_admin_delete",
            ])
    }
}
