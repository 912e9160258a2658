// SPDX-License-Identifier: Apache-2.0

import NIOSSL

extension ClientCertificate {
    /// The time at which the client's own certificate ends, in seconds since 1970; `nil` if it cannot be read.
    package var end: Int64? {
        NIOSSLCertificate.certificates(inPEM: certificateChain).first.map { Int64($0.notValidAfter) }
    }
}
