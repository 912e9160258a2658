// SPDX-License-Identifier: Apache-2.0

/// The state of a connection's requests: which of them the broker handles, when it may respond, and what waits in the
/// meantime. It has no channel, no parts and no clock: each function takes one event and returns an action for the
/// handler.
///
/// The following rules apply to a connection whose other requests belong to the handlers after this one ("downstream"):
///
/// - The broker's response starts only when downstream has no outstanding response (HTTP/1.1 requests may be pipelined,
///   RFC 9112 section 9.3.2), and is written without interruption.
/// - From the end of the broker's request until its response, later inbound parts and events are held, reads are
///   suppressed and remembered, and close requests of downstream are postponed.
/// - After a response that announces the close of the connection, no further request is processed (RFC 9112 section
///   9.6).
/// - After a 101, an accepted CONNECT or a completed upgrade, everything is forwarded.
struct ClaimStateMachine {
    /// An error response that the handler itself sends.
    enum Refusal: Hashable {
        /// 400: not exactly one usable authority, a fragment in the target, an invalid length, or an incomplete
        /// request.
        case badRequest
        /// 408: the body was not complete in time.
        case requestTimeout
        /// 413: the body, or its announced length, exceeds the limit.
        case contentTooLarge
        /// 503: there is not enough memory for more of a body.
        case noRoom
    }

    /// The kind of response to a request of the broker.
    enum Decision: Hashable {
        case respond
        case refuse(Refusal)
    }

    /// The properties of the head of a broker's request that the state machine needs.
    struct ClaimedHead: Hashable {
        var isHTTP2 = false
        var keepsConnection = true
        var expectsContinue = false
        var refusal: Refusal?
    }

    /// A request of the broker, from its head until its response is flushed.
    struct Claim: Hashable {
        /// An identifier that distinguishes current timers, futures and flushes from outdated ones.
        let id: Int
        let isHTTP2: Bool
        let keepsConnection: Bool
        /// Whether a 100 (Continue) still has to be sent.
        var owesContinue: Bool
        /// Whether the end of the request was received.
        var isComplete = false
        /// Whether the handler itself refuses the request, or what followed it. On HTTP/1 the connection is then
        /// closed.
        var isRefused = false
        /// Whether the client closed its side of the connection.
        var isInputClosed = false
        var bodyBytes = 0
    }

    /// Downstream's states have no cases, since everything is forwarded while no request of the broker is under way.
    enum State: Hashable {
        /// No request of the broker is under way.
        case idle
        /// A request of the broker is being received.
        case collecting(Claim)
        /// The request will be refused at the end of the read, which may contain the end of the request. That
        /// determines whether the connection or stream continues.
        case refusing(Claim, Refusal)
        /// The response is determined, but downstream has outstanding responses.
        case waiting(Claim, Decision)
        /// It is the broker's turn, and the response is being made.
        case running(Claim)
        /// The response is written. The connection or stream ends when it is flushed.
        case flushing(Claim)
        /// The response was sent before the request was complete. Closing at once would make the kernel reset the
        /// connection, and the client could lose the response, so the remainder is read and dropped for a limited time.
        case draining(Claim)
        /// The broker's request will get no response, because downstream announced the close.
        case discarding
        /// The channel is closed or closing. Everything received is dropped.
        case finished
        /// The connection no longer uses HTTP. Everything is forwarded.
        case passive
    }

    private(set) var state = State.idle
    /// The number of final responses that downstream has not completed.
    private(set) var outstanding = 0

    private var isDownstreamResponding = false
    private var isCloseAnnounced = false
    private var isQuiescing = false
    private var isClosePostponed = false
    private var isReadPending = false
    /// The position of a CONNECT among the outstanding responses, counted from 1.
    private var connectPlace: Int?
    private var lastID = 0

    private var heldParts = 0
    /// The memory that the held parts take, in bytes.
    private(set) var heldBytes = 0
    private let maximumHeldParts: Int
    private let maximumHeldBytes: Int

