// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The sealer under the sealing keys that the broker has now. A reload of its configuration replaces them, and what was
/// sealed under a key that is gone does not open from then on.
final class CurrentSealer: Sendable {
    private let sealer: Mutex<PendingCredentialSealer>

    init(_ sealer: PendingCredentialSealer) { self.sealer = Mutex(sealer) }

    /// The sealer for one request.
    var value: PendingCredentialSealer { sealer.withLock { $0 } }

    /// Replaces the sealer, for every request from now on.
    func replace(by sealer: PendingCredentialSealer) { self.sealer.withLock { $0 = sealer } }
}
