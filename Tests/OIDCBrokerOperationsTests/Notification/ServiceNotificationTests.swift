// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import Testing
import TestingSupport

@testable import OIDCBrokerOperations

/// What is sent to the socket of a service manager.
@Suite(.timeLimit(.minutes(10))) struct ServiceNotificationTests {
    private let log = WarningRecorder()

    private func notification(_ environment: [String: String], processID: Int32 = 1) -> ServiceNotification {
        ServiceNotification(environment: environment, processID: processID, logger: log.logger)
    }

    private static func path() -> String { "/tmp/oidc-broker-\(UUID().uuidString.prefix(8))" }

    /// Whether sockets of each kind exist here.
    private static var kinds: [Bool] {
        #if os(Linux)
            [false, true]
        #else
            [false]
        #endif
    }

    @Test(arguments: ServiceNotificationTests.kinds) func `each message is one datagram`(isAbstract: Bool) throws {
        let receiver = try DatagramReceiver(path: Self.path(), isAbstract: isAbstract)
        let notification = notification(["NOTIFY_SOCKET": receiver.name])
        #expect(notification.isEnabled)
        notification.ready()
        #expect(receiver.next() == "READY=1")
        notification.stopping()
        #expect(receiver.next() == "STOPPING=1")
        notification.watchdog()
        #expect(receiver.next() == "WATCHDOG=1")
        notification.status("serving")
        #expect(receiver.next() == "STATUS=serving")
        notification.reloading()
        let lines = try #require(receiver.next()).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first == "RELOADING=1")
        let time = try #require(lines.last?.split(separator: "=").last.flatMap { Int64($0) })
        #expect(lines.last?.hasPrefix("MONOTONIC_USEC=") == true)
        #expect(time > 0)
        #expect(receiver.next() == nil)
        #expect(log.lines.isEmpty)
    }

    @Test func `a status is one line, cut at a whole character`() throws {
        let receiver = try DatagramReceiver(path: Self.path(), isAbstract: false)
        let notification = notification(["NOTIFY_SOCKET": receiver.name])
        notification.status("a\nREADY=1\r\u{2028}\u{0}b")
        #expect(receiver.next() == "STATUS=a READY=1   b")
        notification.status(String(repeating: "\u{FC}", count: 500))
        #expect(receiver.next() == "STATUS=" + String(repeating: "\u{FC}", count: 128))
        notification.status("a" + String(repeating: "\u{301}", count: 500_000))
        #expect(receiver.next()?.utf8.count == "STATUS=".utf8.count + 255)
    }

    @Test(arguments: [[:], ["NOTIFY_SOCKET": ""]] as [[String: String]])
    func `nothing is sent, and nothing logged, without the variable`(environment: [String: String]) {
        let notification = notification(environment.merging(["WATCHDOG_USEC": "1000000"]) { first, _ in first })
        #expect(!notification.isEnabled)
        #expect(notification.watchdogInterval == nil)
        notification.ready()
        notification.status("a")
        #expect(log.lines.isEmpty)
    }

    @Test(arguments: [
        "relative", "vsock:2:1", "@", "/", "/a\u{0}b", "/" + String(repeating: "a", count: 200), "/nobody/is/here",
        "/dev/null",
    ])
    func `a socket that cannot be used is reported once`(name: String) {
        let notification = notification(["NOTIFY_SOCKET": name])
        for _ in 0..<5 { notification.ready() }
        #expect(log.lines.count == 1)
    }

    @Test func `a full socket is not waited for`() throws {
        let receiver = try DatagramReceiver(path: Self.path(), isAbstract: false)
        let notification = notification(["NOTIFY_SOCKET": receiver.name])
        // The system keeps a bounded number of datagrams, and there is no receiver.
        for _ in 0..<10_000 { notification.watchdog() }
        #expect(log.lines.count == 1)
        while receiver.next() != nil {}
        notification.ready()
        #expect(receiver.next() == "READY=1")
    }

    @Test(
        arguments: [
            ("30000000", nil, .seconds(15)), ("30000000", "1", .seconds(15)), ("30000000", "2", nil),
            ("30000000", "", nil), ("0", nil, nil), ("-5", nil, nil), ("", nil, nil), ("a", nil, nil),
            ("1", nil, .milliseconds(1)), ("9223372036854775807", nil, .hours(24)), ("99999999999999999999", nil, nil),
        ] as [(String, String?, TimeAmount?)])
    func `the watchdog's interval is half of the limit, if it is meant for this process`(
        limit: String, process: String?, interval: TimeAmount?
    ) {
        var environment = ["NOTIFY_SOCKET": "/tmp/nobody", "WATCHDOG_USEC": limit]
        environment["WATCHDOG_PID"] = process
        #expect(notification(environment).watchdogInterval == interval)
    }

    @Test func `the longest addresses that fit`() {
        let most = MemoryLayout.size(ofValue: sockaddr_un().sun_path)
        let name = String(repeating: "a", count: most - 1)
        #expect(NotificationSocket("@" + name) != nil)
        #expect(NotificationSocket("@" + name + "a") == nil)
        #expect(NotificationSocket("/" + name.dropFirst()) != nil)
        #expect(NotificationSocket("/" + name) == nil)
    }
}
