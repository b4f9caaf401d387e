import { createHash } from "node:crypto";
import { escapeMarkup } from "@fleetwire/core/internal";
import { CONSOLE_PATH } from "../http/access.ts";

export const PATHS = {
  signIn: `${CONSOLE_PATH}/sign-in`,
  signOut: `${CONSOLE_PATH}/sign-out`,
  customer: `${CONSOLE_PATH}/customer`,
  authorize: `${CONSOLE_PATH}/authorize`,
  callback: `${CONSOLE_PATH}/callback`,
} as const;

// In the colours of the console (page.css).
const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --line: light-dark(#d5dbe1, #2f3d4a); --accent: light-dark(#006b50, #35d6a6); }
* { box-sizing: border-box; }
body { margin: 0; padding: 12vh 1rem 2rem; background: light-dark(#f4f5f7, #0f161d); color: light-dark(#13202b, #eef3f7); }
main { max-width: 24rem; margin: auto; padding: 1.5rem; border: 1px solid var(--line); border-radius: 12px; background: light-dark(#ffffff, #18212a); }
h1 { display: flex; gap: .6rem; align-items: center; margin: 0 0 1.2rem; font-size: 1.25rem; line-height: 1.2; }
h1 img { width: 28px; height: 28px; }
h2 { font-size: 1rem; }
[role="alert"] { padding: .5rem .8rem; border-radius: 6px; background: light-dark(#fde9e7, #3d1d1b); color: light-dark(#b3261e, #ff8f86); }
label { display: block; font-weight: 600; }
input { margin-top: .3rem; border: 1px solid light-dark(#7b8794, #74828f); background: light-dark(#ffffff, #0f161d); }
button, .button { border: 1px solid var(--line); background: none; color: inherit; text-align: center; text-decoration: none; cursor: pointer; }
input, button, .button { display: block; width: 100%; padding: .55rem .8rem; border-radius: 6px; font: inherit; }
.main { border-color: var(--accent); background: var(--accent); color: light-dark(#ffffff, #06261c); font-weight: 600; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
form, p { margin: 0 0 1rem; }
label + button { margin-top: 1rem; }
main > :last-child { margin-bottom: 0; }
`;

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  // With no-referrer, browsers would send the forms with the Origin "null".
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

interface SignInPage {
  status?: number;
  /** Our own words. */
  problem?: string;
  /** Whether users can sign in at the authorization server. */
  hasCodeFlow: boolean;
  /** Who is signed in, and the customers to choose from. */
  account?: { id: string; customers: readonly string[]; chosen: string | undefined };
}

const button = (action: string, text: string, value?: string) =>
  `<form method="post" action="${action}">${value === undefined ? "" : `<input type="hidden" name="customer" value="${escapeMarkup(value)}">`}<button>${escapeMarkup(text)}</button></form>`;

const signedIn = ({ id, customers, chosen }: NonNullable<SignInPage["account"]>) =>
  [
    `<p>Signed in as <b>${escapeMarkup(id)}</b>${chosen === undefined ? "" : `, ${escapeMarkup(chosen)}`}.</p>`,
    customers.length > 1 ? `<h2>Choose a customer</h2>${customers.map((name) => button(PATHS.customer, name, name)).join("")}` : "",
    chosen === undefined ? "" : `<p><a class="button main" href="${CONSOLE_PATH}">Open the console</a></p>`,
    button(PATHS.signOut, "Sign out"),
  ].join("");

const signedOut = (hasCodeFlow: boolean) =>
  [
    hasCodeFlow ? `<p><a class="button main" href="${PATHS.authorize}">Sign in with your account</a></p>` : "",
    `<form method="post" action="${PATHS.signIn}"><label>Token <input name="token" type="password" autocomplete="off" spellcheck="false" required></label><button${hasCodeFlow ? "" : ' class="main"'}>Sign in with a token</button></form>`,
  ].join("");

/** The page on which users of the console sign in and out, and choose a customer. It needs no script. */
export function signInPage({ status = 200, problem, hasCodeFlow, account }: SignInPage): Response {
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Sign in: Fleetwire console</title><link rel="icon" href="${CONSOLE_PATH}/assets/icon.svg"><style>${STYLE}</style></head><body><main><h1><img src="${CONSOLE_PATH}/assets/icon.svg" alt="">Fleetwire console</h1>${
    problem === undefined ? "" : `<p role="alert">${escapeMarkup(problem)}</p>`
  }${account ? signedIn(account) : signedOut(hasCodeFlow)}</main></body></html>`;
  return new Response(body, { status, headers: HEADERS });
}
