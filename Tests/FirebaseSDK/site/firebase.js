// SPDX-License-Identifier: Apache-2.0
// An app with the Firebase SDK, which shows what the SDK told it.
import { SDK_VERSION, initializeApp } from "firebase/app";
import {
  GoogleAuthProvider,
  OAuthProvider,
  connectAuthEmulator,
  getAuth,
  getRedirectResult,
  onIdTokenChanged,
  revokeAccessToken,
  signInWithPopup,
  signInWithRedirect,
} from "firebase/auth";

const { broker, ...config } = JSON.parse(document.getElementById("config").textContent);
const auth = getAuth(initializeApp(config));
connectAuthEmulator(auth, broker, { disableWarnings: true });

const page = {
  auth,
  revokeAccessToken,
  version: SDK_VERSION,
  // Where the buttons lead.
  providerId: GoogleAuthProvider.PROVIDER_ID,
  // What came of the last sign-in by popup, and of a redirect before this page: the user, or the code of an error.
  said: null,
  redirected: outcome(getRedirectResult(auth)),
  // Whom the SDK told its observer of.
  tokens: [],
  // Whether the SDK knows whether somebody is signed in.
  isReady: false,
};

function outcome(result) {
  return result.then(
    (value) => ({ user: value?.user.toJSON() ?? null }),
    ({ code }) => ({ code }),
  );
}

function provider() {
  const isGoogle = page.providerId === GoogleAuthProvider.PROVIDER_ID;
  return isGoogle ? new GoogleAuthProvider() : new OAuthProvider(page.providerId);
}

document.getElementById("popup").onclick = async () => {
  page.said = await outcome(signInWithPopup(auth, provider()));
};
document.getElementById("redirect").onclick = () => signInWithRedirect(auth, provider());

window.page = page;
await auth.authStateReady();
onIdTokenChanged(auth, (user) => {
  page.tokens.push(user?.uid ?? null);
  page.isReady = true;
});
