// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import OIDCBrokerTesting
import Testing
import TestingSupport

@testable import oidc_broker_demo

/// The command line of the demo with accounts.
struct DemoAccountsFlagTests {
    #if SQLite
        @Test func `--accounts runs both providers, so none can be chosen`() throws {
            #expect(try DemoCommand.parse(["--accounts", "--check"]).accounts)
            #expect(try !DemoCommand.parse([]).accounts)
            #expect(throws: (any Error).self) { try DemoCommand.parse(["--accounts", "--provider", "apple"]) }
            #expect(throws: (any Error).self) { try DemoCommand.parse(["--accounts", "--provider", "development"]) }
        }

        @Test func `--sdk is for the web app of --accounts, in a browser, and may be repeated`() throws {
            let command = try DemoCommand.parse(["--accounts", "--sdk", "app.js", "--sdk", "auth.js"])
            #expect(command.sdkFiles == ["app.js", "auth.js"])
            #expect(try DemoCommand.parse(["--accounts"]).sdkFiles.isEmpty)
            #expect(throws: (any Error).self) { try DemoCommand.parse(["--sdk", "app.js"]) }
            #expect(throws: (any Error).self) { try DemoCommand.parse(["--accounts", "--check", "--sdk", "app.js"]) }
        }
    #else
        @Test func `Without the trait SQLite there are no accounts, and it is said why`() throws {
            let error = #expect(throws: (any Error).self) { try DemoCommand.parse(["--accounts"]) }
            #expect(error.map { DemoCommand.message(for: $0).contains("trait SQLite") } == true)
        }
    #endif
}

#if SQLite
    @Suite(.onSockets, .timeLimit(.minutes(10)))
    struct DemoWithAccountsTests {
        @Test func `A whole life of an account over real TLS, as demo --accounts --check runs it`() async throws {
            let report = try await DemoEnvironment.forTest(hasAccounts: true).checkAndStop()
            #expect(report.filter { $0.hasPrefix("  ok ") && $0.contains(" ms  ") }.count == 42)
            #expect(report.last == "All of it held.")
            #expect(!report.joined().contains("code=") && !report.joined().contains("eyJ"))
        }

        @Test func `The database is for this user only, and goes with the demo`() async throws {
            let demo = try await DemoEnvironment.forTest(hasAccounts: true)
            let path = try #require(demo.accountsDatabase)
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            await demo.stop()
            #expect((attributes?[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            #expect(!FileManager.default.fileExists(atPath: path))
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            #expect(!FileManager.default.fileExists(atPath: folder))
        }

        @Test func `What it says names what to open, both users and both providers, and no secret`() async throws {
            let demo = try await DemoEnvironment.forTest(hasAccounts: true)
            let text = DemoGreeting.text(demo)
            await demo.stop()
            for part in [
                demo.appURL + "/account", demo.appURL + "/web", demo.brokerIssuer, demo.providerIssuer,
                "ada@example.org", "correct horse",
                "grace@example.org", "first compiler", "a mock Apple, which is not Apple", "certificate", "Ctrl-C",
            ] {
                #expect(text.contains(part), "\(part)")
            }
            #expect(!text.contains("PRIVATE KEY") && !text.contains(DemoAccounts.apiKey))
            #expect(!text.contains(DemoAccounts.webAPIKey))
        }
    }
#endif
