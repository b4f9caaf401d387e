import { type Environment, operations } from "@fleetwire/core";
import { serverVariables, textColumns } from "@fleetwire/core/internal";
import { toolAvailability } from "@fleetwire/tools";
import { httpVariables, knownVariables } from "../http/http-variables.ts";
import { createLog } from "../log.ts";
import { type ServerConfig, serverConfigFromEnv } from "../server-config.ts";
import { readTenants } from "../tenants/tenants-file.ts";
import { connectionOf, rejectProblems, settingProblems } from "./check-settings.ts";
import { createFleet } from "./create-fleet.ts";
import { checkServers, type ProfileFinding, profileFinding, type ServerFinding } from "./diagnose.ts";
import { checkHttp, type HttpFinding, isForHttp } from "./diagnose-http.ts";
import { type HttpConfig, httpConfigFromEnv } from "./http-config.ts";
import { EXIT_FAILED, print } from "./print.ts";
import { type CommandOptions, openRuntime } from "./runtime.ts";
import { hostFindings, toolFindings } from "./usable-tools.ts";

interface Customer {
  /** Its name in the tenants file. */
  tenant?: string;
  config: ServerConfig;
}

interface Examined {
  customers: Customer[];
  /** Set if the settings are those of a server over HTTP. */
  http?: HttpConfig;
  /** Set by openRuntime with --sandbox. */
  sandbox?: boolean;
}

function readCustomers(env: Environment): Examined {
  const file = env["FLEET_TENANTS_FILE"]?.trim();
  if (!file) rejectProblems(settingProblems(env));
  // The address to listen on, which only the server is told, does not matter here.
  const http = isForHttp(env) ? httpConfigFromEnv(env, "127.0.0.1") : undefined;
  const found = http && { http };
  if (file) {
    const tenants = http?.tenants ?? readTenants(file, env);
    rejectProblems(tenants.flatMap(({ name, config }) => settingProblems(connectionOf(config)).map((problem) => `${name}: ${problem}`)));
    return { customers: tenants.map(({ name, config }) => ({ tenant: name, config })), ...found };
  }
  const config = http?.server ?? serverConfigFromEnv(env);
  toolAvailability(config);
  return { customers: [{ config }], ...found };
}

/** Returns the advice on failures, without repeating any. */
function adviceLines(findings: readonly { name: string; advice?: string | undefined }[]): string[] {
  const affected = new Map<string, string[]>();
  for (const { name, advice } of findings) if (advice !== undefined) affected.set(advice, [...(affected.get(advice) ?? []), name]);
  return [...affected].map(([advice, names]) => `- ${names.join(", ")}: ${advice}`);
}

/** Prints what was found about the server over HTTP. */
function reportHttp(findings: readonly HttpFinding[]): void {
  print(
    textColumns([["server over HTTP", "ok", ""], ...findings.map(({ variable, ok, message }) => [variable, ok ? "yes" : "NO", message])]),
  );
  const todo = adviceLines(findings.map(({ variable, advice }) => ({ name: variable, advice })));
  print(todo.length > 0 ? `What to do:\n${todo.join("\n")}\n` : "");
}

function profileLines({ facts, operations: observed, from, until, unexplained }: ProfileFinding): string[] {
  const period = from === undefined || until === undefined ? "" : `, from ${from} until ${until}`;
  const words = unexplained.slice(0, 10).join(", ") + (unexplained.length > 10 ? ", …" : "");
  return [
    `Profile: ${facts} observed facts about ${observed} operations${period}.`,
    ...(unexplained.length > 0 ? [`Observed words for activities that FLEET_ACTIVITY_WORDS does not explain: ${words}`] : []),
  ];
}

// The widths are known in advance, because each row is printed when its check ends.
const longest = (texts: readonly string[]) => Math.max(...texts.map((text) => text.length));
const WIDTHS = [longest(Object.values(serverVariables)), longest(Object.keys(operations)), "ok".length + 1] as const;
const printRow = (...[message, ...cells]: [message: string, server: string, operation: string, ok: string]) =>
  print(`${cells.map((cell, at) => cell.padEnd(WIDTHS[at] ?? 0)).join("  ")}  ${message}`.trimEnd());

