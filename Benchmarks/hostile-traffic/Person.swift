// SPDX-License-Identifier: Apache-2.0

import Foundation
import LatencyMeasurement

/// A user who signs in again and again: `callback-latency person`, a process of its own, which starts and stops the
/// target.
final class Person {
    /// The reports of the process, in order, until it ends.
    let reports: AsyncStream<PersonReport>
    private let process: Process
    private let signals: [any DispatchSourceSignal]

    /// Starts the process.
    ///
    /// - Parameters:
    ///   - tool: The path of `callback-latency`.
    ///   - arguments: The arguments after `person`.
    ///   - cleanUp: What is done after a signal, when the process was asked to end.
    init(tool: String, arguments: [String], cleanUp: @escaping @Sendable () -> Void) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: tool)
        process.arguments = ["person"] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        self.process = process
        reports = Self.reports(from: output.fileHandleForReading)
        try process.run()
        let identifier = process.processIdentifier
        // The process is in a process group of its own and does not receive signals of the terminal.
        signals = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                kill(identifier, SIGTERM)
                cleanUp()
                exit(128 + number)
            }
            source.resume()
            return source
        }
    }

    /// Stops the process, and thus the target.
    func stop() {
        for source in signals { source.cancel() }
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
    }

    private static func reports(from output: FileHandle) -> AsyncStream<PersonReport> {
        let (reports, continuation) = AsyncStream.makeStream(of: PersonReport.self)
        Thread.detachNewThread {
            var rest: [UInt8] = []
            while case let data = output.availableData, !data.isEmpty {
                rest.append(contentsOf: data)
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    if let report = PersonReport(line: String(decoding: rest[..<end], as: UTF8.self)) {
                        continuation.yield(report)
                    }
                    rest.removeSubrange(...end)
                }
            }
            continuation.finish()
        }
        return reports
    }
}

@available(*, unavailable)
extension Person: Sendable {}
