import { FleetError } from "@fleetwire/core";
import { textColumns } from "@fleetwire/core/internal";
import { addToken, listTokens, removeToken } from "../callers/token-file.ts";
import { SCOPES } from "../mcp/scopes.ts";
import { tenantNames } from "../tenants/tenants-file.ts";
import { EXIT_USAGE, fail, notify, print } from "./print.ts";
import { failConfiguration } from "./runtime.ts";

export interface TokenOptions {
  name?: string;
  list?: boolean;
  revoke?: string;
  tokensFile?: string;
  tenantsFile?: string;
  write?: boolean;
  tenant?: string;
  days?: number;
}

const DAY_MS = 86_400_000;

/** Throws if the server would not know the tenant, or reject the token for lack of one. */
function checkTenant(tenant: string | undefined, tenantsFile: string | undefined): void {
  if (!tenantsFile) return;
  const names = tenantNames(tenantsFile);
  if (tenant !== undefined && names.includes(tenant)) return;
  const problem = tenant === undefined ? "with a tenants file, a token needs a tenant" : `there is no tenant ${tenant}`;
  throw new FleetError("config", `${problem}; tenants: ${names.join(", ")}`, { advice: "Set --tenant to one of them" });
}

function create(file: string, name: string, { tokensFile, tenantsFile, tenant, write = false, days }: TokenOptions): void {
  checkTenant(tenant, tenantsFile);
  const expires = days === undefined ? undefined : new Date(Date.now() + days * DAY_MS);
  print(addToken(file, { name, scopes: write ? SCOPES : [SCOPES[0]], tenant, expires }));
  const where = tokensFile === undefined ? "" : ` --tokens-file ${/\s/.test(tokensFile) ? `"${tokensFile}"` : tokensFile}`;
  const until = expires === undefined ? ", without an expiry (--days sets one)" : "";
  notify(`added ${name} to the file${until}; the token is not shown again. To revoke it, run fleetwire-mcp token --revoke ${name}${where}`);
}

function list(file: string): void {
  const expiryOf = (expires: string | undefined) => {
    if (expires === undefined) return "never";
    return Date.parse(expires) > Date.now() ? expires : `${expires} (expired)`;
  };
  const rows = listTokens(file).map(({ name, scopes, tenant = "-", expires }) => [name, scopes.join(" "), tenant, expiryOf(expires)]);
  print(textColumns([["name", "scopes", "tenant", "expires"], ...rows]));
}

function revoke(file: string, name: string): void {
  removeToken(file, name);
  notify(`revoked ${name}; a running server rejects it within a second, and its log then says "tokens read"`);
}

/** Runs the `token` verb: adds a token to the file and prints it, lists the tokens, or revokes one. */
export function changeTokens(options: TokenOptions): void {
  const { tokensFile: file = process.env["FLEET_TOKENS_FILE"], tenantsFile = process.env["FLEET_TENANTS_FILE"] } = options;
  const { name, list: isListed = false, revoke: revoked } = options;
  if ([name !== undefined, isListed, revoked !== undefined].filter(Boolean).length !== 1)
    fail("set one of --name, --list and --revoke", EXIT_USAGE);
  if (!file) fail("set --tokens-file or FLEET_TOKENS_FILE", EXIT_USAGE);
  try {
    if (name !== undefined) create(file, name, { ...options, ...(tenantsFile && { tenantsFile }) });
    else if (revoked !== undefined) revoke(file, revoked);
    else list(file);
  } catch (error) {
    failConfiguration(error);
  }
}
