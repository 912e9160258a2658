// SPDX-License-Identifier: Apache-2.0

/// A script on its way over a connection: says what is to be done next, and counts what came back.
package struct HostileScriptRun: Sendable {
    /// What the connection does.
    package enum Action: Sendable, Hashable {
        /// Writes, then asks again.
        case write([UInt8])
        /// Asks again after so long; reads meanwhile, or does not.
        case pause(milliseconds: Int, reads: Bool)
        /// Asks again when bytes have come.
        case read
        /// Closes.
        case close
    }

    /// What was sent and what came of it.
    package private(set) var counts = HostileCounts()

    private let target: HostileTarget
    private let isHTTP2: Bool
    private var steps: ArraySlice<HostileScript.Step>
    private var dripped = 0
    private var isPaused = false
    private var isOver = false
    private var messages = HTTP1MessageReader(.responses, keeping: TargetResponse.fields)
    private var frames = HTTP2FrameHeads()
    private var jar = CookieJar()
    private var state: String?

    /// A script at its beginning.
    package init(_ script: HostileScript, target: HostileTarget) {
        self.target = target
        isHTTP2 = script.isHTTP2
        steps = script.steps[...]
    }

    /// What is to be done now.
    package mutating func next() -> Action {
        while !isOver, let step = steps.first {
            switch step {
            case .send(let bytes):
                steps.removeFirst()
                counts.sent += 1
                return .write(bytes)
            case .drip(let bytes, let unit, let milliseconds):
                if isPaused { return pause(milliseconds) }
                guard dripped < bytes.count else {
                    dripped = 0
                    steps.removeFirst()
                    continue
                }
                // A target that ends it before the last byte has still been sent it.
                if dripped == 0 { counts.sent += 1 }
                let end = min(bytes.count, dripped + max(unit, 1))
                defer { dripped = end }
                isPaused = true
                return .write(Array(bytes[dripped..<end]))
            case .response:
                guard let response = nextResponse() else { return isOver ? .close : .read }
                keep(response)
                steps.removeFirst()
            case .callback(let query):
                guard let state, let cookie = jar.field else { return close() }
                steps.removeFirst()
                counts.sent += 1
                let path = "\(HostileTarget.prefix)handler?state=\(URLText.percentEncoded(state))&\(query)"
                return .write(target.get(Array(path.utf8), fields: [("cookie", Array(cookie.utf8))]))
            case .pause(let milliseconds, let reads):
                steps.removeFirst()
                return .pause(milliseconds: milliseconds, reads: reads)
            }
        }
        return close()
    }

    /// Bytes have come.
    package mutating func received(_ bytes: UnsafeRawBufferPointer) {
        guard isHTTP2 else { return messages.append(bytes) }
        for type in frames.types(in: bytes) { counts.add(frame: type) }
    }

    /// The other side has closed the connection, or it was lost.
    package mutating func closed() {
        guard !isOver else { return }
        // What the server said before it closed.
        while !isHTTP2, let response = nextResponse() { counts.add(.status(response.status)) }
        isOver = true
        counts.add(.closed)
    }

    /// It took too long.
    package mutating func gaveUp() {
        guard !isOver else { return }
        isOver = true
        counts.add(.noResponse)
    }

    /// The time of all scripts is up: what is still to come is nobody's.
    package mutating func stopped() { isOver = true }

    private mutating func close() -> Action {
        isOver = true
        return .close
    }

    /// Between two pieces: over HTTP/2 what the server says to each of them stays unread.
    private mutating func pause(_ milliseconds: Int) -> Action {
        isPaused = false
        return .pause(milliseconds: milliseconds, reads: !isHTTP2)
    }

    private mutating func nextResponse() -> HTTP1Message? {
        do {
            return try messages.next()
        } catch {
            isOver = true
            counts.add(.unreadable)
            return nil
        }
    }

    private mutating func keep(_ message: HTTP1Message) {
        counts.add(.status(message.status))
        let response = TargetResponse(message)
        // Each login is another browser's.
        if !response.setCookies.isEmpty { jar.removeAll() }
        for cookie in response.setCookies { _ = jar.store(cookie) }
        state = response.location.flatMap { URLParameters(of: $0)["state"] }
        if message.isLast { isOver = true }
    }
}
