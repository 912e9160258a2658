// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Where a client keeps the session of the signed-in user, so that it outlives the app.
///
/// The session contains the refresh token, which is enough to act as that user until the session ends: store it where
/// no other app and no backup can read it. One storage belongs to one client of one process, which reads it once and
/// never calls it twice at a time for writing: a second client would bring back a user who signed out at the first.
public protocol SessionStorage: Sendable {
    /// Returns what was saved last; `nil` if there is nothing.
    ///
    /// - Throws: An error if it cannot be read now, in which case the user does not count as signed out.
    func load() async throws -> Data?

    /// Replaces what is stored, as a whole or not at all.
    ///
    /// - Parameter session: The session, which has no meaning to a storage.
    /// - Throws: An error if it was not stored.
    func save(_ session: Data) async throws

    /// Removes what is stored. It succeeds if there is nothing.
    ///
    /// - Throws: An error if it was not removed.
    func clear() async throws
}
