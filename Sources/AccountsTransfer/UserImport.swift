// SPDX-License-Identifier: Apache-2.0

package import Accounts
import JOSE

/// Reads the users of a file, and has them written in batches.
package struct UserImport {
    /// What came of the users so far.
    package private(set) var report = ImportReport()
    private let decoder: UserDecoder
    private var waiting: [(element: UserReader.Element, user: ImportedUser, hasPassword: Bool)] = []

    /// Creates an import.
    package init(_ decoder: UserDecoder) {
        self.decoder = decoder
    }

    /// Imports a file, whose users are added to the report. Begun again after an interruption it goes on, since who is there
    /// stays. Users before a place where the file is broken are written.
    /// - Parameters:
    ///   - reader: The file.
    ///   - write: Writes a batch in one transaction, and returns what became of each user.
    ///   - say: Receives a line about each user who is not taken.
    ///   - progress: Is called after each batch, with the byte of the file that was reached.
    /// - Throws: ``TransferError``; ``UserError`` for a provider whose issuer is not known; or what writing throws.
    package mutating func run(
        _ reader: inout UserReader, write: ([ImportedUser]) async throws -> [ImportOutcome],
        say: (String) -> Void, progress: (ImportReport, Int) -> Void
    ) async throws {
        while let element = try await next(&reader, write, say) {
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
                    try await flush(write, say)
                    throw error
                }
                report.wrong += 1
                say(Self.line(element, id, "\(error)"))
            }
            guard waiting.count == AccountLimits.importsInTransaction else { continue }
            try await flush(write, say)
            progress(report, reader.offset)
        }
        try await flush(write, say)
        report.hasLastPage = report.hasLastPage || reader.hasLastPage
        progress(report, reader.offset)
    }

    private mutating func next(
        _ reader: inout UserReader, _ write: ([ImportedUser]) async throws -> [ImportOutcome], _ say: (String) -> Void
    ) async throws -> UserReader.Element? {
        do {
            return try reader.next()
        } catch {
            try await flush(write, say)
            throw error
        }
    }

    private mutating func flush(
        _ write: ([ImportedUser]) async throws -> [ImportOutcome], _ say: (String) -> Void
    ) async throws {
        guard !waiting.isEmpty else { return }
        let outcomes = try await write(waiting.map(\.user))
        for ((element, user, hasPassword), outcome) in zip(waiting, outcomes) {
            report.count(outcome)
            switch outcome {
            case .conflict(let conflict, let other):
                say(Self.line(element, user.account.id, "account \(other) has the same \(conflict)"))
            case .hasSecondFactor: say(Self.line(element, user.account.id, "left out for the second factor"))
            case .added, .unchanged, .updated, .adopted: report.count(user, hasPassword: hasPassword)
            }
        }
        waiting.removeAll(keepingCapacity: true)
    }

    private static func line(_ element: UserReader.Element, _ id: AccountID?, _ what: String) -> String {
        "user \(element.index) at byte \(element.offset), uid \(id.map { "\($0)" } ?? "-"): \(what)"
    }
}
