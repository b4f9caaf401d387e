import { addToken } from "../callers/token-file.ts";
import { SCOPES } from "../mcp/scopes.ts";
import { EXIT_USAGE, fail, notify, print } from "./print.ts";
import { failConfiguration } from "./runtime.ts";

export interface TokenOptions {
  name: string;
  tokensFile?: string;
  write?: boolean;
  tenant?: string;
  days?: number;
}

const DAY_MS = 86_400_000;

/** Runs the `token` verb: adds a token to the file and prints it. */
export function createToken({ name, tokensFile = process.env["FLEET_TOKENS_FILE"], write = false, tenant, days }: TokenOptions): void {
  if (!tokensFile) fail("set --tokens-file or FLEET_TOKENS_FILE", EXIT_USAGE);
  const expires = days === undefined ? undefined : new Date(Date.now() + days * DAY_MS);
  try {
    const token = addToken(tokensFile, { name, scopes: write ? SCOPES : [SCOPES[0]], tenant, expires });
    print(token);
    notify(`added ${name} to the file; the token is not shown again. To revoke it, delete its entry`);
  } catch (error) {
    failConfiguration(error);
  }
}