    /// - Parameters:
    ///   - maximumHeldParts: The maximum number of held parts. Reads stop while parts are held, so this bounds what a
    ///     single read contained: 64 KB hold about ten thousand chunks of one byte.
    ///   - maximumHeldBytes: The maximum of the memory that the held parts take, in bytes. 64 KB hold about two thousand
    ///     heads.
    init(maximumHeldParts: Int = 65_536, maximumHeldBytes: Int = 16 << 20) {
        self.maximumHeldParts = maximumHeldParts
        self.maximumHeldBytes = maximumHeldBytes
    }

    private var isDownstreamFree: Bool {
        self.outstanding == 0 && !self.isDownstreamResponding
    }

    /// Whether inbound parts must be held. Behind the last response they are dropped.
    var holdsInbound: Bool {
        switch self.state {
        case .waiting(let claim, .respond): return claim.isComplete && !claim.isRefused
        case .running(let claim): return !claim.isRefused
        default: return false
        }
    }

    /// Whether a request of the broker is under way.
    var isBusy: Bool {
        switch self.state {
        case .collecting, .refusing, .waiting, .running, .flushing, .draining: return true
        case .idle, .discarding, .finished, .passive: return false
        }
    }

    var isPassive: Bool { self.state == .passive }
}

// MARK: - Inbound parts

extension ClaimStateMachine {
    enum HeadAction: Hashable {
        case forward
        /// Collect the body. Its deadline starts now, or, if the client waits for a 100 that cannot be sent yet, when
        /// that is sent.
        case collect(id: Int, startDeadline: Bool, sendContinue: Bool)
        /// Refuse the request because of its head. See ``readCompleted()``.
        case refuse
        case drop
    }

    /// Handles a head; `nil` for a request that is not the broker's.
    mutating func headReceived(_ head: ClaimedHead?, isConnect: Bool = false) -> HeadAction {
        switch self.state {
        case .passive:
            return .forward
        case .idle:
            guard let head else {
                self.outstanding += 1
                if isConnect { self.connectPlace = self.outstanding }
                return .forward
            }
            return self.claim(head)
        case .collecting, .refusing, .waiting, .running, .flushing, .draining, .discarding, .finished:
            // Either the decoder is broken (a head within a request), or the connection is about to close.
            return .drop
        }
    }

    private mutating func claim(_ head: ClaimedHead) -> HeadAction {
        guard !self.isCloseAnnounced else {
            self.state = .discarding
            return .drop
        }
        self.lastID += 1
        var claim = Claim(
            id: self.lastID, isHTTP2: head.isHTTP2, keepsConnection: head.keepsConnection,
            owesContinue: head.expectsContinue)
        if let refusal = head.refusal {
            self.state = .refusing(claim, refusal)
            return .refuse
        }
        let sendContinue = claim.owesContinue && self.isDownstreamFree
        if sendContinue { claim.owesContinue = false }
        self.state = .collecting(claim)
        return .collect(id: claim.id, startDeadline: !claim.owesContinue, sendContinue: sendContinue)
    }

    /// Starts the response, or lets it wait for downstream. Returns `true` if it starts.
    private mutating func decide(_ response: Decision, _ claim: Claim) -> Bool {
        var claim = claim
        claim.isRefused = response != .respond
        if self.isDownstreamFree {
            self.state = .running(claim)
            return true
        }
        self.state = .waiting(claim, response)
        return false
    }

    enum BodyAction: Hashable {
        case forward
        case collect
        /// Refuse the request because its body is too large. See ``readCompleted()``.
        case refuse
        case drop
    }

    /// Handles a part of a body.
    mutating func bodyReceived(_ count: Int, maximumBodyBytes: Int) -> BodyAction {
        switch self.state {
        case .idle, .passive:
            return .forward
        case .collecting(var claim):
            claim.bodyBytes += count
            guard claim.bodyBytes <= maximumBodyBytes else {
                claim.owesContinue = false
                self.state = .refusing(claim, .contentTooLarge)
                return .refuse
            }
            self.state = .collecting(claim)
            return .collect
        case .refusing, .waiting, .running, .flushing, .draining, .discarding, .finished:
            return .drop
        }
    }

