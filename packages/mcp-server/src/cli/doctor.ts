import { type Environment, operations } from "@fleetwire/core";
import { serverVariables, textColumns } from "@fleetwire/core/internal";
import { toolAvailability } from "@fleetwire/tools";
import { httpVariables, knownVariables } from "../http/http-variables.ts";
import { createLog } from "../log.ts";
import { type ServerConfig, serverConfigFromEnv } from "../server-config.ts";
import { readTenants } from "../tenants/tenants-file.ts";
import { connectionOf, rejectProblems, settingProblems } from "./check-settings.ts";
import { createFleet } from "./create-fleet.ts";
import { checkServers, type ServerFinding, toolFindings } from "./diagnose.ts";
import { checkHttp, isForHttp } from "./diagnose-http.ts";
import { type HttpConfig, httpConfigFromEnv } from "./http-config.ts";
import { EXIT_FAILED, print } from "./print.ts";
import { type CommandOptions, openRuntime } from "./runtime.ts";

interface Customer {
  /** Its name in the tenants file. */
  tenant?: string;
  config: ServerConfig;
}

function readCustomers(env: Environment): { customers: Customer[]; http?: HttpConfig; sandbox?: boolean } {
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

/** Prints the advice on failures, without repeating any. */
function printAdvice(findings: readonly { name: string; advice?: string | undefined }[]): void {
  const affected = new Map<string, string[]>();
  for (const { name, advice } of findings) if (advice !== undefined) affected.set(advice, [...(affected.get(advice) ?? []), name]);
  if (affected.size > 0) print(["What to do:", ...[...affected].map(([advice, names]) => `- ${names.join(", ")}: ${advice}`)].join("\n"));
}

// The widths are known in advance, because each row is printed when its check ends.
const longest = (texts: readonly string[]) => Math.max(...texts.map((text) => text.length));
const WIDTHS = [longest(Object.values(serverVariables)), longest(Object.keys(operations)), "ok".length + 1] as const;
const printRow = (...[message, ...cells]: [message: string, server: string, operation: string, ok: string]) =>
  print(`${cells.map((cell, at) => cell.padEnd(WIDTHS[at] ?? 0)).join("  ")}  ${message}`.trimEnd());

/** Checks one customer's servers. */
async function examine({ tenant, config }: Customer, onFinding: (finding: ServerFinding) => void = () => {}) {
  const servers: ServerFinding[] = [];
  for await (const finding of checkServers(config, createFleet(config, createLog(config.log)), Date.now())) {
    servers.push(finding);
    onFinding(finding);
  }
  const ok = servers.every((finding) => finding.ok);
  // With --sandbox, the embedded sandbox was checked, not the servers in the environment.
  return {
    ...(tenant !== undefined && { tenant }),
    ok,
    ...(config.sandbox && { sandbox: true }),
    tools: toolFindings(config, servers),
    servers,
  };
}

/** Checks one customer's servers, and prints each result as it goes and then what follows from them. */
async function report(customer: Customer) {
  if (customer.tenant !== undefined) print(`Tenant ${customer.tenant}`);
  if (customer.config.sandbox) print("Sandbox: only the made-up fleet's servers were checked, not those in your environment.\n");
  printRow("", "server", "operation", "ok");
  const diagnosis = await examine(customer, ({ server, operation = "", ok, message }) =>
    printRow(message, server, operation, ok ? "yes" : "NO"),
  );
  const { tools, servers, sandbox } = diagnosis;
  const failed = servers.filter(({ ok }) => !ok).length;
  print(`\n${failed === 0 ? `All checks passed${sandbox ? " in the sandbox" : ""}.` : `${failed} of ${servers.length} checks failed.`}`);
  const unusable = tools.filter(({ usable }) => !usable);
  print(`${tools.length - unusable.length} of ${tools.length} tools are usable.${unusable.length > 0 ? " The others:" : ""}`);
  if (unusable.length > 0) print(textColumns(unusable.map(({ tool, why = "" }) => [tool, why])));
  printAdvice(servers.map(({ server, operation, advice }) => ({ name: operation ?? server, advice })));
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
    if (http && !json) {
      print(
        textColumns([["server over HTTP", "ok", ""], ...http.map(({ variable, ok, message }) => [variable, ok ? "yes" : "NO", message])]),
      );
      printAdvice(http.map(({ variable, advice }) => ({ name: variable, advice })));
      print("");
    }
    const diagnoses = [];
    for (const customer of customers) {
      const examined = sandbox ? { ...customer, config: { ...customer.config, sandbox } } : customer;
      diagnoses.push(await (json ? examine(examined) : report(examined)));
    }
    const ok = [...diagnoses, ...(http ?? [])].every((finding) => finding.ok);
    if (!ok) process.exitCode = EXIT_FAILED;
    const customersFound = customers[0]?.tenant === undefined ? diagnoses[0] : { tenants: diagnoses };
    if (json) print(JSON.stringify({ ...customersFound, ok, ...(http && { http }) }, null, 2));
  } finally {
    await close();
  }
}
