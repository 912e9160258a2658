// SPDX-License-Identifier: Apache-2.0

import Logging
import MetricsTestKit
import NIOCore
import Testing

@testable import OIDCBrokerOperations

/// Loggers of the log of the process.
struct MainLogTests {
    private let output = RecordingOutput()
    private let level = LogLevel(.info)
    private let log: MainLog

    init() {
        log = MainLog(
            .text, level: level, output: output, factory: TestMetrics(), now: { LogTime(seconds: 1_790_000_000) })
    }

    /// What was written, without the times.
    private func written() -> [String] {
        #expect(log.flush(within: .seconds(60)))
        return output.lines.map { String($0.dropFirst("2026-09-21T14:13:20.000Z ".count)) }
    }

    @Test func `a changed level holds for loggers that exist`() {
        let logger = log.logger(label: "test")
        logger.debug("one")
        level.change(to: .debug)
        logger.debug("two")
        level.change(to: .error)
        logger.warning("three")
        logger.error("four")
        #expect(written() == ["debug two", "error four"])
    }

    @Test(arguments: Logger.Level.allCases)
    func `every level can be set`(level: Logger.Level) {
        let box = LogLevel(.info)
        box.change(to: level)
        #expect(box.current == level)
        #expect(LogLevel(level).current == level)
    }

    @Test func `a logger's own level is only its own`() {
        var own = log.logger(label: "own")
        let other = log.logger(label: "other")
        own.logLevel = .trace
        own.trace("one")
        other.debug("two")
        other.info("three")
        #expect(written() == ["trace one", "info three"])
    }

    @Test func `metadata of the statement has precedence over the provider's, and that over the logger's`() {
        let provider = Logger.MetadataProvider { ["b": "provider", "c": "provider"] }
        var logger = Logger(label: "test") { [log] in log.handler(label: $0, metadataProvider: provider) }
        for key in ["a", "b", "c"] { logger[metadataKey: key] = "logger" }
        logger.info("one", metadata: ["c": "statement"])
        logger[metadataKey: "a"] = nil
        logger.info("two")
        #expect(written() == ["info one a=logger b=provider c=statement", "info two b=provider c=provider"])
    }

    @Test func `an error is written with its type`() {
        struct Failure: Error, CustomStringConvertible {
            let description = "no room\n"
        }
        log.logger(label: "test").log(level: .error, "it failed", error: Failure())
        let line = written().first ?? ""
        #expect(line.hasPrefix("error it failed error.message=\"no room\\n\" error.type="))
        #expect(line.contains("Failure"))
    }

    @Test func `the line about dropped lines has the format of the others`() {
        let output = RecordingOutput()
        let log = MainLog(
            .json, level: level, output: output, factory: TestMetrics(), now: { LogTime(seconds: 1_790_000_000) })
        let logger = log.logger(label: "test")
        output.fail(LogFailure("write", 28))
        logger.info("lost")
        #expect(log.flush(within: .seconds(60)))
        output.fail(nil)
        logger.info("kept")
        #expect(log.end(within: .seconds(60)))
        #expect(
            output.lines.first
                == "{\"time\":\"2026-09-21T14:13:20.000Z\",\"level\":\"warning\",\"message\":\"log lines were dropped\","
                + "\"logger\":\"oidc-broker\",\"auth.lines\":1}")
        #expect(output.lines.count == 2)
    }
}
