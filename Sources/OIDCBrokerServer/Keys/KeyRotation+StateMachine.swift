// SPDX-License-Identifier: Apache-2.0

extension KeyRotation {
    /// The keys that take part in a change.
    package struct Group: Sendable, Hashable {
        /// The identifiers of all keys of the file.
        package let allIDs: [String]
        /// The indices of the keys of the group among all: those of one algorithm in a file of signing keys, where the
        /// first of each algorithm signs, and all in the other files.
        package let indices: [Int]
        /// The algorithm of the group; `nil` if it has all keys.
        package let algorithm: String?

        /// Creates the group of all keys, or that of the keys of one algorithm.
        package init(_ keys: [KeyFile.Key], algorithm: String? = nil) {
            allIDs = keys.map(\.id)
            indices = keys.indices.filter { algorithm == nil || keys[$0].algorithm == algorithm }
            self.algorithm = algorithm
        }
    }

    /// The reason why no step can be taken, which waiting does not change.
    package enum Refusal: Sendable, Hashable {
        /// The file is one of a secrets directory, in which sealing keys are not one on a line.
        case ofSecretsDirectory
        /// The record beside the file cannot be read.
        case unreadableRecord
        /// The record is about another kind of keys.
        case otherKind(Kind)
        /// Keys of another algorithm are being changed.
        case otherAlgorithm(String)
        /// The file has keys of several algorithms, and none was named.
        case severalAlgorithms
        /// The file has no key of the algorithm.
        case noKey(String)
        /// There are several keys, and no record says which step comes next.
        case unknownStep(count: Int)
        /// The keys are not those of the record.
        case otherKeys
        /// The step was named, and does not fit the number of keys.
        case wrongCount(Step, count: Int)
        /// The step was named, and another one comes next.
        case notNext(Step, next: Step)
    }

    /// The state machine of a change of keys: it decides which step may be taken now. It reads and writes nothing, and
    /// has no clock; `now` is a parameter.
    package struct StateMachine: Sendable {
        /// The action that a request for the next step leads to.
        package enum Action: Sendable, Hashable {
            /// Take this step. It is not known to be in time if no record says when the previous one was taken.
            case take(Step, isKnownToBeInTime: Bool)
            /// Take this step at this time, in seconds since 1970, or later.
            case wait(Step, until: Int64)
            /// Take no step.
            case refuse(Refusal)
        }

        private let kind: Kind
        private let record: KeyRotationRecord?

        /// Creates a state machine.
        /// - Parameter record: What the steps so far were; `nil` if nothing says so.
        package init(_ kind: Kind, record: KeyRotationRecord?) {
            self.kind = kind
            self.record = record
        }

        /// The algorithm of the keys that are being changed; `nil` if none are, or all.
        package func algorithmInProgress(_ allIDs: [String]) -> String? {
            guard let state = record?.state(of: allIDs), state.step != .drop else { return nil }
            return record?.algorithm
        }

        /// Returns the action for the keys that the file has.
        /// - Parameters:
        ///   - asked: The step that the operator named; `nil` for the next one.
        ///   - now: The current time, in seconds since 1970.
        package func next(_ group: Group, asked: Step?, now: Int64) -> Action {
            let count = group.indices.count
            guard count > 0 else { return .refuse(.noKey(group.algorithm ?? "any")) }
            if let record, record.kind != kind { return .refuse(.otherKind(record.kind)) }
            let known = record?.state(of: group.allIDs)
            guard let state = known, state.step != .drop else {
                return first(count, asked: asked, isOtherRecord: record != nil && known == nil)
            }
            if record?.algorithm != group.algorithm { return .refuse(.otherAlgorithm(record?.algorithm ?? "all")) }
            let step = state.step.next
            if let asked, asked != step { return .refuse(.notNext(asked, next: step)) }
            guard Self.fits(step, count) else { return .refuse(.wrongCount(step, count: count)) }
            let earliest = state.time + kind.wait(before: step)
            return now < earliest ? .wait(step, until: earliest) : .take(step, isKnownToBeInTime: true)
        }

        /// Returns the record of a step, to be written before the keys are.
        package func recording(_ step: Step, _ group: Group, newIDs: [String], now: Int64) -> KeyRotationRecord {
            let before = record?.state(of: group.allIDs)
            return KeyRotationRecord(
                kind: kind, algorithm: group.algorithm,
                state: KeyRotationRecord.State(step: step, time: now, keyIDs: newIDs),
                // Keys without a history are like those after the last step: nothing depends on the time.
                before: before ?? KeyRotationRecord.State(step: .drop, time: 0, keyIDs: group.allIDs))
        }

        /// Returns the action where no change is known to be in progress.
        private func first(_ count: Int, asked: Step?, isOtherRecord: Bool) -> Action {
            if let asked {
                guard Self.fits(asked, count) else { return .refuse(.wrongCount(asked, count: count)) }
                return .take(asked, isKnownToBeInTime: asked == .add)
            }
            if isOtherRecord { return .refuse(.otherKeys) }
            return count == 1 ? .take(.add, isKnownToBeInTime: true) : .refuse(.unknownStep(count: count))
        }

        /// Whether a step can be taken with that many keys. More than two are never made: the last is dropped first.
        private static func fits(_ step: Step, _ count: Int) -> Bool {
            switch step {
            case .add: count == 1
            case .promote: count == 2
            case .drop: count > 1
            }
        }
    }
}

extension KeyRotation.Refusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .ofSecretsDirectory:
            "a file of a secrets directory has its sealing keys on one line, with commas between them: set "
                + "auth.sealing-keys-file to another file"
        case .unreadableRecord: "the record of the rotation cannot be read: remove it, and set --step"
        case .otherKind(let kind): "the record of the rotation is for keys of kind \(kind.rawValue)"
        case .otherAlgorithm(let algorithm): "the keys for \(algorithm) are being changed: finish that first"
        case .severalAlgorithms: "there are keys for several algorithms: choose one with --algorithm"
        case .noKey(let algorithm):
            "there is no key for \(algorithm): the first one would sign at once, before verifiers know it"
        case .unknownStep(let count):
            "there are \(count) keys, and no record of the last step: set --step to promote if the "
                + "second key is the new one, or to drop if the first one is"
        case .otherKeys:
            "the keys differ from the record of the rotation, so the last step is unknown: look at the keys, "
                + "then set --step"
        case .wrongCount(let step, let count):
            "cannot \(step.phrase): there \(count == 1 ? "is one key" : "are \(count) keys")"
        case .notNext(let step, let next): "cannot \(step.phrase): the next step is to \(next.phrase)"
        }
    }
}
