// SPDX-License-Identifier: Apache-2.0

/// Which requests are ours, whose turn it is to respond, and what waits meanwhile. No channel, no parts, no clock: each
/// function takes one event and returns what the handler has to do about it.
///
/// The rules, for a connection whose other requests belong to the handlers behind ours ("downstream"):
///
/// - A response of ours starts only when downstream owes none (requests on HTTP/1.1 may be pipelined, RFC 9112
///   section 9.3.2), and is written in one go, so that nobody's parts come between.
/// - From the end of our request to its response, later inbound parts and events are held, reads are swallowed and
///   remembered, and downstream's wish to close is postponed.
/// - Behind a response that announces the close of the connection no further request is processed (RFC 9112
///   section 9.6).
/// - After a 101, an accepted CONNECT or a completed upgrade nothing is looked at any more.
struct ClaimStateMachine {
    /// A response that the handler gives itself.
    enum Refusal: Hashable {
        /// 400: no single usable authority, a fragment in the target, an unusable length, half a request.
        case badRequest
        /// 408: the body was not complete in time.
        case requestTimeout
        /// 413: the body is, or says it is, larger than allowed.
        case contentTooLarge
        /// 503: there is no room for more of a body.
        case noRoom
    }

    /// How a request of ours is answered.
    enum Answer: Hashable {
        case respond
        case refuse(Refusal)
    }

    /// What the machine has to know of the head of a request of ours.
    struct ClaimedHead: Hashable {
        var isHTTP2 = false
        var keepsConnection = true
        var expectsContinue = false
        var refusal: Refusal?
    }

    /// A request of ours, from its head to the flush of its response.
    struct Claim: Hashable {
        /// Tells late timers, futures and flushes from current ones.
        let id: Int
        let isHTTP2: Bool
        let keepsConnection: Bool
        /// A 100 is still to be written.
        var owesContinue: Bool
        /// The end of the request was seen.
        var isComplete = false
        /// The handler refuses it itself: on HTTP/1 the connection closes behind that.
        var isRefused = false
        /// The client will send no more.
        var isInputClosed = false
        var bodyBytes = 0
    }

    /// Downstream's states have no case: while nothing is ours, whatever happens is theirs.
    enum State: Hashable {
        /// Nothing of ours is under way.
        case idle
        /// Our request is coming in.
        case collecting(Claim)
        /// It is to be refused, as soon as the read is over: the end of the request may be in it, and decides how the
        /// connection or stream goes on.
        case refusing(Claim, Refusal)
        /// It is decided how to answer; downstream still owes responses.
        case waiting(Claim, Answer)
        /// It is our turn; the response is being made.
        case running(Claim)
        /// Our response is written, and the connection (or stream) ends when it is flushed.
        case flushing(Claim)
        /// Our response went out before the request was complete. Closing at once would make the kernel reset the
        /// connection, and the client lose the response: the rest is read and dropped for a while.
        case draining(Claim)
        /// A request of ours that is not answered, because downstream announced the close.
        case discarding
        /// Closed or closing: what still comes is dropped.
        case finished
        /// No longer HTTP as far as we are concerned: everything passes.
        case passive
    }

    private(set) var state = State.idle
    /// Final responses that downstream owes.
    private(set) var outstanding = 0

    private var isDownstreamResponding = false
    private var isCloseAnnounced = false
    private var isQuiescing = false
    private var isClosePostponed = false
    private var isReadPending = false
    /// The place of a CONNECT among the outstanding responses, counted from 1.
    private var connectPlace: Int?
    private var lastID = 0

    private var heldParts = 0
    private var heldBytes = 0
    private let maximumHeldParts: Int
    private let maximumHeldBytes: Int

    /// - Parameters:
    ///   - maximumHeldParts: Reads stop while parts are held, so what arrives is what one read had in it; a peer gets
    ///     about ten thousand one-byte chunks into 64 KB.
    ///   - maximumHeldBytes: The same for bodies.
    init(maximumHeldParts: Int = 65_536, maximumHeldBytes: Int = 1 << 20) {
        self.maximumHeldParts = maximumHeldParts
        self.maximumHeldBytes = maximumHeldBytes
    }

    private var isDownstreamFree: Bool {
        self.outstanding == 0 && !self.isDownstreamResponding
    }

    /// Whether inbound parts must be held now.
    var holdsInbound: Bool {
        switch self.state {
        case .waiting(let claim, .respond): return claim.isComplete
        case .running: return true
        default: return false
        }
    }

