import { readFileSync } from "node:fs";
import { serverVariables } from "@fleetwire/core/internal";
import { environmentVariables } from "../src/server-config.ts";

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
const { name, version, description, license, engines } = read("../package.json") as Record<string, string> & { engines: { node: string } };
const { repository } = read("../../../package.json") as { repository: { url: string } };

const address = repository.url.replace(/^git\+|\.git$/g, "");

/** What the manifests say about the package. */
export const product = { name, version, description, license, node: engines.node, address, owner: address.split("/").at(-2) ?? "" };

/** A value that a user gets from the operator of the fleet service. */
export interface HostSetting {
  name: string;
  title: string;
  description: string;
  secret: boolean;
  required: boolean;
  url: boolean;
}

const acronyms: Record<string, string> = { Id: "ID", Url: "URL", Api: "API" };

const titleOf = (variable: string) =>
  variable
    .replace("FLEET_", "")
    .split("_")
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .map((word) => acronyms[word] ?? word)
    .join(" ");

const servers: readonly string[] = Object.values(serverVariables);
const credentials = ["FLEET_CUSTOMER_ID", "FLEET_CLIENT_ID", "FLEET_CLIENT_SECRET"];

/** Few deployments have a server of their own for groups; the path of the token request differs in most. */
const asked = [...credentials, ...servers.filter((variable) => variable !== serverVariables.fleet), "FLEET_TOKEN_PATH"];

/** What every operator is asked for: with all of it, every tool is available. */
export const hostSettings: readonly HostSetting[] = asked.map((variable) => {
  const { description: purpose, secret } = environmentVariables[variable as keyof typeof environmentVariables] as {
    description: string;
    secret?: true;
  };
  return {
    name: variable,
    title: titleOf(variable),
    description: purpose.charAt(0).toUpperCase() + purpose.slice(1),
    secret: secret === true,
    required: credentials.includes(variable) || variable === serverVariables.base,
    url: servers.includes(variable),
  };
});

/** The command that hosts run. */
export const launch = { command: "npx", args: ["-y", name ?? ""] };

/** The environment of the server, with a value for each setting. */
export const environmentOf = (value: (setting: HostSetting) => string): Record<string, string> =>
  Object.fromEntries(hostSettings.map((setting) => [setting.name, value(setting)]));

/** What users replace in a block that they copy. */
export const placeholderOf = ({ url, name: variable }: HostSetting): string =>
  url ? "https://..." : variable.endsWith("_PATH") ? "/..." : "...";
