import { type Operation, type OperationName, operations, type ServerName } from "@fleetwire/core";
import { operationAt, pathValuesOf } from "../replay/request-path.ts";

/** Where a deployment is: the URLs of its servers, if configured, and its token path. */
export interface Addresses {
  servers: { readonly [Name in ServerName]?: string | undefined };
  tokenPath?: string | undefined;
}

/** The operation that a request called, and the origin that it was sent to. */
export interface CalledOperation {
  operation: OperationName;
  origin: string;
}

/** Whether any server is configured. */
export const hasServers = ({ servers }: Addresses): boolean => Object.values(servers).some((server) => server !== undefined);

const segments = (path: string) => path.split("/").length;

/** Whether a path is that of an operation, after the prefix of its server. */
function isAt(path: string, { name, path: documented }: Operation, { tokenPath }: Addresses): boolean {
  const template = (name === "requestAccessToken" && tokenPath) || documented;
  return segments(path) === segments(template) && pathValuesOf(template, path) !== undefined;
}

/** The path below a server's URL. */
function pathBelow(server: string, { origin, pathname }: URL): string | undefined {
  const base = new URL(server);
  const prefix = base.pathname.replace(/\/+$/, "");
  return base.origin === origin && pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : undefined;
}

/** Which operation a request called: at its configured servers or, if no server is configured, at any host. */
export function calledOperation(method: string, address: string, addresses: Addresses): CalledOperation | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const found = hasServers(addresses)
    ? Object.values<Operation>(operations).find((operation) => {
        if (operation.method !== method) return false;
        const paths = operation.servers.map((server) => pathBelow(addresses.servers[server] ?? "data:", url));
        return paths.some((path) => path !== undefined && isAt(path, operation, addresses));
      })
    : operationAt(method, url.pathname);
  return found && { operation: found.name as OperationName, origin: url.origin };
}
