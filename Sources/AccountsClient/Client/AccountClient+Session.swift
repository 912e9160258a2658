// SPDX-License-Identifier: Apache-2.0

import Foundation

// What follows from a change of the session: those who follow it are told, and it is written to the storage. The writes
// are made in the order of the changes.
extension AccountClient {
    /// Reads the storage, if that was not done.
    /// - Throws: ``AccountsError`` if it cannot be read.
    func load() async throws {
        guard !state.isLoaded else { return }
        let data: Data?
        do {
            data = try await storage.load()
        } catch {
            throw AccountsError(.storageFailed)
        }
        // Another call may have been faster, and have changed the session.
        guard !state.isLoaded else { return }
        state.load(data.flatMap { StoredSession(data: $0) })
        publish()
    }

    /// Stores a new session, or none. If that fails, the session that was stored last is back.
    /// - Throws: ``AccountsError`` if it cannot be stored.
    func replace(_ replacement: SessionState.Write) async throws {
        do {
            try await store(replacement).value
        } catch {
            throw AccountsError(.storageFailed)
        }
    }

    /// Forgets a session that has ended at the server, if it is still the one that is held.
    func end(_ generation: Int) async {
        guard let removal = state.end(generation) else { return }
        publish()
        try? await store(removal).value
    }

    /// Stores what is known of the session by now.
    /// - Parameter copy: The copy; `nil` if nothing has changed.
    func keep(_ copy: SessionState.Write?) async {
        guard let copy else { return }
        publish()
        try? await store(copy).value
    }

    /// Publishes the signed-in user, but no session that is not stored yet.
    private func publish() {
        if state.isSettled { subscribers.publish(state.held?.user) }
    }

    /// Begins to write to the storage, after all that was to be written before.
    @discardableResult
    private func store(_ write: SessionState.Write) -> Task<Void, any Error> {
        let previous = lastWrite
        let task = Task { try await self.perform(write, after: previous) }
        lastWrite = task
        return task
    }

    private func perform(_ write: SessionState.Write, after previous: Task<Void, any Error>?) async throws {
        _ = await previous?.result
        guard state.isDue(write) else { return }
        do {
            if let session = write.session {
                let data = try session.data()
                try await storage.save(data)
            } else {
                try await storage.clear()
            }
        } catch {
            let copy = state.failed(write)
            publish()
            if let copy { store(copy) }
            throw error
        }
        state.stored(write)
        publish()
    }
}
