// SPDX-License-Identifier: Apache-2.0

import JOSE

/// The script that a web app loads before the Firebase SDK.
///
/// The SDK takes the results of popups and redirects from `gapi.iframes`, which it loads from Google unless it is there
/// already. So this defines it, without a frame: a popup posts its event to the page, and the result of a redirect is
/// claimed by a visit to the broker, where the broker has its cookie. The text depends on nothing, so that an app can pin
/// its hash.
enum SDKScript {
    /// The script, of less than 4 KB.
    static let text = #"""
        // SPDX-License-Identifier: Apache-2.0
        // Stands in for Google's gapi.iframes: popups post results here, redirects claim theirs.
        (() => {
          "use strict";
          // An element may have the name.
          const script = new URL(Reflect.get(Document.prototype, "currentScript", document).src);
          const key = "oidc-broker:claim";
          const failure = (type, code, eventId) => ({ type, eventId, error: { code, message: code } });
          const nothing = failure("unknown", "auth/no-auth-event");

          const base64URL = (buffer) =>
            btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

          // Visits the broker, which has the cookie, for a ticket.
          async function claim(login) {
            try {
              // Without the SDK's, the link is a stranger's.
              const pending = Object.entries(sessionStorage).filter(([name]) => /^firebase(:pending|ui::redirectStatus)/.test(name));
              if (!/:pending/.test(pending)) return nothing;
              const verifier = base64URL(crypto.getRandomValues(new Uint8Array(32)));
              const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
              sessionStorage.setItem(key, JSON.stringify({ verifier, pending }));
              const href = new URL("claim?" + new URLSearchParams({ login, challenge: base64URL(hash) }), script);
              // The broker asks for the origin, whatever the page's policy.
              Object.assign(document.createElement("a"), { href, referrerPolicy: "origin" }).click();
            } catch {
              return failure("signInViaRedirect", "auth/operation-not-supported-in-this-environment");
            }
            return new Promise(() => {});
          }

          function returned({ type, eventId, ticket, code }) {
            if (!/^(signIn|link|reauth)ViaRedirect$/.test(type)) return nothing;
            const claim = JSON.parse(sessionStorage.getItem(key));
            sessionStorage.removeItem(key);
            claim?.pending.forEach(([name, value]) => sessionStorage.setItem(name, value));
            // Anybody can write these, but no others.
            if (/^auth\/(user-cancelled|network-request-failed|invalid-(credential|oauth-provider)|(internal|argument)-error|operation-not-allowed)$/.test(code)) {
              return failure(type, code, eventId);
            }
            // What this tab has not claimed is a stranger's.
            if (!claim || !ticket) return nothing;
            const urlResponse = new URL("handler?" + new URLSearchParams({ ticket }), script).href;
            return { type, eventId, urlResponse, sessionId: claim.verifier };
          }

          async function arrive() {
            if (!location.hash.startsWith("#oidc-broker=")) return nothing;
            const result = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
            const page = new URL(location);
            page.hash = result.fragment ? "#" + result.fragment : "";
            history.replaceState(history.state, "", page);
            return result.login ? claim(result.login) : returned(result);
          }

          const first = arrive().catch(() => nothing);
          const handlers = [];
          addEventListener("message", ({ origin, data }) => {
            if (origin !== script.origin || data?.type !== "authEvent") return;
            if (/^(signIn|link|reauth)ViaPopup$/.test(data.authEvent?.type)) handlers.forEach((each) => each(data));
          });

          class Iframe {
            register(type, handler) {
              if (type !== "authEvent") return;
              handlers.push(handler);
              first.then((authEvent) => handler({ type, authEvent }));
            }
            send(type, _, callback) {
              if (type !== "webStorageSupport") return;
              // The SDK's callback throws once served.
              first.then(() => callback([{ status: "ACK", webStorageSupport: true }])).catch(() => {});
            }
            async ping(callback) {
              return [callback?.()];
            }
            async restyle() {}
          }

          async function open({ url }, callback) {
            if (new URL(url).origin !== script.origin) throw Error(`${url} is not of ${script.origin}`);
            await first;
            return callback(new Iframe());
          }

          const gapi = (window.gapi ??= {});
          gapi.iframes = { Iframe, CROSS_ORIGIN_IFRAMES_FILTER: () => true, getContext: () => ({ open }) };
          gapi.load ??= (_, options) => void setTimeout(options.callback ?? options);
        })();

        """#

    /// The value of the attribute `integrity` (Subresource Integrity section 3.1).
    static let integrity = "sha384-\(Base64.encode(Hash.sha384(text.utf8)))"
}