    /// Whether a request of ours is under way.
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
        /// Collect the body; start its deadline now, or (the client waits for a 100 that cannot be sent yet) with it.
        case collect(id: Int, startDeadline: Bool, sendContinue: Bool)
        /// Ours, but the head says enough. See ``readCompleted()``.
        case refuse
        case drop
    }

    /// A head; `nil` for one that is not ours.
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

    /// Starts the response, or has it wait for downstream; `true` if it starts.
    private mutating func decide(_ response: Answer, _ claim: Claim) -> Bool {
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
        /// The body is too large. See ``readCompleted()``.
        case refuse
        case drop
    }

    /// A piece of a body.
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

    /// There is no room for the piece of a body that was to be collected. See ``readCompleted()``.
    mutating func bodyRefused() {
        guard case .collecting(var claim) = self.state else { return }
        claim.owesContinue = false
        self.state = .refusing(claim, .noRoom)
    }

    enum EndAction: Hashable {
        case forward
        case start(Answer, id: Int)
        /// The request is complete, and downstream has to finish first.
        case wait
        /// The rest of a refused request is in; close.
        case close
        case drop
    }

    /// The end of a request.
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
        case start(Answer, id: Int)
    }

    /// What one read had in it is through.
    mutating func readCompleted() -> ReadCompletedAction {
        guard case .refusing(let claim, let refusal) = self.state else { return .none }
        return self.decide(.refuse(refusal), claim) ? .start(.refuse(refusal), id: claim.id) : .none
    }

    /// A part goes into the queue.
    ///
    /// - Returns: `false` if that is more than ever waits with reads stopped: close.
    mutating func partHeld(bytes: Int) -> Bool {
        self.heldParts += 1
        self.heldBytes += bytes
        guard self.heldParts <= self.maximumHeldParts, self.heldBytes <= self.maximumHeldBytes else {
            self.state = .finished
            return false
        }
        return true
    }

    /// A part leaves the queue.
    mutating func partReleased(bytes: Int) {
        self.heldParts -= 1
        self.heldBytes -= bytes
    }
}

// MARK: - Our answers

extension ClaimStateMachine {
    enum AnsweredAction: Hashable {
        /// The channel closed meanwhile, or our request was given up.
        case ignore
        /// Write the response; the connection (or stream) lives on.
        case write
        /// Write it, announce the close where the version can, and report the flush.
        case writeAndEnd
    }

    /// The answer to a request of ours is there.
    mutating func answered(id: Int) -> AnsweredAction {
        guard case .running(let claim) = self.state, claim.id == id else { return .ignore }
        let isLast = !claim.isHTTP2 && (!claim.keepsConnection || claim.isRefused || self.isQuiescing)
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
        /// HTTP/2: the response is complete, the request is not (RFC 9113 section 8.1: RST_STREAM with NO_ERROR).
        case reset
        /// HTTP/1: read and drop the rest for a while, then close.
        case drain(id: Int)
    }

    /// The last response of ours is flushed, or cannot be.
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
        case start(Answer, id: Int)
        /// The deadline passed, and downstream has to finish first.
        case wait
        /// The rest of a refused request did not come in time.
        case close
    }

    /// The body's deadline, or the end of draining.
    mutating func timerFired(id: Int) -> TimerAction {
        switch self.state {
        case .collecting(let claim) where claim.id == id:
            let response = Answer.refuse(.requestTimeout)
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
        /// Downstream owes nothing any more: our turn.
        case start(Answer, id: Int)
        /// Now our client can be told to go on.
        case sendContinue(id: Int)
        /// Our request will not be answered: the connection was announced to close.
        case abandon
        /// The connection speaks something else from here on.
        case becomePassive
    }

    /// Downstream writes. The action is to be done after the part went on.
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
            self.state = claim.isComplete ? .idle : .discarding
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

    /// Downstream asks to read; `true` if that may go on. If not, it is remembered.
    mutating func readRequested() -> Bool {
        switch self.state {
        case .waiting, .running, .flushing:
            self.isReadPending = true
            return false
        case .idle, .collecting, .refusing, .draining, .discarding, .finished, .passive:
            return true
        }
    }

    /// Whether a read was swallowed and may go on now; asked once.
    mutating func takePendingRead() -> Bool {
        guard self.isReadPending, self.readRequested() else { return false }
        self.isReadPending = false
        return true
    }

    enum CloseAction: Hashable {
        case forward
        /// Ours comes first.
        case postpone
        /// Downstream closes although it owes responses: ours can never be sent in order.
        case abandonAndForward
    }

    /// Downstream closes; `endsOutput` unless it is only the input that closes.
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
        /// Deliver it after our response.
        case hold
        /// Half of our request is all that will come. Hold the event and answer.
        case holdAndStart(Answer, id: Int)
        case forwardAndClose
        /// Everything held goes on, then the event, then the handler leaves the pipeline.
        case forwardAndLeave
    }

    /// An inbound user event.
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
            let response = Answer.refuse(.badRequest)
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
        /// It belongs behind our response.
        case hold
        /// The rest of our request cannot be read, so there is no response; `closes` if downstream owes none either.
        case forwardAndGiveUp(closes: Bool)
    }

    /// An error; parser errors have a place among the parts, others have not.
    mutating func errorCaught(isParserError: Bool) -> ErrorAction {
        guard isParserError else { return .forward }
        if self.holdsInbound { return .hold }
        switch self.state {
        case .collecting, .refusing, .waiting:
            self.state = .finished
            return .forwardAndGiveUp(closes: self.isDownstreamFree)
        case .idle, .running, .flushing, .draining, .discarding, .finished, .passive:
            return .forward
        }
    }

    /// The channel is closed, or the handler left the pipeline.
    mutating func ended() {
        self.state = .finished
        self.isReadPending = false
    }
}