    /// Handles the lack of memory for the body of a request that is being received, in which case see
    /// ``readCompleted()``, or that is complete and waits. On HTTP/1 the connection ends with the refusal.
    mutating func bodyRefused() {
        switch self.state {
        case .collecting(var claim):
            claim.owesContinue = false
            self.state = .refusing(claim, .noRoom)
        case .waiting(var claim, .respond):
            claim.isRefused = true
            self.state = .waiting(claim, .refuse(.noRoom))
        case .running(var claim):
            claim.isRefused = true
            self.state = .running(claim)
        case .idle, .refusing, .waiting, .flushing, .draining, .discarding, .finished, .passive:
            break
        }
    }

    enum EndAction: Hashable {
        case forward
        case start(Decision, id: Int)
        /// The request is complete, but downstream has outstanding responses.
        case wait
        /// The remainder of a refused request was received; close.
        case close
        case drop
    }

    /// Handles the end of a request.
    mutating func endReceived() -> EndAction {
        switch self.state {
        case .idle, .passive:
            return .forward
        case .collecting(var claim):
            claim.isComplete = true
            claim.owesContinue = false
            return self.decide(.respond, claim) ? .start(.respond, id: claim.id) : .wait
        case .refusing(var claim, let refusal):
            claim.isComplete = true
            return self.decide(.refuse(refusal), claim) ? .start(.refuse(refusal), id: claim.id) : .wait
        case .waiting(var claim, let response):
            claim.isComplete = true
            self.state = .waiting(claim, response)
            return .drop
        case .flushing(var claim):
            claim.isComplete = true
            self.state = .flushing(claim)
            return .drop
        case .draining:
            self.state = .finished
            return .close
        case .discarding:
            self.state = .idle
            return .drop
        case .running, .finished:
            return .drop
        }
    }

    enum ReadCompletedAction: Hashable {
        case none
        case start(Decision, id: Int)
    }

    /// Handles the end of a read.
    mutating func readCompleted() -> ReadCompletedAction {
        guard case .refusing(let claim, let refusal) = self.state else { return .none }
        return self.decide(.refuse(refusal), claim) ? .start(.refuse(refusal), id: claim.id) : .none
    }

    /// Records a part that is added to the queue.
    ///
    /// - Returns: `false` if the limits are exceeded, which is impossible while reads are stopped; close.
    mutating func partHeld(bytes: Int) -> Bool {
        self.heldParts += 1
        self.heldBytes += bytes
        guard self.heldParts <= self.maximumHeldParts, self.heldBytes <= self.maximumHeldBytes else {
            self.state = .finished
            return false
        }
        return true
    }

    /// Handles the lack of memory for what is held, which is dropped. A response that is due goes out as the last one:
    /// it may have used up already what the request is for. If none is, ``isBusy`` is false; close.
    mutating func heldRefused() {
        switch self.state {
        case .waiting(var claim, .respond):
            claim.isRefused = true
            self.state = .waiting(claim, .respond)
        case .running(var claim):
            claim.isRefused = true
            self.state = .running(claim)
        case .waiting, .flushing, .draining:
            // It is the last response anyway.
            break
        case .idle, .collecting, .refusing, .discarding, .finished, .passive:
            self.state = .finished
        }
    }

    /// Records a part that is removed from the queue.
    mutating func partReleased(bytes: Int) {
        self.heldParts -= 1
        self.heldBytes -= bytes
    }
}

// MARK: - Responses of the broker

extension ClaimStateMachine {
    enum AnsweredAction: Hashable {
        /// Ignore the response: the channel was closed, or the request was given up.
        case ignore
        /// Write the response. The connection or stream remains open.
        case write
        /// Write the response, announce the close if the HTTP version supports it, and report the flush.
        case writeAndEnd
    }

    /// Handles the broker's response to a request.
    /// - Parameter endsConnection: Whether the response asks for the end of the connection. One of HTTP/2 goes on, whose
    ///   other streams are of others.
    mutating func answered(id: Int, endsConnection: Bool = false) -> AnsweredAction {
        guard case .running(let claim) = self.state, claim.id == id else { return .ignore }
        let isLast =
            !claim.isHTTP2
            && (endsConnection || !claim.keepsConnection || claim.isRefused || self.isQuiescing)
        if isLast || !claim.isComplete || self.isClosePostponed {
            self.state = .flushing(claim)
            return .writeAndEnd
        }
        self.state = .idle
        return .write
    }

