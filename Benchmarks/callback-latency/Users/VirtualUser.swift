// SPDX-License-Identifier: Apache-2.0

import BrowserTesting
import LatencyMeasurement
import NIOCore
import NIOPosix

/// A browser with its cookies and its connection, bound to an event loop, which performs one sign-in after the other.
final class VirtualUser {
    private enum Step: String {
        case idle
        case start
        case callback
        case redeem
    }

    /// The state of the sign-in under way.
    private struct Attempt {
        var intendedStart: Int64
        var options: SignInOptions
        var values: SignInValues
        var startLatency: Int64?
        var callbackLatency: Int64?
        var redeemLatency: Int64?
        /// The time of the request under way.
        var requestBegan: Int64
        /// The end of the last part that counts.
        var end: Int64
        var hasRetried = false
        var request: UserRequest?
        /// The connection that the browser was asked for.
        var wish: BrowserWish?
        /// What its handshakes negotiated.
        var handshakes: [String] = []
    }

    /// The number of opened connections.
    private(set) var connectionCount: UInt64 = 0

    private let plan: LoadPlan
    private let eventLoop: any EventLoop
    private let onEnd: (SignInOutcome) -> Void
    private var jar = CookieJar()
    /// Its own connection; where it has a browser, that of its app.
    private var connection: (any UserConnection)?
    private var browser: (any UserConnection)?
    /// Whether the browser has a session to resume.
    private var hasSession = false
    private var step = Step.idle
    private var attempt: Attempt?

    /// - Parameter onEnd: A closure that is called when a sign-in has ended. The next one may begin in it.
    init(plan: LoadPlan, eventLoop: any EventLoop, onEnd: @escaping (SignInOutcome) -> Void) {
        self.plan = plan
        self.eventLoop = eventLoop
        self.onEnd = onEnd
    }

    /// Whether no sign-in is under way.
    var isIdle: Bool { step == .idle }

    /// Begins a sign-in.
    func begin(intendedStart: Int64, values: SignInValues, options: SignInOptions) {
        if !plan.target.keepsCookies { jar.removeAll() }
        attempt = Attempt(
            intendedStart: intendedStart, options: options, values: values, requestBegan: intendedStart,
            end: intendedStart)
        let start = plan.target.start
        let wish = plan.browser.map {
            BrowserWish.start(
                $0.connections, options.extent, hasSession: hasSession, isHeld: options.holdsConnection)
        }
        send(
            .start, method: start.method, target: start.target(values), fields: start.fields(values),
            body: start.body(values), began: MonotonicClock.now(), wish: wish)
    }

    /// Redeems the credential of an earlier sign-in of any user.
    func redeem(_ values: SignInValues, intendedStart: Int64, options: SignInOptions) {
        attempt = Attempt(
            intendedStart: intendedStart, options: options, values: values, requestBegan: intendedStart,
            end: intendedStart)
        guard let redeem = plan.target.redeem else {
            return end(.failed("redeem: the target file says nothing of it", at: intendedStart))
        }
        send(redeem)
    }

    /// Fails the sign-in if a response did not arrive in time.
    func expire(at now: Int64) {
        guard step != .idle, let attempt, now - attempt.requestBegan > LoadPlan.patience else { return }
        dropConnection()
        end(.failed("\(step.rawValue): no response in \(LoadPlan.patience / 1_000_000_000) s", at: now))
    }

    /// Closes the connection without reporting an outcome.
    func leave() {
        step = .idle
        attempt = nil
        connection?.close()
        browser?.close()
        connection = nil
        browser = nil
    }

    // MARK: The three parts

    private func startEnded(_ response: TargetResponse, at time: Int64) {
        guard var attempt else { return }
        attempt.startLatency = time - attempt.intendedStart
        attempt.end = time
        if let fault = plan.target.startExpectation.fault(in: response, values: &attempt.values, jar: &jar) {
            return end(.failed("start: \(fault)", at: time))
        }
        guard let location = response.location,
            location.hasPrefix(plan.target.authorizePrefix.text(attempt.values))
        else { return end(.failed("start: not the provider's authorization endpoint", at: time)) }
        guard attempt.options.extent == .signIn else {
            self.attempt = attempt
            return succeed()
        }
        let visit: PreparedSignIns.Visit
        do {
            visit = try plan.signIns.visit(
                location, provider: attempt.values.provider, spoiling: attempt.options.spoiling)
        } catch {
            return end(.failed("start: \(error)", at: time))
        }
        attempt.values.subject = visit.subject
        let tampering = attempt.options.tampering
        if tampering == .cookies { jar.removeAll() }
        self.attempt = attempt
        send(
            .callback, method: "GET",
            target: tampering == .state ? Self.withOtherState(visit.target) : visit.target,
            fields: plan.target.callbackHeaders.fields(attempt.values), body: nil, began: MonotonicClock.now(),
            wish: plan.browser.map { BrowserWish.callback($0.connections) })
    }

    private func callbackEnded(_ response: TargetResponse, at time: Int64) {
        guard var attempt else { return }
        attempt.callbackLatency = time - attempt.requestBegan
        attempt.end = time
        if let fault = plan.target.callbackExpectation.fault(in: response, values: &attempt.values, jar: &jar) {
            return end(.refused("callback: \(fault)", at: time))
        }
        self.attempt = attempt
        // It is known now whether a spoiled token or manipulated callback was accepted; its credential is not redeemed.
        let isHonest = attempt.options.spoiling == nil && attempt.options.tampering == nil
        guard isHonest, attempt.options.redeems, let redeem = plan.target.redeem else { return succeed() }
        send(redeem)
    }

