// SPDX-License-Identifier: Apache-2.0

import Foundation

extension Process {
    /// Makes the process write to a pipe, and returns what it writes until it ends. Call this before it runs.
    ///
    /// The pipe is read for as long as the process runs: a full one would stop it.
    func output() -> AsyncStream<Data> {
        let pipe = Pipe()
        standardOutput = pipe
        let (chunks, continuation) = AsyncStream.makeStream(of: Data.self)
        pipe.fileHandleForReading.readabilityHandler = { handle in
            let data = handle.availableData
            if data.isEmpty {
                handle.readabilityHandler = nil
                continuation.finish()
            } else {
                continuation.yield(data)
            }
        }
        // Another process that was started meanwhile may hold the other end of the pipe.
        terminationHandler = { _ in continuation.finish() }
        return chunks
    }
}
