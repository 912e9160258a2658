// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import AccountsClient

/// The session of a client, event by event.
struct SessionStateTests {
    private static func session(_ uid: String, name: String? = nil, idToken: String = "i") -> StoredSession {
        StoredSession(
            tokens: tokens(idToken),
            user: User(
                uid: uid, displayName: name, email: nil, isEmailVerified: false, photoURL: nil, providerData: [],
                creationDate: nil, lastSignInDate: nil))
    }

    private static func tokens(_ idToken: String) -> SessionTokens {
        SessionTokens(
            idToken: HiddenText(idToken), refreshToken: HiddenText("r"),
            obtainedAt: Date(timeIntervalSince1970: 1_800_000_000),
            expiresAt: Date(timeIntervalSince1970: 1_800_003_600))
    }

    private static func state(_ session: StoredSession? = session("a")) -> SessionState {
        var state = SessionState()
        state.load(session)
        return state
    }

    private func code(_ body: () throws -> Void) -> AccountsError.Code? {
        do {
            try body()
            return nil
        } catch {
            return (error as? AccountsError)?.code
        }
    }

    // MARK: Who may begin

    @Test func `a sign-in that began before a sign-out begins no session, and one that began after it does`() throws {
        var state = Self.state()
        let before = state.entry
        _ = state.signOut()
        #expect(code { try state.check(before) } == .notSignedIn)
        #expect(code { _ = try state.begin(Self.session("a"), before) } == .notSignedIn)
        #expect(state.held == nil)
        _ = try state.begin(Self.session("b"), state.entry)
        #expect(state.held == Self.session("b"))
    }

    @Test func `the end of a session is no sign-out`() throws {
        var state = Self.state()
        let before = state.entry
        #expect(state.end(state.generation) != nil)
        _ = try state.begin(Self.session("b"), before)
        #expect(state.held == Self.session("b"))
    }

    @Test func `a link begins a session for the same user only`() throws {
        var state = Self.state()
        let entry = SessionState.Entry.user(uid: "a")
        _ = try state.begin(Self.session("a", idToken: "i2"), entry)
        #expect(state.held?.tokens.idToken.exposed == "i2")
        _ = try state.begin(Self.session("b"), state.entry)
        #expect(code { _ = try state.begin(Self.session("a"), entry) } == .userMismatch)
        #expect(state.held == Self.session("b"))
        _ = state.signOut()
        #expect(code { _ = try state.begin(Self.session("a"), entry) } == .notSignedIn)
        #expect(state.held == nil)
    }

    @Test func `users are told apart by bytes`() {
        let state = Self.state(Self.session("\u{E9}"))
        #expect(code { _ = try state.session(of: "e\u{301}") } == .userMismatch)
        #expect(code { _ = try state.session(of: "\u{E9}") } == nil)
    }

    // MARK: Writes that fail

    @Test func `a session that is not stored gives way to the one before`() throws {
        var state = Self.state()
        let write = try state.begin(Self.session("b"), state.entry)
        #expect(!state.isSettled && state.held == Self.session("b"))
        let generation = state.generation
        let writtenAgain = state.failed(write)
        let copy = try #require(writtenAgain)
        #expect(state.isSettled && state.held == Self.session("a"))
        // A caller that waits for the ended session sees that it ended.
        #expect(state.generation > generation)
        #expect(copy.session == Self.session("a") && state.isDue(copy))
    }

    @Test func `of two that are not stored, neither is back`() throws {
        var state = Self.state()
        let first = try state.begin(Self.session("b"), state.entry)
        let second = try state.begin(Self.session("c"), state.entry)
        #expect(state.failed(first) == nil)
        #expect(state.held == Self.session("c") && !state.isSettled)
        _ = state.failed(second)
        #expect(state.held == Self.session("a") && state.isSettled)
    }

    @Test func `what was stored meanwhile is back`() throws {
        var state = Self.state()
        let first = try state.begin(Self.session("b"), state.entry)
        let second = state.signOut()
        state.stored(first)
        #expect(state.held == nil && !state.isSettled)
        _ = state.failed(second)
        #expect(state.held == Self.session("b") && state.isSettled)
    }

