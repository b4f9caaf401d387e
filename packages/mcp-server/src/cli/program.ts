import { Command, InvalidArgumentError, Option } from "commander";
import { environmentVariables, httpVariables, knownVariables, optionsOf, secretVariables, withToggleValues } from "./environment.ts";
import type { HttpOptions } from "./http.ts";
import { packageVersion } from "./package-version.ts";
import { EXIT_USAGE, fail, printErrorsAsJson, printLinesAsJson } from "./print.ts";
import type { CommandOptions } from "./runtime.ts";
import type { TokenOptions } from "./token.ts";
import type { WatchCommandOptions, WatchSeconds } from "./watch.ts";

const COMMON = ["--sandbox", "--base-url", "--customer-id", "--confirm", "--read-only", "--tools", "--toolsets", "--log"];

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("It must be a whole number from 0 to 65535.");
  return port;
}

function readDays(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError("It must be a whole number of days, at least 1.");
  return Number(text);
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (!(seconds >= 0.05 && seconds <= 3600)) throw new InvalidArgumentError("It must be a number of seconds from 0.05 to 3600.");
  return seconds;
}

const HTTP_OPTIONS = [
  new Option("--port <number>", "port to listen on; 0 picks a free one").argParser(readPort).default(4020),
  new Option("--host <address>", "address to listen on; loopback unless callers are authenticated").default("127.0.0.1"),
  ...optionsOf(httpVariables),
];

function helpText(options: readonly Option[]): string {
  const common = options.filter(({ long }) => COMMON.includes(long ?? ""));
  const width = Math.max(...common.map(({ flags }) => flags.length));
  return `
Common flags, before or after the verb (for all flags, see fleetwire-mcp stdio --help):
${common.map(({ flags, description }) => `  ${flags.padEnd(width)}  ${description.replace(/ \[FLEET_\w+\]$/, "")}`).join("\n")}

Secrets can only be set in the environment:
${secretVariables(environmentVariables).join("\n")}

Examples:
  fleetwire-mcp --sandbox                                               serve a made-up fleet over stdio
  fleetwire-mcp http --port 4020 --sandbox                              serve it over HTTP, at http://127.0.0.1:4020/mcp
  fleetwire-mcp call locate_vehicle '{"query": "truck 12"}' --sandbox   call one tool
  fleetwire-mcp watch --rules rules.json --sandbox                      print what happens to the fleet
  fleetwire-mcp doctor                                                  check the configuration and the connection`;
}

/** Moves the verb to the front, since commander assigns flags that precede it to the default verb. */
function verbFirst(args: readonly string[], verbs: readonly string[], options: readonly Option[]): string[] {
  const takesValue = (arg: string) => options.some(({ long, required }) => required && long === arg);
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (takesValue(arg)) at++;
    else if (!arg.startsWith("-")) return verbs.includes(arg) ? [arg, ...args.slice(0, at), ...args.slice(at + 1)] : [...args];
  }
  return [...args];
}

