import type { FleetClientOptions } from "@fleetwire/core";
import type { ServerConfig } from "./tool.ts";

/** Options of the client, and the settings of the tools; what is absent has its default. */
export type FleetToolsConfig = FleetClientOptions & {
  [Setting in Exclude<keyof ServerConfig, keyof FleetClientOptions | "log">]?: ServerConfig[Setting] | undefined;
};

const DEFAULTS = {
  readOnly: false,
  confirm: "auto",
  maxResultTokens: 5000,
  result: "both",
  snapshotSeconds: 5,
  privacy: "respect",
  driverNames: "show",
} as const;

/** All settings, those that were not given with their defaults. */
export function settingsOf(config: FleetToolsConfig): ServerConfig {
  const given = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
  return {
    timeZone: undefined,
    tools: undefined,
    toolsets: undefined,
    sealKey: undefined,
    log: "warn",
    ...DEFAULTS,
    ...given,
  } as ServerConfig;
}
