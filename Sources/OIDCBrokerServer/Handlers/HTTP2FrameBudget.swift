// SPDX-License-Identifier: Apache-2.0

/// The number of frames that an HTTP/2 client may still send. It has a number of frames at first, and gets as many
/// again with each request. Unused frames are kept.
///
/// Frames of every type count, since even those that change nothing, or are for a stream that was reset, cost work, and
/// NIO limits only a few types. The budget finds the frame heads in the received bytes (RFC 9113 section 4.1) and skips
/// the rest. By them it also knows whether a request head is complete: NIO keeps the fragments of an unfinished one.
struct HTTP2FrameBudget {
    private static let prefaceLength = 24
    private static let headLength = 9
    private static let headers: UInt8 = 1
    private static let continuation: UInt8 = 9
    private static let endHeaders: UInt8 = 4

    /// The number of frames at first, and the number that each request adds.
    let framesPerRequest: Int
    /// The identifier of the last stream that was opened; 0 before the first.
    private(set) var lastStream: UInt32 = 0
    /// The number of streams that were opened.
    private(set) var streamCount = 0
    /// The number of heads and trailers that have begun.
    private(set) var headCount = 0
    /// Whether the last head is incomplete: its HEADERS frame, or a CONTINUATION (section 6.10), is still to come.
    private(set) var isInHead = false
    /// Whether the head is complete with the frame whose content is skipped.
    private var endsHead = false
    /// The number of frames that the client may still send; negative once it has sent more.
    private var left: Int
    /// The number of bytes to skip before the next head. A connection begins with the preface (section 3.4).
    private var skipped = HTTP2FrameBudget.prefaceLength
    /// The number of bytes of the current head that were read.
    private var position = 0
    /// The length of the current frame, and its type in the last eight bits.
    private var lengthAndType: UInt32 = 0
    private var flags: UInt8 = 0
    private var stream: UInt32 = 0

    init(framesPerRequest: Int) {
        self.framesPerRequest = framesPerRequest
        left = framesPerRequest
    }

    /// Counts the frames in received bytes.
    /// - Returns: Whether the client has stayed within the budget.
    mutating func received(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        var index = bytes.startIndex
        while left >= 0, index < bytes.endIndex {
            if skipped > 0 {
                let count = min(skipped, bytes.distance(from: index, to: bytes.endIndex))
                skipped -= count
                bytes.formIndex(&index, offsetBy: count)
                if skipped == 0, endsHead { isInHead = false }
            } else {
                read(bytes[index])
                bytes.formIndex(after: &index)
            }
        }
        return left >= 0
    }

    private mutating func read(_ byte: UInt8) {
        // The bytes of the previous head are shifted out.
        switch position {
        case 0..<4: lengthAndType = lengthAndType << 8 | UInt32(byte)
        case 4: flags = byte
        default: stream = stream << 8 | UInt32(byte)
        }
        position += 1
        guard position == Self.headLength else { return }
        position = 0
        skipped = Int(lengthAndType >> 8)
        let type = UInt8(truncatingIfNeeded: lengthAndType)
        // The first bit is reserved.
        count(type, of: stream & 0x7FFF_FFFF)
        followHead(type)
    }

    private mutating func followHead(_ type: UInt8) {
        guard type == Self.headers || type == Self.continuation else {
            endsHead = false
            return
        }
        if type == Self.headers { headCount += 1 }
        endsHead = flags & Self.endHeaders != 0
        isInHead = !endsHead || skipped > 0
    }

    private mutating func count(_ type: UInt8, of stream: UInt32) {
        // A new stream has a higher number than all before it (section 5.1.1). Trailers are HEADERS as well.
        if type == Self.headers, stream > lastStream {
            lastStream = stream
            streamCount += 1
            left += framesPerRequest
        }
        left -= 1
    }
}