/** Runs `fleetwire-mcp` with the arguments of a command line. */
export async function runProgram(args: readonly string[]): Promise<void> {
  const options = [new Option("--sandbox", "use the embedded sandbox; needs no configuration"), ...optionsOf(environmentVariables)];
  const program = new Command("fleetwire-mcp")
    .description("Lets an assistant ask where truck 12 is and create jobs, over the Model Context Protocol.")
    .version(packageVersion())
    .configureHelp({ helpWidth: 110, sortSubcommands: false })
    .configureOutput({ outputError: () => {} })
    .exitOverride(({ exitCode, code, message }) => {
      if (exitCode === 0) process.exit(0);
      // Help for an unknown verb is printed by then.
      if (code === "commander.help") process.exit(EXIT_USAGE);
      fail(message.replace(/^error: /, ""), EXIT_USAGE);
    })
    .addHelpText("after", helpText(options));
  const withEnvironment = (command: Command) => options.reduce((known, option) => known.addOption(option), command);

  withEnvironment(program.command("stdio", { isDefault: true }).description("serve over stdin and stdout (the default)"))
    .allowExcessArguments()
    .action(async (flags: CommandOptions, { args: [unknown], parent }: Command) => {
      // The default verb also receives unknown verbs.
      const verbs = parent?.commands.map((verb) => verb.name()).join(", ");
      if (unknown !== undefined) return fail(`unknown verb ${unknown}; verbs: ${verbs}`, EXIT_USAGE);
      const { stdio } = await import("./stdio.ts");
      return stdio(flags);
    });
  const http = withEnvironment(
    program.command("http").description("serve over Streamable HTTP at /mcp: to this machine only, unless callers are authenticated"),
  ).action(async (flags: HttpOptions) => {
    const { serveOverHttp } = await import("./http.ts");
    await serveOverHttp(flags);
  });
  for (const option of HTTP_OPTIONS) http.addOption(option);
  http.addHelpText("after", `\nSecrets can only be set in the environment:\n${secretVariables(knownVariables).join("\n")}`);
  program
    .command("token")
    .description("add a token for an HTTP caller to the token file, and print it; or list the tokens, or revoke one")
    .option("--name <name>", "who will use the new token; appears in the log")
    .option("--list", "list the tokens: names, scopes, tenants and expiry")
    .option("--revoke <name>", "remove a token from the file; a running server notices within a second")
    .option("--tokens-file <file>", "the file, which is created if necessary [FLEET_TOKENS_FILE]")
    .option("--write", "also allow writes")
    .option("--tenant <name>", "the customer, if the server has a tenants file")
    .option("--tenants-file <file>", "the tenants file, in which the customer must exist [FLEET_TENANTS_FILE]")
    .option("--days <number>", "days for which the token is valid (default unlimited)", readDays)
    .action(async (flags: TokenOptions) => {
      const { changeTokens } = await import("./token.ts");
      changeTokens(flags);
    });
  withEnvironment(
    program
      .command("call")
      .description("call one tool and print its result")
      .argument("<tool>", "name of the tool")
      .argument("[json]", "its arguments as JSON"),
  )
    .option("--json", "print the structured result as JSON")
    .action(async (tool: string, json: string | undefined, flags: CommandOptions) => {
      const { call } = await import("./call.ts");
      await call(tool, json, flags);
    });
  const watch = withEnvironment(
    program.command("watch").description("wait for what a file of rules describes, and print each event once, as a line of JSON"),
  )
    .requiredOption(
      "--rules <file>",
      'the rules: {"rules": [{"id": "arrive", "when": "arrives", "vehicle": "Van 1", "at": {"town": "Lyon"}}]}',
    )
    .addOption(new Option("--every <seconds>", "seconds between two reads of the fleet").argParser(readSeconds).default(30))
    .addOption(new Option("--first-retry <seconds>").argParser(readSeconds).hideHelp())
    .option(
      "--state <file>",
      "SQLite file that keeps what is known, so that the next watch continues (needs node-sqlite3-wasm); redis keeps it in FLEET_REDIS_URL, so that another process can take over",
    )
    .option("--exec <program>", "run a program for each event, with the event as JSON on its stdin")
    .option("--webhook <url>", "send each event to this https address, signed with FLEET_WEBHOOK_SECRET")
    .option("--webhook-private", "allow an address in a private network, and http")
    .option("--resend", "send everything at once that could not be delivered, also what was given up after a day")
    .option("--check", "explain the rules, say what they would have reported in the last hours of the sandbox, and end")
    .action(async ({ every, firstRetry, ...flags }: WatchCommandOptions & WatchSeconds) => {
      const { watch: run } = await import("./watch.ts");
      await run({ every, firstRetry }, flags);
    });
  withEnvironment(program.command("tools").description("list the available tools and their token cost")).action(
    async (flags: CommandOptions) => {
      const { listTools } = await import("./list-tools.ts");
      await listTools(flags);
    },
  );
  const examination = withEnvironment(
    program.command("doctor").description("check the settings and the service; report which tools are usable, and why others are not"),
  )
    .option("--json", "print the report as JSON")
    .action(async (flags: CommandOptions) => {
      const { doctor } = await import("./doctor.ts");
      await doctor(flags);
    });
  for (const option of optionsOf(httpVariables)) examination.addOption(option);

  const verbs = program.commands.map((verb) => verb.name());
  // Set first, so that it covers every error.
  printErrorsAsJson(args.includes("--json"));
  printLinesAsJson(undefined);
  await program.parseAsync(verbFirst(withToggleValues(args), verbs, [...options, ...HTTP_OPTIONS, ...watch.options]), { from: "user" });
}
