// SPDX-License-Identifier: Apache-2.0

/// Reads the users of a file one by one, in either of two forms: pages of `accounts:batchGet`, one or several after another,
/// and the JSON of `firebase auth:export`. Both are objects with an array `users`.
///
/// Only a part of the file and one user are in memory. The users themselves are not read here, only cut out.
package struct UserReader {
    /// One user, as the bytes of a JSON value.
    package struct Element: Sendable, Hashable {
        /// The number of the user in the file, from 0.
        package let index: Int
        /// The byte of the file at which the user begins.
        package let offset: Int
        /// The bytes; `nil` if there are more than `longestUser`.
        package let bytes: [UInt8]?
    }

    /// The maximum length of a user, in bytes.
    package static let longestUser = 1_048_576
    private static let longestName = 64

    private let read: () throws -> [UInt8]
    private var chunk: [UInt8] = []
    private var position = 0
    /// The byte of the file at which the chunk begins.
    private var start = 0
    private var count = 0
    private var machine = StateMachine()

    /// Creates a reader.
    /// - Parameter read: Returns the next bytes of the file; none at its end.
    package init(read: @escaping () throws -> [UInt8]) {
        self.read = read
    }

    /// Whether a page was read that names no further one. An export is one.
    package var hasLastPage: Bool { machine.hasLastPage }

    /// The number of bytes that were read.
    package var offset: Int { start + position }

    /// Returns the next user; `nil` at the end of the file.
    /// - Throws: ``TransferError`` if the file is of another form, or ends too early; or what reading throws.
    package mutating func next() throws -> Element? {
        if offset == 0 { try skipByteOrderMark() }
        while true {
            switch machine.next(try peekVisible()) {
            case .advance: position += 1
            case .readMember:
                let (name, first) = (try memberName(), try peekVisible())
                switch machine.memberRead(name, value: first) {
                case .fail(let reason): throw failed(reason)
                case .advance: position += 1
                default: try skipValue()
                }
            case .skipValue: try skipValue()
            case .readUser:
                let (index, offset) = (count, offset)
                count += 1
                return Element(index: index, offset: offset, bytes: try value())
            case .end: return nil
            case .fail(let reason): throw failed(reason)
            }
        }
    }

    private mutating func memberName() throws -> [UInt8] {
        let name = try value(atMost: Self.longestName) ?? []
        guard try peekVisible() == UInt8(ascii: ":") else { throw failed("The file is not JSON") }
        position += 1
        guard try peekVisible() != nil else { throw failed("The file ends too early") }
        return Array(name.dropFirst().dropLast())
    }

    // MARK: Values

    private mutating func skipValue() throws { _ = try value(atMost: 0) }

    /// Cuts out a value by its brackets and strings alone.
    /// - Returns: Its bytes; `nil` if there are more than `limit`.
    private mutating func value(atMost limit: Int = UserReader.longestUser) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        var scan = ValueScan()
        var isTooLong = false
        while !scan.isEnded {
            guard try fill() else {
                // A number or a name ends with the file, which is not complete then.
                throw failed("The file ends too early")
            }
            let from = position
            position = scan.advance(over: chunk, from: position)
            isTooLong = isTooLong || bytes.count + position - from > limit
            if !isTooLong { bytes += chunk[from..<position] }
        }
        return isTooLong ? nil : bytes
    }

    // MARK: Bytes

    /// The next byte that is no whitespace, which stays; `nil` at the end.
    private mutating func peekVisible() throws -> UInt8? {
        while try fill() {
            switch chunk[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return chunk[position]
            }
        }
        return nil
    }

    private mutating func skipByteOrderMark() throws {
        for byte in [0xEF, 0xBB, 0xBF] as [UInt8] {
            guard try fill(), chunk[position] == byte else { return }
            position += 1
        }
    }

    /// - Returns: Whether there is a byte at the position.
    private mutating func fill() throws -> Bool {
        while position == chunk.count {
            start += chunk.count
            position = 0
            chunk = try read()
            if chunk.isEmpty { return false }
        }
        return true
    }

    private func failed(_ reason: String) -> TransferError { TransferError(reason, at: offset) }
}
