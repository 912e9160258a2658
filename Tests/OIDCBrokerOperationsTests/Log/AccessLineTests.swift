// SPDX-License-Identifier: Apache-2.0

import Admission
import Logging
import NIOCore
import OIDCBroker
import Testing

@testable import OIDCBrokerOperations
@testable import OIDCBrokerRecords

/// The line about a request.
struct AccessLineTests {
    @Test func `a line says what is known, and nothing that was received`() {
        var line = LogLine(.text, time: LogTime(seconds: 0), level: .info, logger: "", message: "request")
        line.append(
            AccessLine(
                address: IPAddress("2001:db8::1"), method: AccessLine.Method(of: "GET"), path: "/__/auth/handler",
                status: 303, bytes: 0, duration: .microseconds(1_234), version: .http2, outcome: "signed_in",
                reference: "2345-ABCD"
            ).metadata)
        #expect(
            String(decoding: line.end(), as: UTF8.self)
                == "1970-01-01T00:00:00.000Z info request address=2001:db8::1 auth.outcome=signed_in "
                + "auth.reference=2345-ABCD bytes=0 method=GET milliseconds=1.234 path=/__/auth/handler status=303 "
                + "version=2\n")
    }

    @Test(arguments: [LogFormat.json, .text], [true, false])
    func `a log writes the line by itself as it writes its metadata`(format: LogFormat, isKnown: Bool) {
        let line = AccessLine(
            address: isKnown ? IPAddress("2001:db8::1") : nil, method: .post, path: AccessLogPaths.other, status: 503,
            bytes: 1_234_567, duration: .nanoseconds(isKnown ? 98_765_432_123 : 1), version: .http11,
            outcome: isKnown ? "signed_in" : nil, reference: isKnown ? "2345ABCDEF" : nil)
        let output = RecordingOutput()
        let log = MainLog(format, level: LogLevel(.info), output: output, now: { LogTime(seconds: 0) })
        var logger = log.logger(label: "auth.access")
        AccessLog(logger).write(line)
        logger[metadataKey: "more"] = "yes"
        AccessLog(logger).write(line)
        #expect(log.end(within: .seconds(60)))
        #expect(output.lines.count == 2)
        let more = format == .json ? #""more":"yes","# : "more=yes "
        #expect(output.lines.last?.replacing(more, with: "") == output.lines.first)
        #expect(output.lines.last?.contains(more) == true)
    }

    @Test(
        arguments: [LogFormat.json, .text],
        [
            "/", "/a b", "/a=b", "/\"", "/\\", "/[]", "/{}", "/\n", "/\u{7F}", "/\u{20AC}", "",
            "/" + String(repeating: "x", count: 254),
            "/" + String(repeating: "x", count: 256), "/" + String(repeating: "x", count: 2_000),
        ])
    func `a path is written as in metadata, whatever is in it`(format: LogFormat, path: String) {
        expectAsInMetadata(path, format)
    }

    /// At some length each part of the line is the first one that has no room in one go.
    @Test(arguments: [LogFormat.json, .text])
    func `a line is written as in metadata, however long it is`(format: LogFormat) {
        for length in 300...520 { expectAsInMetadata(String(repeating: "x", count: length), format) }
    }

    private func expectAsInMetadata(_ path: String, _ format: LogFormat) {
        let line = AccessLine(
            address: IPAddress("192.0.2.255"), method: .delete, path: path, status: 200, bytes: .max,
            duration: .milliseconds(86_400_001), version: .http10, outcome: path)
        let time = LogTime(seconds: 1_790_000_000, milliseconds: 7)
        var written = [UInt8(ascii: "x")]
        RequestLineTemplate(format, label: "auth.access").write(line, time) { written += $0 }
        var expected = LogLine(
            format, time: time, level: .info, logger: "auth.access", message: AccessLine.message.description)
        expected.append(line.metadata)
        #expect(written == [UInt8(ascii: "x")] + expected.end())
    }

    @Test func `a log of a higher level writes no line`() {
        let output = RecordingOutput()
        let log = MainLog(.json, level: LogLevel(.warning), output: output)
        AccessLog(log.logger(label: "auth.access")).write(
            AccessLine(
                address: nil, method: .get, path: AccessLogPaths.other, status: 200, bytes: 0, duration: .zero,
                version: .http2))
        #expect(log.end(within: .seconds(60)))
        #expect(output.lines.isEmpty)
    }

    @Test func `what is not known is left out, or says so`() {
        let line = AccessLine(
            address: nil, method: .other, path: AccessLogPaths.other, status: 404, bytes: 12,
            duration: .nanoseconds(-1), version: .http11)
        #expect(line.metadata["address"] == "unknown")
        #expect(line.metadata["milliseconds"]?.description == "0.0")
        #expect(line.metadata.count == 7)
    }

    @Test(
        arguments: [
            ("GET", .get), ("POST", .post), ("HEAD", .head), ("TRACE", .trace), ("get", .other), ("", .other),
            ("other", .other), ("GET\n", .other), ("PROPFIND", .other), ("\u{212A}", .other),
            (String(repeating: "\u{301}", count: 500_000), .other),
        ] as [(String, AccessLine.Method)])
    func `an unknown method is not written`(name: String, method: AccessLine.Method) {
        #expect(AccessLine.Method(of: name) == method)
    }

    @Test(arguments: [
        ("/__/auth/handler", "/__/auth/handler"),
        ("/__/auth/handler?code=secret", "/__/auth/handler"),
        ("/__/auth/handler?", "/__/auth/handler"),
        ("/__/auth/handler?a?b", "/__/auth/handler"),
        ("/__/auth/token", "/__/auth/token"),
        ("/__/auth/handler/", "other"),
        ("/__/auth/handle", "other"),
        ("/__/auth/handler\u{301}", "other"),
        ("/__/auth/%68andler", "other"),
        ("/reset/secret-in-the-path", "other"),
        ("?/__/auth/handler", "other"),
        ("", "other"),
        ("*", "other"),
        ("/" + String(repeating: "\u{301}", count: 500_000), "other"),
    ])
    func `only paths of ours are written`(target: String, path: String) {
        let paths = AccessLogPaths(["/__/auth/handler", "/__/auth/token", "/__/auth/handler"])
        #expect(paths.path(of: target) == path)
        #expect(AccessLogPaths([String]()).path(of: target) == "other")
    }
}
