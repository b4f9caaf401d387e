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

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 26rem; margin: 12vh auto; padding: 0 1rem; }
h1 { font-size: 1.3rem; }
label, input { display: block; width: 100%; }
input, button, .button { box-sizing: border-box; margin-top: .4rem; padding: .5rem .8rem; border: 1px solid; border-radius: 6px; font: inherit; }
button, .button { display: inline-block; cursor: pointer; color: inherit; background: none; text-decoration: none; }
form { margin: 1rem 0; }
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
  cookies?: readonly string[];
}

const button = (action: string, text: string, value?: string) =>
  `<form method="post" action="${action}">${value === undefined ? "" : `<input type="hidden" name="customer" value="${escapeMarkup(value)}">`}<button>${escapeMarkup(text)}</button></form>`;

const signedIn = ({ id, customers, chosen }: NonNullable<SignInPage["account"]>) =>
  [
    `<p>Signed in as <b>${escapeMarkup(id)}</b>${chosen === undefined ? "" : `, ${escapeMarkup(chosen)}`}.</p>`,
    customers.length > 1 ? `<h2>Choose a customer</h2>${customers.map((name) => button(PATHS.customer, name, name)).join("")}` : "",
    chosen === undefined ? "" : `<p><a class="button" href="${CONSOLE_PATH}">Open the console</a></p>`,
    button(PATHS.signOut, "Sign out"),
  ].join("");

const signedOut = (hasCodeFlow: boolean) =>
  [
    hasCodeFlow ? `<p><a class="button" href="${PATHS.authorize}">Sign in with your account</a></p>` : "",
    `<form method="post" action="${PATHS.signIn}"><label>Token <input name="token" type="password" autocomplete="off" spellcheck="false" required></label><button>Sign in with a token</button></form>`,
  ].join("");

/** The page on which users of the console sign in and out, and choose a customer. It needs no script. */
export function signInPage({ status = 200, problem, hasCodeFlow, account, cookies = [] }: SignInPage): Response {
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Sign in: Fleetwire console</title><link rel="icon" href="${CONSOLE_PATH}/assets/icon.svg"><style>${STYLE}</style></head><body><main><h1>Fleetwire console</h1>${
    problem === undefined ? "" : `<p role="alert">${escapeMarkup(problem)}</p>`
  }${account ? signedIn(account) : signedOut(hasCodeFlow)}</main></body></html>`;
  const headers = new Headers(HEADERS);
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(body, { status, headers });
}
