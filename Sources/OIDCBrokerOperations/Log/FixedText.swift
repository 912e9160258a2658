// SPDX-License-Identifier: Apache-2.0

import JOSE

/// Text that is written into memory of a fixed size. What does not fit is left out.
struct FixedText {
    private let room: UnsafeMutableBufferPointer<UInt8>
    private var count = 0
    /// Whether something did not fit.
    private(set) var isCut = false

    /// - Parameter room: The memory, which is not initialized.
    init(_ room: UnsafeMutableBufferPointer<UInt8>) {
        self.room = room
    }

    /// What was written.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: room[..<count]) }

    /// Appends a byte.
    mutating func append(_ byte: UInt8) {
        guard count < room.count else {
            isCut = true
            return
        }
        room.initializeElement(at: count, to: byte)
        count += 1
    }

    /// Appends bytes.
    mutating func append(_ bytes: some Sequence<UInt8>) {
        let isWritten: Void? = bytes.withContiguousStorageIfAvailable { append(copyOf: $0) }
        if isWritten == nil { for byte in bytes { append(byte) } }
    }

    /// Appends a text.
    mutating func append(_ text: String) { text.utf8.withContiguousBytes { append(copyOf: $0) } }

    /// Appends a number. One below 0 is written as 0.
    mutating func append(number: Int) {
        let number = max(0, number)
        var unit = 1
        while number / unit > 9 { unit *= 10 }
        while unit > 0 {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / unit % 10))
            unit /= 10
        }
    }

    /// Appends a number of thousandths as `Double` describes it: `1.25`, `3.0`.
    mutating func append(thousandths: Int64) {
        let thousandths = max(0, thousandths)
        append(number: Int(clamping: thousandths / 1000))
        append(UInt8(ascii: "."))
        var (rest, unit) = (thousandths % 1000, Int64(100))
        repeat {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / unit))
            rest %= unit
            unit /= 10
        } while rest > 0
    }

    private mutating func append(copyOf bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count <= room.count - count else {
            isCut = true
            return
        }
        _ = UnsafeMutableBufferPointer(rebasing: room[count...]).initialize(fromContentsOf: bytes)
        count += bytes.count
    }
}
