// SPDX-License-Identifier: Apache-2.0

/// Finds the end of a JSON value by its brackets and strings. What stands between them is not checked.
struct ValueScan: Sendable {
    private var depth = 0
    private var isInText = false
    private var isEscaped = false
    private var isBare = false
    /// Whether the value has ended.
    private(set) var isEnded = false

    /// Reads on in a chunk.
    /// - Returns: The position behind the value, or the end of the chunk.
    mutating func advance(over chunk: [UInt8], from start: Int) -> Int {
        var position = start
        while position < chunk.count {
            let byte = chunk[position]
            if isInText {
                position += 1
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                    if depth == 0 { return end(at: position) }
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""):
                if isBare { return end(at: position) }
                isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if isBare { return end(at: position) }
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return end(at: position) }
                depth -= 1
                if depth == 0 { return end(at: position + 1) }
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
                if depth == 0 { return end(at: position) }
            default: if depth == 0 { isBare = true }
            }
            position += 1
        }
        return position
    }

    private mutating func end(at position: Int) -> Int {
        isEnded = true
        return position
    }
}
