import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { Command, Option } from "commander";
import { createLog } from "../log.ts";
import { runTool } from "../run-tool.ts";
import { availableTools, createServerFactory } from "../server.ts";
import { createToolContext } from "../tool-context.ts";
import { tools } from "../tools/index.ts";
import { type CommandOptions, environmentOptions, secretVariables } from "./environment.ts";
import { hostOption, portOption, serveOverHttp } from "./http.ts";
import { fail, print, table } from "./print.ts";
import { createFleet, EXIT_FAILED, EXIT_USAGE, open, packageVersion } from "./session.ts";
import { readSurfaceBaseline, surfaceCost } from "./surface.ts";

async function stdio(options: CommandOptions, command: Command): Promise<void> {
  // As the default it is also given what was meant for a verb.
  const [unknown] = command.args;
  if (unknown !== undefined)
    return fail(`there is no verb ${unknown}; verbs: ${command.parent?.commands.map((verb) => verb.name()).join(", ")}`, EXIT_USAGE);
  const { config, close } = await open(options);
  const log = createLog(config.log);
  const factory = createServerFactory({ fleet: createFleet(config, log), config, log, version: packageVersion() });
  const handle = serveStdio(factory, { onerror: ({ name }) => log.error({ error: name }, "protocol") });
  let ending = false;
  const end = async () => {
    if (ending) return;
    ending = true;
    await handle.close();
    await close();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end);
  process.stdin.once("end", end).once("close", end);
}

async function call(name: string, json: string | undefined, { json: asJson, ...options }: CommandOptions): Promise<void> {
  const { config, close } = await open(options);
  try {
    const tool = availableTools(config).find((candidate) => candidate.name === name);
    if (!tool) {
      const known = tools.some((candidate) => candidate.name === name);
      const names = availableTools(config).map((candidate) => candidate.name);
      return fail(
        `${known ? `${name} is not available under this configuration` : `there is no tool ${name}`}; available: ${names.join(", ")}`,
        EXIT_USAGE,
      );
    }
    let args: unknown;
    try {
      args = JSON.parse(json ?? "{}");
    } catch {
      return fail(`the arguments of ${name} are not JSON, such as '{"query": "truck 12"}'`, EXIT_USAGE);
    }
    const fleet = createFleet(config, createLog(config.log));
    const result = await runTool(tool, args, createToolContext(fleet, config));
    // Nobody can be asked here, so nothing is.
    if ("ask" in result) throw new TypeError("a question to nobody");
    if ("error" in result) {
      process.stderr.write(`${result.error}\n`);
      process.exitCode = EXIT_FAILED;
    } else {
      print(asJson ? JSON.stringify(result.structured, null, 2) : result.text);
    }
  } finally {
    await close();
  }
}

async function listTools(options: CommandOptions): Promise<void> {
  const { config, close } = await open(options);
  await close();
  const baseline = readSurfaceBaseline();
  const offered = availableTools(config).map((tool) => ({ ...tool, cost: surfaceCost(tool, baseline) }));
  const rows = offered.map(({ name, effect, title, cost: { tokens, change } }) => [name, effect, tokens, change ?? "new", title]);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const total = sum(offered.map(({ cost }) => cost.tokens));
  const change = sum(offered.map(({ name, cost }) => cost.tokens - (baseline[name]?.tokens ?? 0)));
  print(table([["tool", "effect", "tokens", "change", "title"], ...rows, ["total", "", total, change, `${offered.length} tools`]]));
  const estimated = offered.filter(({ cost }) => !cost.counted).map(({ name }) => name);
  print("\nTokens (o200k) of what a model sees: name, description, input schema. Change: since they were last counted and committed.");
  if (estimated.length > 0) print(`Estimated as characters / 4 until npm run surface: ${estimated.join(", ")}.`);
}

const EXAMPLES = `
Secrets come from the environment only:
${secretVariables().join("\n")}

Examples:
  fleetwire-mcp --sandbox                                               serve a made-up fleet over stdio
  fleetwire-mcp http --port 4020 --sandbox                              serve it over HTTP, at http://127.0.0.1:4020/mcp
  fleetwire-mcp call locate_vehicle '{"query": "truck 12"}' --sandbox   ask one question
  fleetwire-mcp tools --sandbox                                         list the tools and what they cost`;

/** The command line of `fleetwire-mcp`. */
export function createProgram(): Command {
  const program = new Command("fleetwire-mcp")
    .description("Lets an assistant ask where truck 12 is and create jobs, over the Model Context Protocol.")
    .version(packageVersion())
    .configureHelp({ helpWidth: 110, sortSubcommands: false })
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : EXIT_USAGE))
    .addHelpText("after", EXAMPLES);
  const sandbox = () => new Option("--sandbox", "use the embedded sandbox; needs no configuration");
  const withEnvironment = (command: Command) =>
    [sandbox(), ...environmentOptions()].reduce((known, option) => known.addOption(option), command);

  withEnvironment(program.command("stdio", { isDefault: true }).description("serve over stdin and stdout (the default)"))
    .allowExcessArguments()
    .action(stdio);
  withEnvironment(
    program
      .command("http")
      .description("serve over Streamable HTTP at /mcp, for this machine only")
      .addOption(portOption())
      .addOption(hostOption()),
  ).action(serveOverHttp);
  withEnvironment(
    program
      .command("call")
      .description("call one tool and print its answer")
      .argument("<tool>", "name of the tool")
      .argument("[json]", "its arguments"),
  )
    .option("--json", "print the structured answer")
    .action(call);
  withEnvironment(program.command("tools").description("list the available tools and their token cost")).action(listTools);
  return program;
}
