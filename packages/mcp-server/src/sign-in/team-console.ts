import { hkdfSync, randomBytes } from "node:crypto";
import { EncryptJWT, jwtDecrypt } from "jose";
import { CONSOLE_PATH, type Identity, type TeamPage } from "../http/access.ts";
import type { Fleet } from "../http/fleet.ts";
import { readBody } from "../http/guard.ts";
import type { ServerLog } from "../log.ts";
import type { CodeFlow, Pending } from "./code-flow.ts";
import { PATHS, signInPage } from "./sign-in-page.ts";

/** A shift. The token is verified for every request, so a shorter one or a revoked token ends the session earlier. */
const SESSION_SECONDS = 8 * 3_600;
const PENDING_SECONDS = 600;
const API = `${CONSOLE_PATH}/api/`;
/** Browsers drop longer cookies without a word. */
const MAX_COOKIE = 4_000;
const UNVERIFIED = "Tokens cannot be verified at the moment";

interface Session {
  token: string;
  /** The customer that the user has chosen. */
  customer?: string | undefined;
}

interface TeamConsoleOptions {
  identify: (authorization: string | null) => Promise<Identity | Response>;
  fleets: readonly Fleet[];
  /** Where browsers reach the server. @default the address of the request, which is then on loopback */
  publicUrl?: URL | undefined;
  /** Encrypts the cookies, the same for all replicas. @default a key of this process */
  sealKey?: string | undefined;
  /** Loads the sign-in at the authorization server; by default, there is only the one with a token. */
  codeFlow?: (() => Promise<CodeFlow>) | undefined;
  log: ServerLog;
}

/** How long a session may last: a shift, but not longer than the token. */
const secondsLeft = ({ auth: { expiresAt = Number.POSITIVE_INFINITY } }: Identity) =>
  Math.max(0, Math.min(SESSION_SECONDS, Math.floor(expiresAt - Date.now() / 1_000)));

const customerOf = ({ tenant, customer }: Fleet) => tenant ?? customer ?? "";

const json = (value: unknown, status: number, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(value), {
    status,
    headers: { "content-type": "application/json", "cache-control": "no-store", "x-content-type-options": "nosniff", ...headers },
  });

function withCookies(response: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) response.headers.append("set-cookie", cookie);
  return response;
}

function redirect(location: string, ...cookies: string[]): Response {
  const headers = { location, "cache-control": "no-store", "referrer-policy": "same-origin" };
  return withCookies(new Response(null, { status: 303, headers }), cookies);
}

interface CookieOptions {
  name: string;
  /** Encrypts the value: 32 bytes, used for this cookie only. */
  key: Uint8Array;
  /** Whether it is only ever sent over HTTPS. */
  isSecure: boolean;
  path: string;
  sameSite: "Strict" | "Lax";
}

/** A cookie whose value neither scripts in the page nor anyone who reads it can see or change. */
function encryptedCookie<Value extends object>({ name: plainName, key, isSecure, path, sameSite }: CookieOptions) {
  const name = isSecure ? `__Secure-${plainName}` : plainName;
  const attributes = `Path=${path}; HttpOnly; SameSite=${sameSite}${isSecure ? "; Secure" : ""}`;
  return {
    /** Returns the header that sets it, or undefined if it would be too long. */
    set: async (value: Value, seconds: number): Promise<string | undefined> => {
      const encrypted = await new EncryptJWT({ value })
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
        .setExpirationTime(Math.floor(Date.now() / 1_000) + seconds)
        .encrypt(key);
      const header = `${name}=${encrypted}; Max-Age=${seconds}; ${attributes}`;
      return header.length > MAX_COOKIE ? undefined : header;
    },
    /** Returns the value that a request brings, if it was set here and has not expired. Of several cookies of this name, one may be of another account: they count as none. */
    read: async (request: Request): Promise<Value | undefined> => {
      const [sent, another] = (request.headers.get("cookie") ?? "").split(/[;,] */).filter((pair) => pair.trim().startsWith(`${name}=`));
      if (sent === undefined || another !== undefined) return undefined;
      try {
        const { payload } = await jwtDecrypt(sent.trim().slice(name.length + 1), key, {
          keyManagementAlgorithms: ["dir"],
          contentEncryptionAlgorithms: ["A256GCM"],
          requiredClaims: ["exp"],
        });
        return payload["value"] as Value;
      } catch {
        return undefined;
      }
    },
    /** The header that removes it. */
    cleared: `${name}=; Max-Age=0; ${attributes}`,
  };
}

/**
 * Serves the console to callers who sign in with a token or at the authorization server, each with the fleets of its own customers. The token stays in
 * an encrypted cookie, and is verified for every request for data.
 */
