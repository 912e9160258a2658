// SPDX-License-Identifier: Apache-2.0

#if os(macOS) || os(Linux)
    package import Foundation

    /// A process that was started, and whose end can be waited for.
    package struct RunningProcess: Sendable {
        private let process: Process
        private let ended: AsyncStream<Void>

        /// Starts a process.
        /// - Throws: An error of the system if it cannot be started.
        package init(starting process: Process) throws {
            let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
            process.terminationHandler = { _ in continuation.finish() }
            try process.run()
            self.process = process
            self.ended = ended
        }

        /// Sends it a signal, unless it has ended.
        package func signal(_ number: Int32) {
            if process.isRunning { _ = kill(process.processIdentifier, number) }
        }

        /// Ends it by a signal, and waits until it has ended. Other signals than SIGKILL may be blocked in a process that
        /// a thread of a log started, and wait in one that is suspended.
        package func end(by number: Int32 = SIGKILL) async {
            signal(number)
            for await _ in ended {}
        }
    }

    extension Process {
        /// A program that reads and shows nothing, and was not started yet.
        package static func quiet(_ path: String, _ arguments: [String]) -> Process {
            let process = Process()
            process.executableURL = URL(filePath: path)
            process.arguments = arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            return process
        }
    }
#endif
