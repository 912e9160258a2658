// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A running chromedriver (Debian's package `chromium-driver`), on a port that it chose itself.
final class ChromeDriver: Sendable {
    /// Why there is none.
    enum Failure: Error {
        /// It is not installed.
        case notFound
        /// It ended before it said which port it listens on; what it said instead.
        case ended(String)
    }

    /// Where it is installed; `nil` if it is not.
    static let executable = find("chromedriver", besides: ["/usr/lib/chromium/chromedriver"])
    /// Where the browser is; nil leaves finding it to chromedriver.
    static let browser = find("chromium", besides: ["/usr/lib/chromium/chromium"])

    /// Whether tests that need it run: where it is installed, and in CI always, where its absence is a failure.
    static let isRequired = executable != nil || ProcessInfo.processInfo.environment["CI"] == "true"

    /// The URL of its WebDriver endpoint, without a slash at the end.
    let url: String

    private let process: Process
    /// What it and its browsers leave behind.
    private let temporaryFiles: URL

    private init(url: String, process: Process, temporaryFiles: URL) {
        self.url = url
        self.process = process
        self.temporaryFiles = temporaryFiles
    }

    /// Starts one, and returns when it listens.
    ///
    /// It lets the system choose a port of ::1 and then wants that port of 127.0.0.1 too. Where one of the many servers
    /// of the other tests has it, chromedriver says so and ends: then another is started, which gets another port.
    static func start() async throws -> ChromeDriver {
        for _ in 1..<20 {
            do {
                return try await startOnce()
            } catch Failure.ended(let said) where said.contains("port not available") {
                continue
            }
        }
        return try await startOnce()
    }

    private static func startOnce() async throws -> ChromeDriver {
        guard let executable else { throw Failure.notFound }
        let temporaryFiles = FileManager.default.temporaryDirectory.appending(path: "chromedriver-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: temporaryFiles, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(filePath: executable)
        process.arguments = ["--port=0"]
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["TMPDIR": temporaryFiles.path()]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        let chunks = process.output()
        try process.run()
        var said = Data()
        for await chunk in chunks {
            said += chunk
            if let port = port(in: String(decoding: said, as: UTF8.self)) {
                return ChromeDriver(
                    url: "http://127.0.0.1:\(port)", process: process, temporaryFiles: temporaryFiles)
            }
        }
        try? FileManager.default.removeItem(at: temporaryFiles)
        throw Failure.ended(String(decoding: said, as: UTF8.self))
    }

    /// Ends it. Sessions are to be ended before, since the browsers are its children.
    func stop() {
        // Not by SIGTERM: a thread of the concurrency pool blocks it, and what it starts inherits that. Not waited for:
        // on Linux `waitUntilExit` spins for ever on such a thread.
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: temporaryFiles)
    }

    /// The port in "ChromeDriver was started successfully on port 12345."
    static func port(in text: String) -> Int? {
        guard let match = text.firstMatch(of: /started successfully on port (\d+)\D/) else { return nil }
        return Int(match.1)
    }

    private static func find(_ name: String, besides: [String]) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return (folders.map { "\($0)/\(name)" } + besides).first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
