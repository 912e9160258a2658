// SPDX-License-Identifier: Apache-2.0

package import OpenIDConnect
import Synchronization

/// The proofs of one login (RFC 9449): its key, and the clocks of the servers that responded in this login. It is a class
/// because a response tells the next request of the time.
package final class DPoPLogin: Sendable {
    /// The key, to which the code and the access token of the login are bound.
    package let key: DPoPKey
    /// How far the clock of an origin is ahead, in seconds.
    private let offsets = Mutex<[String: Int64]>([:])

    /// - Parameter key: The key of this login alone.
    package init(key: DPoPKey) {
        self.key = key
    }

    /// The time by the clock of an origin, in seconds since 1970: this server's, until a response told another one.
    func now(at origin: String, _ clock: any UnixClock) -> Int64 {
        clock.now() + (offsets.withLock { $0[origin] } ?? 0)
    }

    /// Follows the clock of an origin, as far as clocks may differ. A client that could shift it further would get
    /// proofs that are valid at another time.
    func follow(_ date: String?, of origin: String, _ clock: any UnixClock, within skew: Int64) {
        guard let time = date.flatMap({ HTTPDate.seconds($0) }) else { return }
        let offset = time - clock.now()
        offsets.withLock { $0[origin] = abs(offset) <= skew ? offset : nil }
    }
}
