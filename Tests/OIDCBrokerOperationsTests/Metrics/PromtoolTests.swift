// SPDX-License-Identifier: Apache-2.0

import Foundation
import Metrics
import Testing
import TestingSupport

@testable import OIDCBrokerOperations

/// `promtool check metrics`, which reads the text as Prometheus does and knows its conventions. It is a part of Debian's
/// package `prometheus`; where that is missing the suite is skipped, except in CI.
@Suite(.enabled(if: Promtool.mustRun, "needs promtool"), .onSockets, .timeLimit(.minutes(10)))
struct PromtoolTests {

    @Test func `every known family is well formed and well named`() async throws {
        let promtool = try #require(Promtool.path, "promtool is not installed")
        let metrics = PrometheusMetrics(logger: WarningRecorder().logger)
        let labels = [("a", "quote \" and \\ and\nline"), ("b", "gr\u{FC}n")]
        var scraped: [MetricSample] = []
        for family in MetricFamily.known {
            switch family.kind {
            case .counter: Counter(label: family.name, dimensions: labels, factory: metrics).increment()
            case .histogram: metrics.makeTimer(label: family.name, dimensions: labels).recordNanoseconds(3_000_000)
            case .gauge: scraped.append(MetricSample(family.name, [("a", "b")], 1.5))
            }
        }
        scraped += ProcessMetrics.samples()
        let file = FileManager.default.temporaryDirectory.appending(path: "oidc-broker-\(UUID().uuidString).prom")
        try Data(metrics.exposition(.prometheus, scraped: scraped)).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: promtool)
        process.arguments = ["check", "metrics"]
        process.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(text)")
        #expect(text.isEmpty)
    }
}

/// Where `promtool` is.
private enum Promtool {
    static var mustRun: Bool { ProcessInfo.processInfo.environment["CI"] == "true" || path != nil }

    static var path: String? {
        let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return directories.map { "\($0)/promtool" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
