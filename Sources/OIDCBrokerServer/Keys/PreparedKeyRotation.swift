// SPDX-License-Identifier: Apache-2.0

/// A step of a change of keys whose files are complete beside the old ones. It has the lock as long as it exists.
package struct PreparedKeyRotation: Sendable {
    /// The step.
    package let step: KeyRotation.Step
    /// Whether a record says that it does not come too early.
    package let isKnownToBeInTime: Bool
    /// The identifier of the key that is added, moved or dropped.
    package let keyID: String
    /// When the step after this one may be taken, in seconds since 1970.
    package let nextTime: Int64

    let files: KeyRotationFiles
    let lock: FileLock

    /// Takes the step.
    /// - Throws: ``KeyFileError/cannotWrite(errorNumber:)``. The file has the old keys then.
    package func commit() throws(KeyFileError) {
        do throws(KeyFileError) {
            try replaceRecord()
            try replaceKeys()
        } catch {
            removeDrafts()
            throw error
        }
    }

    /// Replaces the record, which has the state that the keys are still in as well.
    package func replaceRecord() throws(KeyFileError) {
        try DurableFile.replace(files.record, by: files.recordDraft)
    }

    /// Replaces the keys.
    package func replaceKeys() throws(KeyFileError) {
        try DurableFile.replace(files.keys, by: files.keysDraft)
    }

    /// Removes what is beside the old files, also what a crash left there.
    func removeDrafts() {
        DurableFile.removeDraft(files.keysDraft)
        DurableFile.removeDraft(files.recordDraft)
    }
}
