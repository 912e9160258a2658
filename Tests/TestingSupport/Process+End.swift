// SPDX-License-Identifier: Apache-2.0

#if os(macOS) || os(Linux)
    package import Foundation

    extension Process {
        /// Starts the process and waits until it has ended.
        /// - Returns: Its exit status.
        /// - Throws: An error of the system if it cannot be started.
        package func runToEnd() async throws -> Int32 {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Int32, any Error>) in
                terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
                do {
                    try run()
                } catch {
                    terminationHandler = nil
                    continuation.resume(throwing: error)
                }
            }
        }
    }
#endif
