// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Metrics
import NIOCore
import NIOPosix
import OIDCBrokerOperations
import ServiceLifecycle
import Testing
import TestingSupport

/// The listener for operators over real connections.
@Suite(.onSockets, .timeLimit(.minutes(10))) struct OperationsListenerTests {
    @Test func `health is 200, in JSON, and the connection ends`() async throws {
        try await RunningListener.run { listener in
            let response = try await listener.get("/healthz")
            #expect(response.status == 200)
            #expect(response.has("content-type", "application/json"))
            #expect(response.has("connection", "close"))
            #expect(response.has("cache-control", "no-store"))
            #expect(response.has("date", ""))
            #expect(response.has("content-length", "\(response.body.utf8.count)"))
            #expect(response.body.hasPrefix(#"{"status":"ok","version":"1.2.3","uptime_seconds":42,"event_loops":{"#))
        }
    }

    @Test func `readiness follows the server's life, also while it drains`() async throws {
        try await RunningListener.run { listener in
            let before = try await listener.get("/readyz")
            #expect(before.status == 503)
            #expect(before.body.hasPrefix(#"{"status":"starting","#))
            listener.readiness.becomeReady()
            #expect(try await listener.get("/readyz").status == 200)
            #expect(try await listener.get("/readyz?verbose").status == 200)
            listener.readiness.beginDraining()
            let after = try await listener.get("/readyz")
            #expect(after.status == 503)
            #expect(after.body.hasPrefix(#"{"status":"draining","#))
            // That it drains is no fault.
            #expect(try await listener.get("/healthz").status == 200)
        }
    }

    @Test(arguments: [("ok", 200), ("away", 503), ("not_reached", 503)])
    func `a store that replicas share counts for a balancer that asks for it, and for no other client`(
        store: String, status: Int
    ) async throws {
        var options = RunningListener.Options()
        options.report = {
            var report = HealthReport(version: "1.2.3", uptimeSeconds: 42, configuration: nil, now: 1_800_000_000)
            report.store = store
            return report
        }
        try await RunningListener.run(options) { listener in
            #expect(try await listener.get("/readyz/store").status == 503)
            listener.readiness.becomeReady()
            let response = try await listener.get("/readyz")
            #expect(response.status == 200)
            #expect(response.body.contains(#""store":"\#(store)""#))
            #expect(try await listener.get("/readyz/store").status == status)
            #expect(try await listener.get("/healthz").status == 200)
            listener.readiness.beginDraining()
            #expect(try await listener.get("/readyz/store").status == 503)
        }
    }

    @Test(arguments: [("ok", 200), ("away", 503), ("not_reached", 503)])
    func `a database of accounts counts as a store that replicas share does`(accounts: String, status: Int) async throws
    {
        var options = RunningListener.Options()
        options.report = {
            var report = HealthReport(version: "1.2.3", uptimeSeconds: 42, configuration: nil, now: 1_800_000_000)
            (report.store, report.accounts) = ("ok", accounts)
            return report
        }
        try await RunningListener.run(options) { listener in
            listener.readiness.becomeReady()
            let response = try await listener.get("/readyz")
            #expect(response.status == 200)
            #expect(response.body.contains(#""store":"ok","accounts":"\#(accounts)""#))
            #expect(try await listener.get("/readyz/store").status == status)
        }
    }

    @Test func `an event loop that is stuck makes it unhealthy, and says how many are`() async throws {
        try await EventLoopWatchTests.withLoops { watched, _ in
            var options = RunningListener.Options()
            options.loops = EventLoopWatch(watched)
            try await RunningListener.run(options) { listener in
                #expect(try await listener.get("/healthz").status == 200)
                let released = DispatchSemaphore(value: 0)
                defer { released.signal() }
                try await EventLoopWatchTests.hold(watched.next(), until: released)
                let response = try await listener.get("/healthz")
                #expect(response.status == 503)
                #expect(response.body.hasPrefix(#"{"status":"stuck","#))
                #expect(response.body.contains(#""event_loops":{"total":2,"stuck":1}"#))
                // It answers everything else meanwhile.
                #expect(try await listener.get("/metrics").status == 200)
            }
        }
    }

    @Test func `metrics in both formats, with what is read at the scrape`() async throws {
        var options = RunningListener.Options()
        options.sources = [
            .build(version: "1.2.3", commit: "abc"), OperationsSource { [MetricSample("auth_connections", [], 3)] },
        ]
        try await RunningListener.run(options) { listener in
            Counter(label: "auth_starts", factory: listener.metrics).increment()
            let plain = try await listener.get("/metrics")
            #expect(plain.has("content-type", "text/plain; version=0.0.4; charset=utf-8"))
            #expect(plain.body.contains("\nauth_starts_total 1\n"))
            #expect(plain.body.contains("\nauth_connections 3\n"))
            #expect(plain.body.contains(#"auth_build_info{commit="abc",swift="6"#))
            #expect(!plain.body.contains("# EOF"))
            let open = try await listener.get("/metrics", accept: "application/openmetrics-text;version=1.0.0")
            #expect(open.has("content-type", "application/openmetrics-text; version=1.0.0; charset=utf-8"))
            #expect(open.body.hasSuffix("\n# EOF\n"))
        }
    }

    @Test func `HEAD is GET without the body`() async throws {
        try await RunningListener.run { listener in
            let response = try await OperatorConnection.ask(
                port: listener.port, "HEAD /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(response.status == 200)
            #expect(response.body.isEmpty)
            #expect(!response.has("content-length", "0\r\n"))
        }
    }

    @Test(arguments: [
        ("POST /healthz", 405), ("DELETE /metrics", 405), ("OPTIONS /readyz", 405), ("GET /", 404), ("POST /", 404),
        ("GET /healthz/", 404), ("GET /Healthz", 404), ("GET //healthz", 404), ("GET /healthz%20", 404),
    ])
    func `other methods and other paths`(line: String, status: Int) async throws {
        try await RunningListener.run { listener in
            let response = try await OperatorConnection.ask(
                port: listener.port, "\(line) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(response.status == status)
            #expect(response.has("allow", "GET, HEAD") == (status == 405))
            #expect(response.has("connection", "close"))
        }
    }

    @Test(arguments: [
        "\u{0}\u{1}\u{2}\r\n\r\n", "GET\r\n\r\n", "hello\n\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}",
        "GET /healthz HTTP/1.1\r\n: a\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ])
    func `what is not HTTP is refused, and the listener goes on`(text: String) async throws {
        try await RunningListener.run { listener in
            let response = try await OperatorConnection.ask(port: listener.port, text)
            #expect(response.status == 400 || response.text.isEmpty)
            #expect(try await listener.get("/healthz").status == 200)
        }
    }

    @Test func `a head beyond each limit is refused`() async throws {
        try await RunningListener.run { listener in
            let limits = OperationsLimits()
            let many = String(repeating: "a: b\r\n", count: limits.maximumFields + 1)
            let long = "a: " + String(repeating: "b", count: limits.maximumFieldBytes + 1) + "\r\n"
            let half = "b: " + String(repeating: "b", count: limits.maximumFieldBytes - 100) + "\r\n"
            let target = "?" + String(repeating: "c", count: limits.maximumFieldBytes)
            for (target, fields) in [("", many), ("", long), ("", half + half + half), (target, "")] {
                let response = try await OperatorConnection.ask(
                    port: listener.port, "GET /healthz\(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
                // The close may overtake the response, since bytes of the request are unread.
                #expect(response.status == 400 || response.text.isEmpty)
            }
            let most = String(repeating: "a: b\r\n", count: limits.maximumFields - 1)
            let response = try await OperatorConnection.ask(
                port: listener.port, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\(most)\r\n")
            #expect(response.status == 200)
        }
    }

    @Test(arguments: ["/healthz", "/readyz", "/metrics", "/"], ["GET", "HEAD", "POST"])
    func `by the name of a foreign page nothing is told`(path: String, method: String) async throws {
        try await RunningListener.run { listener in
            listener.readiness.becomeReady()
            for host in ["attacker.example:\(listener.port)", "broker", ""] {
                let response = try await OperatorConnection.ask(
                    port: listener.port, "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
                #expect(response.status == 421)
                #expect(!response.body.contains("status"))
                #expect(!response.body.contains("auth_"))
            }
        }
    }

    @Test func `by an address or localhost, with any port, it is told, and without Host too`() async throws {
        try await RunningListener.run { listener in
            for fields in [
                "Host: 127.0.0.1:\(listener.port)", "host: 127.0.0.1", "Host: [::1]:1", "Host: localhost:1", "A: b",
            ] {
                for version in ["1.0", "1.1"] {
                    let response = try await OperatorConnection.ask(
                        port: listener.port, "GET /healthz HTTP/\(version)\r\n\(fields)\r\n\r\n")
                    #expect(response.status == 200)
                }
            }
            let twice = try await OperatorConnection.ask(
                port: listener.port, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n")
            #expect(twice.status == 400)
        }
    }

    @Test func `only the first request of a connection is answered`() async throws {
        try await RunningListener.run { listener in
            let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let response = try await OperatorConnection.ask(port: listener.port, request + request + request)
            #expect(response.status == 200)
            #expect(response.text.components(separatedBy: "HTTP/1.1 ").count == 2)
        }
    }

    @Test func `a client that closes its side with its request gets a response`() async throws {
        try await RunningListener.run { listener in
            try await OperatorConnection.open(port: listener.port) { connection in
                try await connection.sendLast("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(OperatorResponse(await connection.rest()).status == 200)
            }
        }
    }
}
