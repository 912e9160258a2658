// SPDX-License-Identifier: Apache-2.0

import OpenIDConnect

/// The names by which the loopback listener is known: those of this machine, and that which the Android emulator has for
/// the machine that it runs on.
///
/// A web page can give a name of its own the address of this machine, and is then, to the browser, the origin of this
/// listener. No page can have one of these names.
enum LoopbackHosts {
    private static let androidEmulator = "10.0.2.2"

    /// Whether an authority, with any port or none, is one of the listener's.
    static func contain(_ authority: String?) -> Bool {
        // The parser takes a host and a port, and nothing else before the path.
        guard let authority, let url = AbsoluteURL("http://" + authority + "/"), url.query == nil,
            url.path.utf8.count == 1
        else { return false }
        return url.isLoopback || url.host.utf8.elementsEqual(androidEmulator.utf8)
    }
}
