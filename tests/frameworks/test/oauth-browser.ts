/** A user's browser, as far as signing in needs one: it keeps cookies, follows redirects and submits the form. */
export interface SigningIn {
  name: string;
  password: string;
  /** Where the reply goes: the browser stops before it. */
  redirectUri: string;
}

/** Signs in at an authorization server, and returns where it sends the browser. Throws with the page's text if it shows a problem instead. */
export async function signIn(page: string, { name, password, redirectUri }: SigningIn): Promise<URL> {
  const cookies = new Map<string, string>();
  const request = async (url: URL, init: RequestInit = {}) => {
    const cookie = [...cookies].map((entry) => entry.join("=")).join("; ");
    const response = await fetch(url, { ...init, redirect: "manual", headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, key = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(key, value);
    }
    return response;
  };
  let at = new URL(page);
  let hasSubmitted = false;
  for (let hop = 0; hop < 10; hop++) {
    const response = await request(at);
    const location = response.headers.get("location");
    if (location !== null) {
      at = new URL(location, at);
      if (at.href.startsWith(redirectUri)) return at;
      continue;
    }
    const shown = await response.text();
    if (response.status !== 200 || hasSubmitted) throw new Error(`${response.status}: ${shown}`);
    hasSubmitted = true;
    const submitted = await request(at, { method: "POST", body: new URLSearchParams({ name, password }) });
    const next = submitted.headers.get("location");
    if (next === null) throw new Error(`${submitted.status}: ${await submitted.text()}`);
    at = new URL(next, at);
  }
  throw new Error("too many redirects");
}
