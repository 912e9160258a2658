// SPDX-License-Identifier: Apache-2.0

import Foundation
import OIDCBroker
import OIDCBrokerConfiguration
import Testing
import TestingSupport

/// `curl`, another implementation of HTTP/1.1, HTTP/2 and TLS.
enum CurlCommand {
    /// What came back.
    struct Response: Sendable {
        let exitStatus: Int32
        let status: Int
        /// `1.1` or `2`.
        let version: String
        /// Head of the response, as received.
        let head: String
        let body: [UInt8]

        /// The first field of this name, which is given in lower case.
        subscript(name: String) -> String? {
            for line in head.split(whereSeparator: \.isNewline) where line.lowercased().hasPrefix(name + ":") {
                return String(line.dropFirst(name.utf8.count + 1).drop { $0 == " " })
            }
            return nil
        }
    }

    /// Which HTTP is spoken.
    enum Version: String, Sendable, CaseIterable, CustomTestStringConvertible {
        case http1 = "--http1.1"
        case http2 = "--http2"

        var testDescription: String { rawValue }
        /// As curl prints it.
        var number: String { self == .http1 ? "1.1" : "2" }
    }

    /// Whether tests with curl run: where it is installed, and always where the environment says `CI=true`.
    static var mustRun: Bool {
        ProcessInfo.processInfo.environment["CI"] == "true" || path != nil
    }

    private static var path: String? {
        let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return directories.map { "\($0)/curl" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Runs it against a path of the server, or a whole URL, with the server's certificate as the only trust root.
    static func run(
        _ target: String, _ version: Version, _ arguments: [String] = [], at server: RunningServer
    ) async throws -> Response {
        let curl = try #require(Self.path, "curl is not installed")
        let mark = UUID().uuidString
        let head = server.directory.file("head-\(mark)")
        let body = server.directory.file("body-\(mark)")
        let summary = server.directory.file("summary-\(mark)")
        try server.directory.write("summary-\(mark)", [UInt8]())

        let process = Process()
        process.executableURL = URL(filePath: curl)
        process.arguments =
            [
                "--silent", "--max-time", "30", "--cacert", server.directory.file("certificate.pem"), "--path-as-is",
                "--resolve", "localhost:\(server.port):127.0.0.1", version.rawValue, "--dump-header", head,
                "--output", body, "--write-out", "%{http_code} %{http_version}",
            ] + arguments + [target.hasPrefix("/") ? server.publicURL.origin + target : target]
        let output = try FileHandle(forWritingTo: URL(filePath: summary))
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let exitStatus = try await process.runToEnd()
        try output.close()
        let words = try text(summary).split(separator: " ")
        try #require(words.count == 2)
        return Response(
            exitStatus: exitStatus, status: Int(words[0]) ?? 0, version: String(words[1]),
            head: (try? text(head)) ?? "",
            body: FileManager.default.contents(atPath: body).map { Array($0) } ?? [])
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: URL(filePath: path), encoding: .utf8)
    }
}