    enum FlushedAction: Hashable {
        case ignore
        case close
        /// HTTP/2: the response is complete, but the request is not (RFC 9113 section 8.1: RST_STREAM with NO_ERROR).
        case reset
        /// HTTP/1: read and drop the remainder for a limited time, then close.
        case drain(id: Int)
    }

    /// Handles the flush of the broker's last response, or its failure.
    mutating func flushed(id: Int) -> FlushedAction {
        guard case .flushing(let claim) = self.state, claim.id == id else { return .ignore }
        guard !claim.isComplete, !claim.isInputClosed, !self.isClosePostponed || claim.isHTTP2 else {
            self.state = .finished
            return .close
        }
        if claim.isHTTP2 {
            self.state = .finished
            return .reset
        }
        self.state = .draining(claim)
        return .drain(id: claim.id)
    }

    enum TimerAction: Hashable {
        case ignore
        case start(Decision, id: Int)
        /// The deadline passed, but downstream has outstanding responses.
        case wait
        /// The remainder of a refused request was not received in time.
        case close
    }

    /// Handles the deadline of the body or the end of draining.
    mutating func timerFired(id: Int) -> TimerAction {
        switch self.state {
        case .collecting(let claim) where claim.id == id:
            let response = Decision.refuse(.requestTimeout)
            return self.decide(response, claim) ? .start(response, id: claim.id) : .wait
        case .draining(let claim) where claim.id == id:
            self.state = .finished
            return .close
        default:
            return .ignore
        }
    }
}

// MARK: - Downstream

extension ClaimStateMachine {
    enum WriteAction: Hashable {
        case none
        /// Downstream has no outstanding response: start the broker's response.
        case start(Decision, id: Int)
        /// Tell the client of the broker's request to send its body.
        case sendContinue(id: Int)
        /// Abandon the broker's request: the close of the connection was announced.
        case abandon
        /// Forward everything from now on: the connection uses another protocol.
        case becomePassive
    }

    /// Handles a part that downstream writes. The action applies after the part was forwarded.
    mutating func downstreamWrote(_ part: NeutralResponsePart) -> WriteAction {
        switch part {
        case .informationalHead, .body:
            return .none
        case .switchingProtocols:
            self.state = .passive
            return .becomePassive
        case .head(let status, let announcesClose):
            self.isDownstreamResponding = true
            if announcesClose { self.isCloseAnnounced = true }
            if self.connectPlace == 1, (200..<300).contains(status) {
                self.state = .passive
                return .becomePassive
            }
            return .none
        case .end:
            self.isDownstreamResponding = false
            self.outstanding = max(0, self.outstanding - 1)
            self.connectPlace = self.connectPlace.flatMap { $0 > 1 ? $0 - 1 : nil }
            return self.afterDownstreamEnd()
        }
    }

    private mutating func afterDownstreamEnd() -> WriteAction {
        switch self.state {
        case .collecting(let claim) where self.isCloseAnnounced,
            .refusing(let claim, _) where self.isCloseAnnounced,
            .waiting(let claim, _) where self.isCloseAnnounced:
            if claim.isComplete {
                // What followed a refused request was dropped, perhaps up to the middle of another.
                self.state = claim.isRefused ? .finished : .idle
            } else {
                self.state = .discarding
            }
            return .abandon
        case .collecting(var claim) where claim.owesContinue && self.isDownstreamFree:
            claim.owesContinue = false
            self.state = .collecting(claim)
            return .sendContinue(id: claim.id)
        case .waiting(let claim, let response) where self.isDownstreamFree:
            self.state = .running(claim)
            return .start(response, id: claim.id)
        default:
            return .none
        }
    }

    /// Handles a read request of downstream. Returns `true` if it may be forwarded; otherwise it is remembered.
    mutating func readRequested() -> Bool {
        switch self.state {
        case .waiting, .running, .flushing:
            self.isReadPending = true
            return false
        case .idle, .collecting, .refusing, .draining, .discarding, .finished, .passive:
            return true
        }
    }