    @Test func `a sign-out that is stored is settled, and what failed before it changes nothing`() throws {
        var state = Self.state()
        let first = try state.begin(Self.session("b"), state.entry)
        let second = state.signOut()
        #expect(state.failed(first) == nil)
        state.stored(second)
        #expect(state.held == nil && state.isSettled)
    }

    @Test func `a copy of a session that is gone is not written`() throws {
        var state = Self.state()
        let write = try state.begin(Self.session("b"), state.entry)
        let copy = try state.change(of: "b") { _ in Self.session("b", name: "Bea").user }
        #expect(state.isDue(write) && state.isDue(copy))
        _ = state.failed(write)
        #expect(!state.isDue(copy))
        // It would be written for a caller that has failed already.
        #expect(state.isDue(write))
    }

    @Test func `a change of a session that is stored counts, even if that cannot be stored`() throws {
        var state = Self.state()
        let writtenAgain = state.refresh(Self.tokens("i2"), state.generation)
        let copy = try #require(writtenAgain)
        #expect(state.failed(copy) == nil)
        let write = try state.begin(Self.session("b"), state.entry)
        _ = state.failed(write)
        #expect(state.held == Self.session("a", idToken: "i2"))
    }

    @Test func `a change of a session that is not stored yet goes with it`() throws {
        var state = Self.state()
        let write = try state.begin(Self.session("b"), state.entry)
        _ = state.refresh(Self.tokens("i2"), state.generation)
        state.stored(write)
        let signOut = state.signOut()
        _ = state.failed(signOut)
        #expect(state.held == Self.session("b", idToken: "i2"))
    }

    @Test func `nothing brings back a session that has ended`() throws {
        var state = Self.state()
        let write = try state.begin(Self.session("b"), state.entry)
        let ended = state.end(state.generation)
        let removal = try #require(ended)
        #expect(state.held == nil && state.isSettled && state.isDue(removal))
        state.stored(write)
        #expect(state.failed(removal) == nil)
        let next = try state.begin(Self.session("c"), state.entry)
        #expect(state.failed(next) == nil)
        #expect(state.held == nil && state.isSettled)
    }

    @Test func `another session does not end with the one before`() throws {
        var state = Self.state()
        let before = state.generation
        _ = try state.begin(Self.session("a", idToken: "i2"), state.entry)
        #expect(state.end(before) == nil)
        #expect(state.refresh(Self.tokens("i3"), before) == nil)
        #expect(state.held == Self.session("a", idToken: "i2"))
    }

    // MARK: Answers

    @Test func `an answer that was overtaken by a later one is not taken`() throws {
        var state = Self.state()
        let (first, second) = (state.question(), state.question())
        #expect(try state.answer(second, Self.session("a", name: "Grace").user) != nil)
        #expect(try state.answer(first, Self.session("a", name: "Ada").user) == nil)
        #expect(state.held?.user.displayName == "Grace")
        #expect(try state.answer(state.question(), Self.session("a", name: "Ada").user) != nil)
        #expect(state.held?.user.displayName == "Ada")
    }

    @Test func `an answer from before a change or another session is not taken`() throws {
        var state = Self.state()
        let beforeChange = state.question()
        _ = try state.change(of: "a") { _ in Self.session("a", name: "Grace").user }
        #expect(try state.answer(beforeChange, Self.session("a", name: "Ada").user) == nil)
        let beforeLink = state.question()
        _ = try state.begin(Self.session("a", name: "Ada L."), .user(uid: "a"))
        #expect(try state.answer(beforeLink, Self.session("a", name: "Grace").user) == nil)
        #expect(state.held?.user.displayName == "Ada L.")
    }

    @Test func `a change that cannot be made makes no answer older`() throws {
        var state = Self.state()
        let question = state.question()
        #expect(code { _ = try state.change(of: "a") { _ in throw AccountsError(.unexpectedResponse) } } != nil)
        #expect(try state.answer(question, Self.session("a", name: "Ada").user) != nil)
    }

    @Test func `an answer about another user is ignored`() {
        var state = Self.state()
        let question = state.question()
        #expect(code { _ = try state.answer(question, Self.session("b").user) } == .userMismatch)
        #expect(code { _ = try state.change(of: "b") { $0 } } == .userMismatch)
        _ = state.signOut()
        #expect(code { _ = try state.answer(question, Self.session("a").user) } == .notSignedIn)
    }
}
