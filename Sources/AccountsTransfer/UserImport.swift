// SPDX-License-Identifier: Apache-2.0

package import Accounts
import JOSE

/// Reads the users of a file, and has them written in batches.
package struct UserImport {
    private typealias Item = (element: UserReader.Element, user: ImportedUser, hasPassword: Bool)

    /// What came of the users so far.
    package private(set) var report = ImportReport()
    private let decoder: UserDecoder
    private var waiting: [Item] = []
    /// The batch that is being written while the next one is read, and the byte of the file that it reaches.
    private var writing: (items: [Item], offset: Int, outcomes: Task<[ImportOutcome], any Error>)?

    /// Creates an import.
    package init(_ decoder: UserDecoder) {
        self.decoder = decoder
    }

    /// Imports a file, whose users are added to the report. Begun again after an interruption it goes on, since who is there
    /// stays. Users before a place where the file is broken are written.
    /// - Parameters:
    ///   - reader: The file.
    ///   - pause: Is waited for before each batch, while none is written, so that a server's own writes get their turn.
    ///   - write: Writes a batch in one transaction, and returns what became of each user.
    ///   - say: Receives a line about each user who is not taken.
    ///   - progress: Is called after each batch, with the byte of the file that was reached. It may end the import.
    /// - Throws: ``TransferError``; ``UserError`` for a provider whose issuer is not known; or what the closures throw.
    package mutating func run(
        _ reader: inout UserReader, pause: @escaping @Sendable () async throws -> Void,
        write: @escaping @Sendable ([ImportedUser]) async throws -> [ImportOutcome],
        say: (String) -> Void, progress: (ImportReport, Int) throws -> Void
    ) async throws {
        let write = { @Sendable (users: [ImportedUser]) async throws -> [ImportOutcome] in
            try await pause()
            return try await write(users)
        }
        func end(at offset: Int) async throws {
            try await flush(at: offset, write, say, progress)
            try await settle(say, progress)
        }
        while true {
            let next: UserReader.Element?
            do {
                next = try reader.next()
            } catch {
                try await end(at: reader.offset)
                throw error
            }
            guard let element = next else { break }
            report.users += 1
            var id: AccountID?
            do throws(UserError) {
                let object = try UserDecoder.object(element)
                id = UserDecoder.id(of: object)
                let user = try decoder.user(object)
                let place = UserReader.Element(index: element.index, offset: element.offset, bytes: nil)
                waiting.append((place, user, object[UserMember.passwordHash.rawValue] != nil))
            } catch {
                if error.providerWithoutIssuer != nil {
                    try await end(at: reader.offset)
                    throw error
                }
                report.wrong += 1
                say(Self.line(element, id, "\(error)"))
            }
            guard waiting.count == AccountLimits.importsInTransaction else { continue }
            try await flush(at: reader.offset, write, say, progress)
        }
        try await end(at: reader.offset)
        report.hasLastPage = report.hasLastPage || reader.hasLastPage
        try progress(report, reader.offset)
    }

    /// Has the users who wait written, once those before them are.
    private mutating func flush(
        at offset: Int, _ write: @escaping @Sendable ([ImportedUser]) async throws -> [ImportOutcome],
        _ say: (String) -> Void, _ progress: (ImportReport, Int) throws -> Void
    ) async throws {
        try await settle(say, progress)
        guard !waiting.isEmpty else { return }
        let users = waiting.map(\.user)
        writing = (waiting, offset, Task { try await write(users) })
        waiting.removeAll(keepingCapacity: true)
    }

    /// Waits for the batch that is being written, and reports what became of it.
    private mutating func settle(
        _ say: (String) -> Void, _ progress: (ImportReport, Int) throws -> Void
    ) async throws {
        guard let batch = writing else { return }
        writing = nil
        let outcomes = try await batch.outcomes.value
        for ((element, user, hasPassword), outcome) in zip(batch.items, outcomes) {
            report.count(outcome)
            switch outcome {
            case .conflict(let conflict, let other):
                say(Self.line(element, user.account.id, "account \(other) has the same \(conflict)"))
            case .hasSecondFactor: say(Self.line(element, user.account.id, "left out because of a second factor"))
            case .added, .unchanged, .updated, .adopted: report.count(user, hasPassword: hasPassword)
            }
        }
        try progress(report, batch.offset)
    }

    private static func line(_ element: UserReader.Element, _ id: AccountID?, _ what: String) -> String {
        "user \(element.index) at byte \(element.offset), uid \(id.map { "\($0)" } ?? "-"): \(what)"
    }
}