    private func send(_ redeem: RequestTemplate) {
        guard let values = attempt?.values else { return }
        send(
            .redeem, method: redeem.method, target: redeem.target(values), fields: redeem.fields(values),
            body: redeem.body(values), began: MonotonicClock.now())
    }

    private func redeemEnded(_ response: TargetResponse, at time: Int64) {
        guard var attempt else { return }
        attempt.redeemLatency = time - attempt.requestBegan
        if attempt.options.extent == .redemption { attempt.end = time }
        if let fault = plan.target.redeemExpectation?.fault(in: response, values: &attempt.values, jar: &jar) {
            return end(.failed("redeem: \(fault)", at: time))
        }
        self.attempt = attempt
        succeed()
    }

    private func succeed() {
        guard let attempt else { return }
        end(
            .verified(
                LoadRecorder.Sample(
                    intendedStart: attempt.intendedStart, end: attempt.end, start: attempt.startLatency,
                    callback: attempt.callbackLatency, redeem: attempt.redeemLatency,
                    handshakes: attempt.handshakes), attempt.values))
    }

    private func end(_ outcome: SignInOutcome) {
        guard step != .idle else { return }
        step = .idle
        attempt = nil
        onEnd(outcome)
    }

    // MARK: Requests

    private func send(
        _ step: Step, method: String, target: String, fields: [HTTP1Message.Field], body: String?, began: Int64,
        wish: BrowserWish? = nil
    ) {
        self.step = step
        var fields = (wish == nil ? LoadPlan.browserFields : BrowserPlan.fields) + fields
        if let wish { fields.append(HTTP1Message.Field(name: BrowserWish.field, value: wish.text)) }
        let request = UserRequest(method: method, target: target, fields: fields, cookie: jar.field, body: body)
        attempt?.request = request
        attempt?.requestBegan = began
        attempt?.hasRetried = false
        attempt?.wish = wish
        send(request)
    }

    private func send(_ request: UserRequest) {
        if let connection = current, connection.isUsable {
            connection.send(request)
        } else {
            connect(thenSend: request)
        }
    }

    private func connect(thenSend request: UserRequest) {
        dropConnection()
        let isBrowser = isBrowsing
        if !isBrowser { connectionCount += 1 }
        plan.connect(on: eventLoop, delegate: self, isBrowser: isBrowser) { connection in
            if isBrowser {
                self.browser = connection
            } else {
                self.connection = connection
            }
        } ended: { failure in
            if let failure { return self.connectionFailed(failure, isStale: false) }
            // The request may have failed in between.
            guard self.step != .idle else { return }
            self.current?.send(request)
        }
    }

    /// Whether the request under way is the browser's.
    private var isBrowsing: Bool { attempt?.wish != nil }

    private var current: (any UserConnection)? { isBrowsing ? browser : connection }

    private func dropConnection() {
        current?.close()
        if isBrowsing {
            browser = nil
        } else {
            connection = nil
        }
    }

    /// Reads what the browser says of a request.
    ///
    /// - Returns: When the response was complete by the browser's clock; `nil` if the sign-in has ended, because there is
    ///   none, or because the handshake was another one than the load's.
    private func browsed(_ response: TargetResponse, _ wish: BrowserWish, at time: Int64) -> Int64? {
        guard let attempt else { return nil }
        let fault =
            if let reply = response.browser {
                reply.failure ?? wish.difference(from: reply.handshake)
            } else {
                "no browser answered"
            }
        guard fault == nil, let reply = response.browser else {
            hasSession = false
            end(.failed("\(step.rawValue): \(fault ?? "no browser answered")", at: time))
            return nil
        }
        if let handshake = reply.handshake {
            hasSession = true
            self.attempt?.handshakes.append(handshake)
        }
        return attempt.requestBegan + reply.nanoseconds
    }

    /// Returns the target of the callback with a changed character in the middle of `state`.
    private static func withOtherState(_ target: String) -> String {
        guard let state = URLParameters(of: target)["state"], !state.isEmpty else { return target }
        let middle = state.index(state.startIndex, offsetBy: state.count / 2)
        var other = String(state[..<middle])
        other += state[middle] == "A" ? "B" : "A"
        other += state[state.index(after: middle)...]
        let old = "state=" + URLText.percentEncoded(state)
        let parts = target.split(separator: "&", omittingEmptySubsequences: false).map { part in
            part == old ? "state=" + URLText.percentEncoded(other) : String(part)
        }
        return parts.joined(separator: "&")
    }
}

extension VirtualUser: UserConnectionDelegate {
    func received(_ response: TargetResponse, at time: Int64) {
        var time = time
        if let wish = attempt?.wish {
            guard let complete = browsed(response, wish, at: time) else { return }
            time = complete
        }
        switch step {
        case .idle: break
        case .start: startEnded(response, at: time)
        case .callback: callbackEnded(response, at: time)
        case .redeem: redeemEnded(response, at: time)
        }
    }

    func connectionFailed(_ reason: String, isStale: Bool) {
        dropConnection()
        guard step != .idle, let attempt else { return }
        if isStale, !attempt.hasRetried, let request = attempt.request {
            self.attempt?.hasRetried = true
            connect(thenSend: request)
            return
        }
        end(.failed("\(step.rawValue): \(reason)", at: MonotonicClock.now()))
    }
}

@available(*, unavailable)
extension VirtualUser: Sendable {}
