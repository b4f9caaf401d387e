import { type Environment, type EnvironmentVariable, FleetError, type Operation, operations, type ServerName } from "@fleetwire/core";
import { serverVariables } from "@fleetwire/core/internal";
import { environmentVariables, type ServerConfig } from "../server-config.ts";

const endsWith = (pathname: string, path: string) => new RegExp(`${path.replaceAll(/\{\w+\}/g, "[^/]+")}/?$`).test(pathname);

// The first segment of the token request's path is the vendor's name.
const knownPath = ({ name, path }: Operation) =>
  name === operations.requestAccessToken.name ? path.replace(/^\/[^/]+/, "/{vendor}") : path;

/** The longest start of the operation's path with which a URL ends. A single segment could also be the end of a path prefix. */
function startIn(pathname: string, { path }: Operation): string | undefined {
  const segments = path.slice(1).split("/");
  const starts = segments.map((_, at) => `/${segments.slice(0, at + 1).join("/")}`).slice(1);
  return starts.findLast((start) => endsWith(pathname, start));
}

/** What is wrong with the URL of a server, if it ends with the path of an operation: core appends that itself. */
function pastedProblem(server: ServerName, address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { pathname } = new URL(address);
  const all = Object.values<Operation>(operations);
  const found = all.find((operation) => endsWith(pathname, knownPath(operation)));
  if (!found) {
    const sent = all.filter(({ name, servers }) => servers.includes(server) && name !== operations.requestAccessToken.name);
    const start = sent.map((operation) => startIn(pathname, operation)).find((text) => text !== undefined);
    return start && `holds the start of an operation's path: remove ${start} from its end`;
  }
  const last = found.servers.at(-1) ?? server;
  if (!found.servers.includes(server)) return `holds the URL of ${found.name}, whose server belongs in ${serverVariables[last]}`;
  if (server === "auth") return "holds a whole endpoint: keep the server's URL, and move the path to FLEET_TOKEN_PATH";
  return `holds the endpoint of ${found.name}: remove ${found.path} from its end`;
}

const isServer = (name: string): ServerName | undefined =>
  (Object.keys(serverVariables) as ServerName[]).find((server) => serverVariables[server] === name);

function problemOf(name: string, value: string, { secret }: EnvironmentVariable): string | undefined {
  const server = isServer(name);
  if (/^(["']).*\1$/.test(value)) return "is in quotes, which are part of the value: remove them";
  if (secret && /^https?:\/\//i.test(value)) return "holds a URL: it may be swapped with another variable";
  return server && pastedProblem(server, value);
}

/** Says which variables hold what cannot be right, even if it is well-formed; never repeats a value. */
export function settingProblems(env: Environment): string[] {
  return Object.entries<EnvironmentVariable>(environmentVariables).flatMap(([name, variable]) => {
    const value = env[name]?.trim();
    const problem = value ? problemOf(name, value, variable) : undefined;
    return problem === undefined ? [] : [`${name} ${problem}`];
  });
}

/** The variables of a connection that is already configured. */
export const connectionOf = ({ customerId, credentials, servers }: ServerConfig): Environment => ({
  FLEET_CUSTOMER_ID: customerId,
  FLEET_CLIENT_ID: credentials.clientId,
  FLEET_CLIENT_SECRET: credentials.clientSecret,
  ...Object.fromEntries(Object.entries(servers).map(([server, address]) => [serverVariables[server as ServerName], address])),
});

/** Throws one `config` error that lists the problems. */
export function rejectProblems(problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw new FleetError("config", `configuration: ${problems.join("; ")}`, { advice: "Fix the variables listed; nothing was sent" });
}