    /// Returns whether a suppressed read may be forwarded now, and forgets it.
    mutating func takePendingRead() -> Bool {
        guard self.isReadPending, self.readRequested() else { return false }
        self.isReadPending = false
        return true
    }

    enum CloseAction: Hashable {
        case forward
        /// Postpone it until the broker's response is written.
        case postpone
        /// Forward it: downstream closes although it has outstanding responses, so the broker's response can never be
        /// sent in order.
        case abandonAndForward
    }

    /// Handles a close request of downstream. `endsOutput` is false only if just the input is closed.
    mutating func closeRequested(endsOutput: Bool) -> CloseAction {
        switch self.state {
        case .idle, .draining, .discarding, .finished, .passive:
            return .forward
        case .collecting, .refusing, .waiting, .running, .flushing:
            guard endsOutput else { return .postpone }
            guard self.isDownstreamFree else {
                self.state = .finished
                return .abandonAndForward
            }
            self.isClosePostponed = true
            return .postpone
        }
    }
}

// MARK: - Events

extension ClaimStateMachine {
    enum Event: Hashable {
        /// `ChannelEvent.inputClosed`
        case inputClosed
        /// `ChannelShouldQuiesceEvent`
        case quiesce
        /// `HTTPServerUpgradeEvents.upgradeComplete`
        case upgradeComplete
        case other
    }

    enum EventAction: Hashable {
        case forward
        /// Deliver it after the broker's response.
        case hold
        /// The broker's request will remain incomplete. Hold the event and respond.
        case holdAndStart(Decision, id: Int)
        case forwardAndClose
        /// Forward everything held and then the event, and leave the pipeline.
        case forwardAndLeave
    }

    /// Handles an inbound user event.
    mutating func eventReceived(_ event: Event) -> EventAction {
        if event == .upgradeComplete {
            self.state = .passive
            return .forwardAndLeave
        }
        switch self.state {
        case .idle, .discarding, .finished, .passive:
            return .forward
        case .draining:
            guard event == .inputClosed else { return .forward }
            self.state = .finished
            return .forwardAndClose
        case .collecting(var claim):
            if event == .quiesce { self.isQuiescing = true }
            guard event == .inputClosed else { return .hold }
            claim.isInputClosed = true
            let response = Decision.refuse(.badRequest)
            return self.decide(response, claim) ? .holdAndStart(response, id: claim.id) : .hold
        case .refusing(var claim, let refusal):
            if event == .quiesce { self.isQuiescing = true }
            if event == .inputClosed { claim.isInputClosed = true }
            self.state = .refusing(claim, refusal)
            return .hold
        case .waiting(var claim, let response):
            if event == .quiesce { self.isQuiescing = true }
            if event == .inputClosed { claim.isInputClosed = true }
            self.state = .waiting(claim, response)
            return .hold
        case .running(var claim):
            if event == .quiesce { self.isQuiescing = true }
            if event == .inputClosed { claim.isInputClosed = true }
            self.state = .running(claim)
            return .hold
        case .flushing(var claim):
            if event == .inputClosed { claim.isInputClosed = true }
            self.state = .flushing(claim)
            return .hold
        }
    }

    enum ErrorAction: Hashable {
        case forward
        /// Hold it until after the broker's response.
        case hold
        /// Forward it and give up the broker's request, whose remainder cannot be read. `closes` if downstream has no
        /// outstanding response either.
        case forwardAndGiveUp(closes: Bool)
    }

    /// Handles an error. Parser errors have a position among the parts; other errors do not.
    mutating func errorCaught(isParserError: Bool) -> ErrorAction {
        guard isParserError else { return .forward }
        switch self.state {
        case .waiting(let claim, .respond) where claim.isComplete:
            return .hold
        case .running:
            return .hold
        case .collecting, .refusing, .waiting:
            self.state = .finished
            return .forwardAndGiveUp(closes: self.isDownstreamFree)
        case .idle, .flushing, .draining, .discarding, .finished, .passive:
            return .forward
        }
    }

    /// Handles the close of the channel or the removal of the handler.
    mutating func ended() {
        self.state = .finished
        self.isReadPending = false
    }
}
