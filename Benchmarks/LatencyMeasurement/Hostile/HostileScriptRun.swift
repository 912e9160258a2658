// SPDX-License-Identifier: Apache-2.0

import BrowserTesting

/// The state of a script on a connection, which returns the next action and counts the results.
package struct HostileScriptRun: Sendable {
    /// The next action on the connection.
    package enum Action: Sendable, Hashable {
        /// Write the bytes, then ask again.
        case write([UInt8])
        /// Ask again after a time, and read in the meantime or not.
        case pause(milliseconds: Int, reads: Bool)
        /// Ask again when bytes were received.
        case read
        /// Close the connection.
        case close
    }

    /// The counts of inputs and results.
    package private(set) var counts = HostileCounts()

    private let target: HostileTarget
    private let isHTTP2: Bool
    private let isHandshake: Bool
    private let isOneBrowser: Bool
    private let mostAccepted: Int
    /// A number of this run alone, by which it signs in.
    private let number: UInt64
    private var steps: ArraySlice<HostileScript.Step>
    private var dripped = 0
    private var isPaused = false
    private var isOver = false
    private var messages = HTTP1MessageReader(.responses, keeping: TargetResponse.fields)
    private var frames = FrameTypes.http2
    private var records = FrameTypes.tlsRecords
    private var hasFlight = false
    private var jar = CookieJar()
    /// The parameters of the authorization request to which the previous response leads.
    private var login: URLParameters?
    private var visit = SDKVisit()
    private var accepted = 0

    /// Creates a run at the beginning of its script. Its number decides who signs in.
    package init(_ script: HostileScript, target: HostileTarget, number: UInt64 = .random(in: 0 ... .max)) {
        self.target = target
        self.number = number
        isOneBrowser = script.isOneBrowser
        mostAccepted = script.mostAccepted ?? .max
        isHTTP2 = script.isHTTP2
        isHandshake = script.isHandshake
        steps = script.steps[...]
    }

    /// Returns the next action.
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
                // The input counts as sent even if the target ends it before the last byte.
                if dripped == 0 { counts.sent += 1 }
                let end = min(bytes.count, dripped + max(unit, 1))
                defer { dripped = end }
                isPaused = true
                return .write(Array(bytes[dripped..<end]))
            case .response:
                guard let response = nextResponse() else { return isOver ? .close : .read }
                keep(response)
                steps.removeFirst()
            case .flight:
                guard hasFlight else { return .read }
                hasFlight = false
                steps.removeFirst()
            case .callback(let query):
                guard let request = callback(query) else { return close() }
                return send(request)
            case .signIn(let identities):
                guard let code = code(identities), let request = callback("code=\(code.text)") else { return close() }
                return send(request)
            case .ask(let asked):
                guard let request = visit.request(asked) else { return close() }
                return send(target.request(request))
            case .result(let result):
                guard let response = nextResponse() else { return isOver ? .close : .read }
                count(keep(response), as: result)
                steps.removeFirst()
            case .pause(let milliseconds, let reads):
                steps.removeFirst()
                return .pause(milliseconds: milliseconds, reads: reads)
            }
        }
        return close()
    }

    /// Handles received bytes.
    package mutating func received(_ bytes: UnsafeRawBufferPointer) {
        if isHandshake {
            for type in records.types(in: bytes) { received(record: type) }
        } else if isHTTP2 {
            for type in frames.types(in: bytes) { counts.add(frame: type) }
        } else {
            messages.append(bytes)
        }
    }

    /// Handles the close or loss of the connection.
    package mutating func closed() {
        guard !isOver else { return }
        // Responses that the server sent before it closed the connection.
        while !isHTTP2, let response = nextResponse() { counts.add(.status(response.status)) }
        isOver = true
        counts.add(.closed)
    }

    /// Handles the timeout of the connection.
    package mutating func gaveUp() {
        guard !isOver else { return }
        isOver = true
        counts.add(.noResponse)
    }

    /// Handles the end of all scripts. What follows is not counted.
    package mutating func stopped() { isOver = true }

    private mutating func received(record type: UInt8) {
        if type == FrameTypes.alert, !isOver {
            isOver = true
            counts.add(.alert)
        } else if type == FrameTypes.encrypted, !isOver, !hasFlight {
            hasFlight = true
            counts.add(.flight)
        }
    }

    private mutating func send(_ request: [UInt8]) -> Action {
        steps.removeFirst()
        counts.sent += 1
        return .write(request)
    }

    /// The callback of the login that the previous response began; `nil` if it began none.
    private func callback(_ query: String) -> [UInt8]? {
        guard let state = login?["state"], let cookie = jar.field else { return nil }
        let path = "\(HostileTarget.prefix)handler?state=\(URLText.percentEncoded(state))&\(query)"
        return target.get(Array(path.utf8), fields: [("cookie", Array(cookie.utf8))])
    }

    /// The code of a user who signs in.
    private func code(_ identities: Int?) -> VisitorCode? {
        guard let challenge = login?["code_challenge"] else { return nil }
        let subject = identities.map { "known-\(number % UInt64(max($0, 1)))" } ?? "new-\(number)-\(counts.sent)"
        return VisitorCode(subject: subject, nonce: login?["nonce"] ?? "", challenge: challenge)
    }

    private mutating func count(_ response: TargetResponse, as result: HostileScript.Result) {
        func says(_ text: String) -> Bool {
            response.location?.utf8.firstRange(ofBytes: text.utf8) != nil
                || SDKVisit.end(of: response.body).firstRange(ofBytes: text.utf8) != nil
        }
        if says(result.accepted) {
            accepted += 1
            counts.add(accepted > mostAccepted ? .acceptedTooOften : .accepted)
        } else if accepted > 0, let text = result.shutOut, says(text) {
            counts.add(.shutOut)
        }
    }

    private mutating func close() -> Action {
        isOver = true
        return .close
    }

    /// Pauses between two parts. Over HTTP/2 the server's frames stay unread.
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

    @discardableResult
    private mutating func keep(_ message: HTTP1Message) -> TargetResponse {
        counts.add(.status(message.status))
        let response = TargetResponse(message)
        if !isOneBrowser, !response.setCookies.isEmpty { jar.removeAll() }
        for cookie in response.setCookies { _ = jar.store(cookie) }
        let next = response.status == 200 ? visit.keep(response.body) : nil
        login = (response.location ?? next).map { URLParameters(of: $0) }
        if message.isLast { isOver = true }
        return response
    }
}
