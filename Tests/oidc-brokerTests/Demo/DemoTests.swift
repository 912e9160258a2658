// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import NIOCore
import NIOPosix
import Testing
import TestingSupport

@testable import oidc_broker_demo

@Suite(.onSockets, .timeLimit(.minutes(10)))
struct DemoTests {
    @Test func `A complete sign-in over real TLS, as demo --check runs it`() async throws {
        let report = try await DemoEnvironment.forTest().checkAndStop()
        #expect(report.filter { $0.hasPrefix("  ok ") && $0.contains(" ms  ") }.count == 12)
        #expect(report.last == "All of it held.")
        #expect(!report.joined().contains("code="))
    }

    @Test func `Stopped, it leaves nothing: no listener, no temporary folder`() async throws {
        let demo = try await DemoEnvironment.forTest()
        #expect(FileManager.default.fileExists(atPath: demo.certificates.keyPath))
        await demo.stop()
        #expect(!FileManager.default.fileExists(atPath: demo.certificates.directory))
        for url in [demo.appURL, demo.brokerIssuer, demo.providerIssuer] {
            let port = try #require(URL(string: url)?.port)
            let connection = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: port)
            await #expect(throws: (any Error).self, "\(url)") { try await connection.get().close() }
        }
    }

    @Test func `A port that is taken is named, and nothing is left running`() async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        let certificates = try CertificateStore.temporary()
        let logger = Logger(label: "oidc-brokerTests") { _ in SwiftLogNoOpLogHandler() }
        let error = await #expect(throws: DemoError.self) {
            _ = try await DemoEnvironment.start(port: port, certificates: certificates, logger: logger)
        }
        try await listener.close()
        #expect(error?.description.contains("port \(port) is taken") == true)
        #expect(error?.description.contains("--port") == true)
        #expect(!FileManager.default.fileExists(atPath: certificates.directory))
    }

    @Test func `What it says names the URL, the user and the certificate, and no secret`() async throws {
        let demo = try await DemoEnvironment.forTest()
        let text = DemoGreeting.text(demo)
        await demo.stop()
        for part in [
            demo.appURL + "/", demo.brokerIssuer, demo.providerIssuer, "ada@example.org", "correct horse",
            "certificate", "Ctrl-C",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(!text.contains("PRIVATE KEY"))
    }
}