export function teamConsole({ identify, fleets, publicUrl, sealKey, codeFlow, log }: TeamConsoleOptions): TeamPage {
  const secret = sealKey === undefined ? randomBytes(32) : Buffer.from(sealKey, "base64");
  const cookie = <Value extends object>(name: string, path: string, sameSite: "Strict" | "Lax") =>
    encryptedCookie<Value>({
      name: `fleetwire-${name}`,
      key: new Uint8Array(hkdfSync("sha256", secret, "", `fleetwire console ${name}`, 32)),
      path,
      sameSite,
      isSecure: publicUrl?.protocol === "https:",
    });
  const sessions = cookie<Session>("session", CONSOLE_PATH, "Strict");
  // The authorization server's reply comes from another site.
  const pendings = cookie<Pending>("sign-in", PATHS.callback, "Lax");

  const signedIn = async (request: Request) => {
    const session = await sessions.read(request);
    return { session, caller: session && (await identify(`Bearer ${session.token}`)) };
  };
  const chosenBy = ({ fleets: own }: Identity, customer: string | undefined) =>
    own.length === 1 ? own[0] : own.find((fleet) => customerOf(fleet) === customer);
  const show = (page: Omit<Parameters<typeof signInPage>[0], "hasCodeFlow">, ...cookies: string[]) =>
    withCookies(signInPage({ ...page, hasCodeFlow: codeFlow !== undefined }), cookies);

  const showAccount = async (request: Request) => {
    const { session, caller } = await signedIn(request);
    if (caller === undefined) return show({});
    if (caller instanceof Response)
      return caller.status === 503
        ? show({ status: 503, problem: `${UNVERIFIED}. Try again later.` })
        : show({ problem: "You have been signed out: the token is no longer valid." }, sessions.cleared);
    const fleet = chosenBy(caller, session?.customer);
    return show({ account: { id: caller.id, customers: caller.fleets.map(customerOf), chosen: fleet && customerOf(fleet) } });
  };

  const begin = async (token: string, ...cookies: string[]) => {
    const caller = await identify(`Bearer ${token}`);
    if (caller instanceof Response) {
      const problems: Record<number, string> = {
        401: "This token is not valid.",
        403: "This token may not read a fleet of this server.",
      };
      const problem = problems[caller.status] ?? `${UNVERIFIED}. Try again later.`;
      return show({ status: caller.status, problem }, ...cookies);
    }
    const session = await sessions.set({ token }, secondsLeft(caller));
    if (session === undefined) return show({ status: 413, problem: "This token is too long for a cookie." }, ...cookies);
    log.info({ caller: caller.id, tenants: caller.fleets.map(customerOf) }, "signed in to the console");
    return redirect(caller.fleets.length === 1 ? CONSOLE_PATH : PATHS.signIn, session, ...cookies);
  };

  const choose = async (request: Request, customer: string) => {
    const { session, caller } = await signedIn(request);
    if (session === undefined || caller === undefined || caller instanceof Response) return redirect(PATHS.signIn);
    if (!caller.fleets.some((fleet) => customerOf(fleet) === customer))
      return show({ status: 403, problem: "You cannot see this customer." });
    const changed = await sessions.set({ ...session, customer }, secondsLeft(caller));
    return changed === undefined ? redirect(PATHS.signIn) : redirect(CONSOLE_PATH, changed);
  };

  const submitted = async (request: Request, pathname: string) => {
    const own = publicUrl?.origin ?? new URL(request.url).origin;
    if (request.headers.get("origin") !== own) return show({ status: 403, problem: `Open the console at ${own}${CONSOLE_PATH}` });
    const body = await readBody(request);
    if (!(body instanceof ArrayBuffer)) return show({ status: body.status, problem: "The form is not readable." });
    const form = new URLSearchParams(Buffer.from(body).toString());
    if (pathname === PATHS.signIn) return begin((form.get("token") ?? "").trim());
    if (pathname === PATHS.customer) return choose(request, form.get("customer") ?? "");
    if (pathname === PATHS.signOut) return redirect(PATHS.signIn, sessions.cleared);
    return json({ problem: "The console is read-only" }, 404);
  };

  const authorize = async (flow: () => Promise<CodeFlow>) => {
    try {
      const { url, pending } = await (await flow()).begin();
      return redirect(url.href, (await pendings.set(pending, PENDING_SECONDS)) ?? pendings.cleared);
    } catch {
      return show({ status: 503, problem: "The authorization server does not respond. Try again later." });
    }
  };

  const finish = async (flow: () => Promise<CodeFlow>, request: Request) => {
    const pending = await pendings.read(request);
    try {
      if (pending === undefined) throw new Error("not signed in");
      return await begin(await (await flow()).finish(new URL(request.url).searchParams, pending), pendings.cleared);
    } catch {
      // What the authorization server says may come from anyone, so it is not shown.
      return show({ status: 400, problem: "You have not been signed in. Try again." }, pendings.cleared);
    }
  };

  const read: TeamPage["serve"] = async (request, limits) => {
    const { session, caller } = await signedIn(request);
    const signIn = { problem: "Sign in to see the fleet" };
    if (caller === undefined) return json(signIn, 401);
    if (caller instanceof Response)
      return caller.status === 503 ? json({ problem: UNVERIFIED }, 503) : json(signIn, 401, { "set-cookie": sessions.cleared });
    const fleet = chosenBy(caller, session?.customer);
    if (fleet === undefined) return json({ problem: "Choose a customer" }, 401);
    // Apart from the caller's MCP requests, so that an open console does not use up what an assistant may send.
    const name = JSON.stringify([customerOf(fleet), caller.id, "console"]);
    const refusal = await limits.arrive(name);
    if (refusal) return json({ problem: refusal.message }, refusal.status, refusal.headers);
    const leave = limits.enter(name, customerOf(fleet));
    if (typeof leave !== "function") return json({ problem: leave.message }, leave.status, leave.headers);
    try {
      const response = await fleet.page?.(request);
      if (response?.status !== 200 || new URL(request.url).pathname !== `${API}about`) return response;
      const account = { name: caller.id, ...(fleet.tenant !== undefined && { customer: fleet.tenant }) };
      return new Response(JSON.stringify({ ...((await response.json()) as object), account }), response);
    } finally {
      leave();
    }
  };

  return {
    origin: publicUrl?.origin,
    serve: async (request, limits) => {
      const { pathname } = new URL(request.url);
      if (request.method === "POST") return submitted(request, pathname);
      if (pathname === PATHS.signIn) return showAccount(request);
      if (codeFlow && pathname === PATHS.authorize) return authorize(codeFlow);
      if (codeFlow && pathname === PATHS.callback) return finish(codeFlow, request);
      // The page itself shows nothing without data.
      return pathname.startsWith(API) ? read(request, limits) : fleets[0]?.page?.(request);
    },
  };
}
