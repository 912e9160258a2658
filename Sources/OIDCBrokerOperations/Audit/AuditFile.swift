// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The file of an audit. It is found again when it was rotated, removed or replaced.
///
/// A file that was renamed is written until a reopening is asked for, or another file is at its path: the process that
/// renamed it may be about to make the new one. A file that was truncated is appended to at its new end.
final class AuditFile: LogOutput {
    private struct State: Sendable {
        var file: AppendedFile
        var appender: LineAppender
    }

    /// The lines that are appended by one write, before which the file is looked for at its path.
    let batchBytes = 64 << 10
    private let path: String
    private let wantsReopening = Atomic<Bool>(false)
    // Only the thread of the queue takes it, and holds it while it writes.
    private let state: Mutex<State>

    /// Writes bytes to a descriptor, from the first one on, and returns how many.
    typealias Write = @Sendable (UnsafeRawBufferPointer, _ descriptor: Int32) -> Result<Int, LogFailure>

    private let writeSome: Write

    /// Opens the file, or makes it if there is none.
    /// - Throws: ``LogFailure``.
    init(
        path: String,
        write: @escaping Write = { DescriptorWrite.some(of: $0, to: $1, patience: DescriptorWrite.patience) }
    ) throws(LogFailure) {
        self.path = path
        writeSome = write
        let file = try AppendedFile(path: path)
        state = Mutex(State(file: file, appender: LineAppender(isTorn: file.isTorn)))
    }

    deinit {
        state.withLock { $0.file.end() }
    }

    /// Asks for the file to be opened anew before the next line. It may be called on any thread, and does not block.
    func reopen() {
        wantsReopening.store(true, ordering: .releasing)
    }

    /// Opens the file anew if that is asked for, or necessary. It blocks.
    /// - Returns: What failed; `nil` if nothing did. The file in use stays in use then, and it is tried again.
    func reopenIfWanted() -> LogFailure? {
        state.withLock { reopenIfWanted(&$0) }
    }

    func write(_ lines: LineBatch) -> LogWriteResult {
        state.withLock { state in
            let failure = reopenIfWanted(&state)
            if let failure, !state.file.hasName { return LogWriteResult(written: 0, failure: failure) }
            let descriptor = state.file.descriptor
            var result = state.appender.append(lines) { writeSome($0, descriptor) }
            if result.failure == nil { result.failure = failure }
            return result
        }
    }

    private func reopenIfWanted(_ state: inout State) -> LogFailure? {
        // Taken before the file is opened: a request in the meantime is for a later file.
        let isWanted = wantsReopening.exchange(false, ordering: .acquiring)
        guard isWanted || !state.file.hasName || state.file.isReplaced(at: path) else { return nil }
        do throws(LogFailure) {
            let file = try AppendedFile(path: path)
            state.file.end()
            state = State(file: file, appender: LineAppender(isTorn: file.isTorn))
            return nil
        } catch {
            if isWanted { wantsReopening.store(true, ordering: .releasing) }
            return error
        }
    }
}