async function examine({ tenant, config }: Customer, onFinding: (finding: ServerFinding) => void) {
  const servers: ServerFinding[] = [];
  for await (const finding of checkServers(config, createFleet(config, createLog(config.log)), Date.now())) {
    servers.push(finding);
    onFinding(finding);
  }
  const writes = hostFindings(config);
  const profile = profileFinding(config);
  return {
    ...(tenant !== undefined && { tenant }),
    ok: servers.every(({ ok }) => ok),
    // Set with --sandbox: the embedded sandbox was checked, not the servers in the environment.
    ...(config.sandbox && { sandbox: true }),
    ...(profile && { profile }),
    tools: toolFindings(config, servers),
    ...(writes && { writes }),
    servers,
  };
}

/** Checks one customer's servers, and prints each result as it goes and then what follows from them. */
async function report(customer: Customer) {
  if (customer.tenant !== undefined) print(`Tenant ${customer.tenant}`);
  if (customer.config.sandbox) print("Sandbox: only the made-up fleet's servers were checked, not those in your environment.\n");
  const profile = profileFinding(customer.config);
  if (profile) print(`${profileLines(profile).join("\n")}\n`);
  const writes = hostFindings(customer.config);
  if (writes) print(`${textColumns([["host", "writes"], ...writes.map(({ host, write }) => [host, write])])}\n`);
  printRow("", "server", "operation", "ok");
  const diagnosis = await examine(customer, ({ server, operation = "", ok, message }) =>
    printRow(message, server, operation, ok ? "yes" : "NO"),
  );
  const { tools, servers, sandbox } = diagnosis;
  const failed = servers.filter(({ ok }) => !ok).length;
  print(`\n${failed === 0 ? `All checks passed${sandbox ? " in the sandbox" : ""}.` : `${failed} of ${servers.length} checks failed.`}`);
  const unchecked = sandbox ? [] : tools.filter((tool) => tool.unchecked);
  if (unchecked.length > 0) {
    const variables = [...new Set(unchecked.flatMap((tool) => tool.unchecked))].join(", ");
    print(
      `Not checked: the path in ${variables}, on which ${unchecked.map(({ tool }) => tool).join(", ")} depends: a call would change data.`,
    );
  }
  const unusable = tools.filter(({ usable }) => !usable);
  print(`${tools.length - unusable.length} of ${tools.length} tools are usable.${unusable.length > 0 ? " The others:" : ""}`);
  if (unusable.length > 0) print(textColumns(unusable.map(({ tool, why = "" }) => [tool, why])));
  const todo = adviceLines(servers.map(({ server, operation, advice }) => ({ name: operation ?? server, advice })));
  if (todo.length > 0) print(`What to do:\n${todo.join("\n")}`);
  if (customer.tenant !== undefined) print("");
  return diagnosis;
}

/** With --sandbox, only the embedded sandbox is checked. */
const withoutHttp = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !Object.hasOwn(httpVariables, name)));

/** Checks the servers of the customer, or of each in a tenants file, and says which tools are usable. */
export async function doctor({ json, ...options }: CommandOptions): Promise<void> {
  const { config, close } = await openRuntime(options, (env) => readCustomers(options.sandbox ? withoutHttp(env) : env), knownVariables);
  const { sandbox, customers } = config;
  try {
    const http = config.http && (await checkHttp(config.http));
    if (http && !json) reportHttp(http);
    const diagnoses = [];
    for (const customer of customers) {
      const examined = sandbox ? { ...customer, config: { ...customer.config, sandbox } } : customer;
      diagnoses.push(await (json ? examine(examined, () => {}) : report(examined)));
    }
    const ok = [...diagnoses, ...(http ?? [])].every((finding) => finding.ok);
    if (!ok) process.exitCode = EXIT_FAILED;
    const customersFound = customers[0]?.tenant === undefined ? diagnoses[0] : { tenants: diagnoses };
    if (json) print(JSON.stringify({ ...customersFound, ok, ...(http && { http }) }, null, 2));
  } finally {
    await close();
  }
}
