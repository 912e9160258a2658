// SPDX-License-Identifier: Apache-2.0
// Shows the component with the SDK, as Streamlit does, and finds the SDK's object in it.
"use strict";
const bundle = {
  // What the component told Streamlit, and what the SDK told its observer.
  values: [],
  tokens: [],
  // Whether the SDK knows whether somebody is signed in.
  isReady: false,

  // The object is a member of the component, which React keeps in its tree.
  get auth() {
    const root = document.getElementById("root");
    const key = Object.keys(root ?? {}).find((name) => name.startsWith("__reactContainer$"));
    const find = (fiber) =>
      fiber ? (fiber.stateNode?.authInstance ?? find(fiber.child) ?? find(fiber.sibling)) : undefined;
    return find(root?.[key]) ?? null;
  },

  async show() {
    const config = JSON.parse(document.getElementById("config").textContent);
    const args = { name: "LoginForm", lang: "en", providers: ["google"], firebase_config: config };
    // It listens only after it was mounted.
    while (!this.auth) {
      window.postMessage({ type: "streamlit:render", args, disabled: false, theme: undefined }, location.origin);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await this.auth.authStateReady();
    this.auth.onIdTokenChanged((user) => {
      this.tokens.push(user?.uid ?? null);
      this.isReady = true;
    });
  },
};

addEventListener("message", ({ data }) => {
  if (data?.type === "streamlit:setComponentValue") bundle.values.push(data.value);
});
window.bundle = bundle;
bundle.show();
