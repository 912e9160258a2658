// SPDX-License-Identifier: Apache-2.0

/// Puts lines together that are written at once, as the thread that writes takes them from a ``LogQueue``.
struct BatchAssembly {
    /// Writes a batch.
    /// - Parameters:
    ///   - batch: The batch.
    ///   - byteCount: What its lines count for in the queue.
    typealias Write = (_ batch: LineBatch, _ byteCount: Int) -> Void

    private let batchBytes: Int
    private var batch = LineBatch()
    private var byteCount = 0

    /// - Parameter batchBytes: The maximum number of bytes that are written at once, if they are of several lines.
    init(batchBytes: Int) {
        self.batchBytes = batchBytes
    }

    /// Appends lines, which together are no more than a batch. What they do not fit behind is written first.
    mutating func append(_ lines: LineBatch, _ write: Write) {
        if batch.bytes.count > batchBytes - lines.bytes.count { end(write) }
        byteCount += lines.bytes.count
        batch.append(lines)
    }

    /// Appends lines that are no text yet, and writes each batch that is full.
    mutating func append(_ records: [LogRecord], _ write: Write) {
        for record in records {
            record.append(to: &batch)
            if batch.count > 1, batch.bytes.count > batchBytes {
                let line = batch.splitLast()
                end(write)
                batch.append(line)
            }
            byteCount += LogRecord.byteCount
        }
    }

    /// Writes what is left.
    mutating func end(_ write: Write) {
        guard batch.count > 0 else { return }
        write(batch, byteCount)
        batch.removeAll()
        byteCount = 0
    }
}
