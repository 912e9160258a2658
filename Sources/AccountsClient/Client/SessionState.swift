// SPDX-License-Identifier: Apache-2.0

/// The session of a client, and what each event makes of it: a state machine that waits for nothing and writes nothing.
///
/// A new session counts in memory first, so that the order of changes is the order in which they were made. If it
/// cannot be stored, the one that was stored last is back.
struct SessionState: Sendable {
    /// What the response to a sign-in must find, so that it may begin a session.
    enum Entry: Sendable {
        /// There was no sign-out since: this is the number of those before.
        case signIn(signOuts: Int)
        /// The user is still signed in.
        case user(uid: String)
    }

    /// A write to the storage that follows from a change.
    struct Write: Sendable {
        enum Kind: Sendable {
            /// Of a new session, or of none after a sign-out. The change counts only if this succeeds.
            case replacement
            /// Of the same session with other tokens or another profile. A storage that keeps the older copy does no
            /// harm.
            case copy
            /// Of none, since the session has ended. Where it stays in the storage, it is found dead again.
            case removal
        }

        let kind: Kind
        /// What is stored; `nil` if the storage is cleared.
        let session: StoredSession?
        /// The number of the session that is written.
        let generation: Int
    }

    /// Whether the storage was read.
    private(set) var isLoaded = false
    /// The session; `nil` if no user is signed in, or the storage was not read.
    private(set) var held: StoredSession?
    /// The number of sessions that ``held`` has had, by which an operation that waited sees whether the session is
    /// still the same.
    private(set) var generation = 0
    /// The number of sign-outs. The end of a session at the server is none.
    private var signOuts = 0
    /// The session that was stored last, as it is known by now, and its number. What is held comes back to it.
    private var settled: StoredSession?
    private var settledGeneration = 0
    /// The number of the last question about the account, and of the one whose answer is known.
    private var lastQuestion = 0
    private var lastAnswer = 0

    /// Whether what is held is not waiting to be stored.
    var isSettled: Bool { settledGeneration == generation }

    /// Takes what the storage had.
    mutating func load(_ session: StoredSession?) {
        isLoaded = true
        held = session
        settled = session
    }

    /// Returns the session that is held.
    /// - Parameter uid: The user who must be signed in; `nil` for the one who is.
    /// - Throws: ``AccountsError`` if no user or another user is signed in.
    func session(of uid: String? = nil) throws -> StoredSession {
        guard let held else { throw AccountsError(.notSignedIn) }
        if let uid, !held.user.uid.utf8.elementsEqual(uid.utf8) { throw AccountsError(.userMismatch) }
        return held
    }

    // MARK: Another session

    /// What a sign-in that begins now must find when it ends.
    var entry: Entry { .signIn(signOuts: signOuts) }

    /// - Throws: ``AccountsError`` if a session may not begin any more.
    func check(_ entry: Entry) throws {
        switch entry {
        case .signIn(let before):
            guard signOuts == before else { throw AccountsError(.notSignedIn) }
        case .user(let uid):
            _ = try session(of: uid)
        }
    }

    /// Begins a session.
    /// - Throws: ``AccountsError`` if it may not begin any more.
    mutating func begin(_ session: StoredSession, _ entry: Entry) throws -> Write {
        try check(entry)
        // An answer to what was asked before would bring back the account as it was.
        lastAnswer = question()
        return replace(with: session)
    }

    /// Signs out. Whatever is under way finds that done.
    mutating func signOut() -> Write {
        signOuts += 1
        return replace(with: nil)
    }

    private mutating func replace(with session: StoredSession?) -> Write {
        generation += 1
        held = session
        return Write(kind: .replacement, session: session, generation: generation)
    }

    /// Forgets a session that has ended at the server.
    /// - Returns: What is to be written; `nil` if it is not the one that is held.
    mutating func end(_ ended: Int) -> Write? {
        guard ended == generation, held != nil else { return nil }
        generation += 1
        held = nil
        // Nothing brings it back, nor the one before it.
        settled = nil
        settledGeneration = generation
        return Write(kind: .removal, session: nil, generation: generation)
    }

    // MARK: The same session

    /// Takes the tokens of a refresh.
    /// - Returns: What is to be written; `nil` if the session that was refreshed is not the one that is held.
    mutating func refresh(_ tokens: SessionTokens, _ refreshed: Int) -> Write? {
        guard refreshed == generation, var session = held else { return nil }
        session.tokens = tokens
        return keep(session)
    }

    /// Returns the number of a question about the account that is asked now.
    mutating func question() -> Int {
        lastQuestion += 1
        return lastQuestion
    }

    /// Takes the answer to a question about the account.
    /// - Returns: What is to be written; `nil` if something newer is known, since answers may overtake one another.
    /// - Throws: ``AccountsError`` if another user or no user is signed in by now.
    mutating func answer(_ number: Int, _ user: User) throws -> Write? {
        var changed = try session(of: user.uid)
        guard number > lastAnswer else { return nil }
        lastAnswer = number
        changed.user = user
        return keep(changed)
    }

    /// Takes the answer to a change of the account. What was asked before that is older.
    /// - Throws: ``AccountsError`` if another user or no user is signed in by now, or the change is not possible.
    mutating func change(of uid: String, _ change: (User) throws -> User) throws -> Write {
        var changed = try session(of: uid)
        changed.user = try change(changed.user)
        lastAnswer = question()
        return keep(changed)
    }

    private mutating func keep(_ session: StoredSession) -> Write {
        held = session
        if isSettled { settled = session }
        return Write(kind: .copy, session: session, generation: generation)
    }

    // MARK: The storage

    /// Whether a write is still to be made when its turn has come: not for a copy of a session that is gone.
    func isDue(_ write: Write) -> Bool { write.kind != .copy || write.generation == generation }

    /// A write has succeeded.
    mutating func stored(_ write: Write) {
        guard write.kind == .replacement, write.generation > settledGeneration else { return }
        settled = write.generation == generation ? held : write.session
        settledGeneration = write.generation
    }

    /// A write has failed. If the session that was to be written is held, the one that was stored last is back. What
    /// came after it has a write of its own.
    /// - Returns: What is to be written; `nil` if nothing is. It makes up for a copy that was not due any more.
    mutating func failed(_ write: Write) -> Write? {
        guard write.kind == .replacement, write.generation == generation else { return nil }
        generation += 1
        held = settled
        settledGeneration = generation
        return held.map { Write(kind: .copy, session: $0, generation: generation) }
    }
}
