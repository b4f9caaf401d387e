import type { FleetClientOptions } from "@fleetwire/core";
import { type FleetToolsConfig, fleetToolsConfigOf } from "./tools-config.ts";

/** The client's options, and those settings of tools that are to be other than their defaults. */
export type GivenConfig = FleetClientOptions & {
  [Setting in Exclude<keyof FleetToolsConfig, keyof FleetClientOptions>]?: FleetToolsConfig[Setting] | undefined;
};

/** All settings: those that were not given are as an environment without them would have them. */
export function settingsOf(config: GivenConfig): FleetToolsConfig {
  const given = Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
  return { ...fleetToolsConfigOf({}), ...(given as GivenConfig as FleetToolsConfig) };
}
