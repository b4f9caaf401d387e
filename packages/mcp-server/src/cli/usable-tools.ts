import { toolAvailability } from "@fleetwire/tools";
import type { ServerConfig } from "../server-config.ts";
import type { ServerFinding } from "./diagnose.ts";

export interface ToolFinding {
  tool: string;
  listed: boolean;
  /** Whether it is listed and all its checks passed. */
  usable: boolean;
  /** Why it is not usable. */
  why?: string;
  /** The variables whose paths have to be right for it to be usable, and could not be checked. */
  unchecked?: string[];
}

export interface HostFinding {
  host: string;
  write: string;
}

/** What happens to a write in each kind of host, by FLEET_CONFIRM. */
const HOSTS: Record<ServerConfig["confirm"], readonly HostFinding[]> = {
  auto: [
    { host: "asks its user (elicitation)", write: "sent once the user approves exactly what is shown" },
    { host: "declares elicitation but runs headless", write: "never sent, since the host replies without asking; use --confirm never" },
    { host: "does not support elicitation", write: "previewed, then sent when the call is repeated with the confirmation" },
    { host: "starts a process for each call", write: "as above if FLEET_SEAL_KEY is set; otherwise confirmations are never accepted" },
  ],
  never: [{ host: "any", write: "sent at once; with FLEET_CONFIRM=never, approval is up to the host" }],
};

/** Says which tools are usable after the checks, and why others are not. */
export function toolFindings(config: ServerConfig, servers: readonly ServerFinding[]): ToolFinding[] {
  const failed = new Set(servers.flatMap(({ ok, operation }) => (ok || operation === undefined ? [] : [operation])));
  return toolAvailability(config).map((entry) => {
    const { name: tool, operations: called } = entry.tool;
    if (!entry.available) return { tool, listed: false, usable: false, why: entry.reason };
    const broken = called.filter(({ name }) => failed.has(name)).map(({ name }) => name);
    if (broken.length > 0) return { tool, listed: true, usable: false, why: `${broken.join(" and ")} failed` };
    const unchecked = servers.filter((found) => found.unchecked && called.some(({ name }) => name === found.operation));
    return { tool, listed: true, usable: true, ...(unchecked.length > 0 && { unchecked: unchecked.map(({ server }) => server) }) };
  });
}

/** What happens to a write in each kind of host; undefined if no write tool is listed. */
export const hostFindings = (config: ServerConfig): readonly HostFinding[] | undefined =>
  toolAvailability(config).some(({ tool, available }) => available && tool.effect !== "read") ? HOSTS[config.confirm] : undefined;
