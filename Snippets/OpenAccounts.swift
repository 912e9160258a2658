// SPDX-License-Identifier: Apache-2.0

//! The store of accounts is opened while a server starts. In the page AccountsSQLite.
// snippet.hide

import Accounts
import AccountsSQLite

#if SQLite
    func openAccounts() throws -> any AccountStore {
        // snippet.show
        let store = try SQLiteAccountStore.open(path: "/var/lib/oidc-broker/accounts.sqlite", project: "acme")
        // snippet.hide
        return store
    }
#endif
