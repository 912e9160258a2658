// SPDX-License-Identifier: Apache-2.0

import JOSE
import OIDCBrokerTesting
import SignInWithAppleTesting
import Testing
import TestingSupport

@testable import oidc_broker_demo

@Suite(.onSockets, .timeLimit(.minutes(10)))
struct DemoWithAppleTests {
    @Test func `Two complete sign-ins over real TLS, as demo --provider apple --check runs them`() async throws {
        let report = try await DemoEnvironment.forTest(.apple).checkAndStop()
        #expect(report.filter { $0.hasPrefix("  ok ") && $0.contains(" ms  ") }.count == 21)
        #expect(report.last == "All of it held.")
        #expect(!report.joined().contains("code="))
    }

    @Test func `What it says names the user, and that it is not Apple`() async throws {
        let demo = try await DemoEnvironment.forTest(.apple)
        let text = DemoGreeting.text(demo)
        await demo.stop()
        for part in [
            demo.appURL + "/", demo.brokerIssuer, demo.providerIssuer, DemoConfiguration.appleAccount.email,
            DemoConfiguration.appleAccount.password, "a mock Apple, which is not Apple", "\"Continue\"",
            "\"Cancel\"",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(!text.contains("PRIVATE KEY"))
        #expect(demo.providerIssuer.hasPrefix("https://127.0.0.1:"), "another site than the broker's")
    }

    @Test func `A name that is markup, and a relay address, as the result page shows them`() {
        var report = SignInReport()
        report.check("anything", true)
        report.user = ["name": "<script>alert(1)</script>"]
        report.claims = ["email": "x@privaterelay.appleid.com", "is_private_email": true]
        let page = SampleAppResponse.page(SampleAppPages.result(.received(report))).message.body
        #expect(page.contains("id=\"user\"") && page.contains("id=\"relay\""))
        #expect(page.contains("&lt;script&gt;") && !page.contains("<script"))
        report.user = [:]
        report.claims = ["email": "ada@example.org", "is_private_email": false]
        let plain = SampleAppResponse.page(SampleAppPages.result(.received(report))).message.body
        #expect(!plain.contains("id=\"user\"") && !plain.contains("id=\"relay\""))
    }
}
