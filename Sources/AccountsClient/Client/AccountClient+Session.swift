// SPDX-License-Identifier: Apache-2.0

import Foundation

// The session: in memory first, so that the order of changes is the order in which they were made, and then in the storage,
// in the same order.
extension AccountClient {
    /// Reads the storage, if that was not done.
    /// - Throws: ``AccountsError`` if it cannot be read.
    func load() async throws {
        guard !isLoaded else { return }
        let data: Data?
        do {
            data = try await storage.load()
        } catch {
            throw AccountsError(.storageFailed)
        }
        // Somebody may have been faster, and the session another one by now.
        guard !isLoaded else { return }
        isLoaded = true
        held = data.flatMap { StoredSession(data: $0) }
        subscribers.publish(held?.user)
    }

    /// Replaces the session. If it cannot be stored, the one before stays.
    /// - Parameter session: The new one; `nil` to sign out.
    /// - Throws: ``AccountsError`` if it cannot be stored.
    func replace(with session: StoredSession?) async throws {
        let before = held
        generation += 1
        let own = generation
        held = session
        do {
            try await write(session).value
        } catch {
            // What came after this one has its own way of ending.
            if generation == own {
                generation += 1
                held = before
            }
            // Followers may have been told of the session that was not stored.
            subscribers.publish(held?.user)
            throw AccountsError(.storageFailed)
        }
        if generation == own { subscribers.publish(held?.user) }
    }

    /// Forgets a session that has ended at the server, if it is still the one that is held.
    func end(_ number: Int) async {
        guard generation == number, held != nil else { return }
        generation += 1
        held = nil
        subscribers.publish(nil)
        // Where it stays in the storage it is found dead again.
        try? await write(nil).value
    }

    /// Changes what is known of the person of a session, if that is still the one that is held.
    /// - Returns: The person.
    /// - Throws: ``AccountsError`` if the change cannot be made, or somebody else is signed in by now.
    func update(_ asked: Asking, _ change: (User) throws -> User) async throws -> User {
        guard var session = held, session.user.uid.utf8.elementsEqual(asked.uid.utf8) else {
            throw AccountsError(held == nil ? .notSignedIn : .userMismatch)
        }
        session.user = try change(session.user)
        held = session
        subscribers.publish(session.user)
        // A storage that keeps the older copy does no harm.
        try? await write(session).value
        return session.user
    }

    /// Begins to write the session to the storage, after all that was to be written before.
    func write(_ session: StoredSession?) -> Task<Void, any Error> {
        let (storage, previous) = (storage, lastWrite)
        let task = Task {
            _ = await previous?.result
            if let session {
                let data = try session.data()
                try await storage.save(data)
            } else {
                try await storage.clear()
            }
        }
        lastWrite = task
        return task
    }
}
