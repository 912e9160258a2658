// SPDX-License-Identifier: Apache-2.0

/// What becomes of one of the standalone server's HTTP/1 connections: which requests are still to be responded to, and
/// when the connection ends. No channel, no parts, no clock: each function takes one event and returns what the handlers
/// have to do about it.
///
/// - A parse error has its place among the requests: those before it are responded to first, then comes a 400.
/// - A connection that drains responds to what it has begun to read, announces the close with the last response (RFC 9112
///   section 9.6), and closes when that is flushed.
/// - The deadline of a request head counts while a head is awaited, and not while a response is outstanding: nothing is
///   read meanwhile.
struct HTTP1ConnectionStateMachine {
    /// Requests whose head was read and whose response is not written to its end. The only count of them.
    private(set) var outstanding = 0
    /// The decoder is between a head and its end.
    private(set) var isInRequest = false
    /// A final head is written and its end is not.
    private var isInResponse = false
    private var isQuiescing = false
    private var isErrorHeld = false
    private var isClosing = false
    /// Responses whose last bytes may not be flushed yet; counted only where it matters.
    private var unflushed = 0
    /// How many heads were read, which wraps: only whether it changes matters.
    private var headsRead: UInt8 = 0

    /// Complete requests whose responses are not complete; -1 if a response came before the end of its request.
    private var owed: Int { outstanding - (isInRequest ? 1 : 0) }
}

// MARK: - Inbound

extension HTTP1ConnectionStateMachine {
    enum PartAction: Hashable {
        case forward
        /// What comes behind the last request that is responded to, or behind an error.
        case drop
    }

    private var dropsParts: Bool { isErrorHeld || isQuiescing && !isInRequest }

    /// A request head was read.
    mutating func headRead() -> PartAction {
        guard !dropsParts else { return .drop }
        isInRequest = true
        outstanding += 1
        headsRead &+= 1
        return .forward
    }

    /// A part of a body was read.
    func bodyRead() -> PartAction { dropsParts ? .drop : .forward }

    /// The end of a request was read.
    mutating func endRead() -> PartAction {
        guard !dropsParts else { return .drop }
        isInRequest = false
        return .forward
    }

    enum ErrorAction: Hashable {
        /// Keep the error until ``responseFlushed()`` says what to do.
        case hold
        /// Write a 400 and pass the error on, which closes the connection.
        case refuse
        /// Pass the error on: there is no place for a response.
        case forward
    }

    /// The decoder found what is not HTTP.
    mutating func parserErrorCaught() -> ErrorAction {
        guard owed > 0 else { return refusal }
        isErrorHeld = true
        return .hold
    }

    /// Behind a response that came before its request's end there is nothing left to respond to.
    private var refusal: ErrorAction { isInResponse || owed < 0 ? .forward : .refuse }

    /// The server drains.
    /// - Returns: Whether to close the connection.
    mutating func quiesce() -> Bool {
        isQuiescing = true
        return isDrained
    }

    /// Whether the server drains and nothing is under way.
    var isDrained: Bool { isQuiescing && !isInRequest && outstanding <= 0 && !isInResponse && unflushed == 0 }
}

// MARK: - Outbound

extension HTTP1ConnectionStateMachine {
    /// A final head is written.
    /// - Parameter isWhole: Whether all of the response is written with it.
    /// - Returns: Whether it has to announce the close.
    mutating func headWritten(isWhole: Bool) -> Bool {
        isInResponse = !isWhole
        return isQuiescing && outstanding <= 1
    }

    enum EndAction: Hashable {
        case write
        /// Call ``responseFlushed()`` when it is flushed.
        case writeAndReport
    }

    /// The last bytes of a response are written.
    mutating func endWritten() -> EndAction {
        isInResponse = false
        outstanding -= 1
        guard isErrorHeld || isQuiescing else { return .write }
        unflushed += 1
        return .writeAndReport
    }

    /// The last bytes of a response are flushed.
    /// - Returns: What becomes of the error that was held, if it is its turn; ask ``isDrained`` then.
    mutating func responseFlushed() -> ErrorAction? {
        unflushed -= 1
        guard isErrorHeld, owed <= 0 else { return nil }
        isErrorHeld = false
        return refusal
    }

    /// The connection is being closed.
    mutating func close() { isClosing = true }
}

// MARK: - The deadline of a request head

extension HTTP1ConnectionStateMachine {
    /// What is known before bytes go to the decoder, to be compared with afterwards.
    struct BeforeDecoding: Hashable {
        fileprivate let isInRequest: Bool
        fileprivate let headsRead: UInt8
    }

    /// Bytes came.
    /// - Returns: `nil` if they are to be dropped: TLS may take seconds to close, and a decoder that has stopped keeps
    ///   whatever it is given meanwhile.
    func willDecode() -> BeforeDecoding? {
        isClosing ? nil : BeforeDecoding(isInRequest: isInRequest, headsRead: headsRead)
    }

    /// The decoder has decoded what it was given.
    /// - Returns: Whether a part of a head waits in it, for which the deadline counts.
    func awaitsHead(since before: BeforeDecoding) -> Bool {
        !isClosing && !before.isInRequest && headsRead == before.headsRead
    }

    /// The deadline passed.
    /// - Returns: Whether to close the connection. While a response is outstanding nothing is read: the rest of the head
    ///   may be on its way, and the deadline starts anew.
    func closesAtHeadDeadline() -> Bool { outstanding <= 0 }
}
