// SPDX-License-Identifier: Apache-2.0

package import JOSE
import OIDCBroker
import OIDCBrokerConfiguration

/// A change of the keys in a file by the next of three steps: add a new key second, move it first, drop the last one.
///
/// A crash at any point leaves a file that the configuration accepts, and a record of the state that it is in. Of what
/// is removed nothing stays; a new key may stay in a draft beside the file, with the same permissions, until the next
/// step.
package struct KeyRotation: Sendable {
    private let path: String
    private let kind: Kind
    private let algorithm: JSONWebAlgorithm?
    private let step: Step?

    /// Creates a change.
    /// - Parameters:
    ///   - path: The file with the keys.
    ///   - kind: The kind of the keys.
    ///   - algorithm: For signing keys, which of them are changed: each algorithm has a first key that signs. For keys
    ///     of accounts, the algorithm of a new key. `nil` for the only one, or that of the first key.
    ///   - step: The step that the operator named; `nil` for the next one.
    package init(path: String, kind: Kind, algorithm: JSONWebAlgorithm? = nil, step: Step? = nil) {
        self.path = path
        self.kind = kind
        self.algorithm = algorithm
        self.step = step
    }

    /// The step that may be taken now.
    package struct Plan: Sendable {
        /// The step.
        package let step: Step
        /// Whether a record says that it does not come too early.
        package let isKnownToBeInTime: Bool

        fileprivate let file: KeyFile
        fileprivate let group: Group
        fileprivate let machine: StateMachine
    }

    /// Returns the step that may be taken now, and changes nothing.
    /// - Parameter now: The current time, in seconds since 1970.
    /// - Throws: ``KeyFileError``.
    package func plan(now: Int64) throws(KeyFileError) -> Plan {
        let files = try KeyRotationFiles(path)
        return try plan(for: DurableFile.read(files.keys).contents, beside: files, now: now)
    }

    /// Writes the new files beside the old ones, and keeps other processes from changing them meanwhile.
    /// - Parameter now: The current time, in seconds since 1970.
    /// - Throws: ``KeyFileError``. Nothing was changed then.
    package func prepare(now: Int64) throws(KeyFileError) -> PreparedKeyRotation {
        let files = try KeyRotationFiles(path)
        let lock = try FileLock(files.lock, access: DurableFile.read(files.keys).access)
        // Everything is read anew under the lock.
        let (contents, access) = try DurableFile.read(files.keys)
        let plan = try plan(for: contents, beside: files, now: now)
        let (file, keyID) = try changed(plan)
        let record = plan.machine.recording(plan.step, plan.group, newIDs: file.keys.map(\.id), now: now)
        let prepared = PreparedKeyRotation(
            step: plan.step, isKnownToBeInTime: plan.isKnownToBeInTime, keyID: keyID,
            nextTime: now + kind.wait(before: plan.step.next), files: files, lock: lock)
        do throws(KeyFileError) {
            prepared.removeDrafts()
            try DurableFile.create(record.json, at: files.recordDraft, access: access)
            try DurableFile.create(file.contents, at: files.keysDraft, access: access)
        } catch {
            prepared.removeDrafts()
            throw error
        }
        return prepared
    }

    private func plan(
        for contents: [UInt8], beside files: KeyRotationFiles, now: Int64
    ) throws(KeyFileError) -> Plan {
        if kind == .sealing, files.isSecretOfSealingKeys { throw .refused(.ofSecretsDirectory) }
        let file = try KeyFile(contents, kind: kind.keyKind)
        let machine = StateMachine(kind, record: try Self.record(at: files.record))
        let group = try group(of: file, machine)
        switch machine.next(group, asked: step, now: now) {
        case .take(let step, let isKnownToBeInTime):
            return Plan(step: step, isKnownToBeInTime: isKnownToBeInTime, file: file, group: group, machine: machine)
        case .wait(let step, let time): throw .tooEarly(step, until: time)
        case .refuse(let refusal): throw .refused(refusal)
        }
    }

    /// Reads the record; `nil` if there is none. One that cannot be read is not taken for none.
    private static func record(at path: String) throws(KeyFileError) -> KeyRotationRecord? {
        guard DurableFile.isName(path) else { return nil }
        guard let contents = ConfigurationFile.contents(atPath: path), let record = KeyRotationRecord(json: contents)
        else { throw .refused(.unreadableRecord) }
        return record
    }

    private func group(of file: KeyFile, _ machine: StateMachine) throws(KeyFileError) -> Group {
        guard kind == .signing else { return Group(file.keys) }
        let inProgress = machine.algorithmInProgress(file.keys.map(\.id))
        if let name = algorithm?.rawValue ?? inProgress { return Group(file.keys, algorithm: name) }
        let names = Set(file.keys.map(\.algorithm))
        guard names.count == 1, let name = names.first else { throw .refused(.severalAlgorithms) }
        return Group(file.keys, algorithm: name)
    }

    /// Returns the file after the step, and the identifier of the key that the step is about.
    private func changed(_ plan: Plan) throws(KeyFileError) -> (file: KeyFile, keyID: String) {
        let (old, indices) = (plan.file, plan.group.indices)
        guard let first = indices.first, let last = indices.last else {
            throw .refused(.noKey(plan.group.algorithm ?? "any"))
        }
        switch plan.step {
        case .add:
            // A sealing key has no algorithm of this list.
            let algorithm = algorithm ?? JSONWebAlgorithm(rawValue: old.keys[first].algorithm)
            let new = try old.inserting(NewKey.text(kind.keyKind, algorithm: algorithm), at: first + 1)
            return (new, new.keys[first + 1].id)
        case .promote:
            let second = indices.dropFirst().first ?? last
            return (try old.moving(from: second, to: first), old.keys[second].id)
        case .drop:
            return (try old.removing(at: last), old.keys[last].id)
        }
    }
}
