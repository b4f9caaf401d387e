import { commandError, variableLines } from "@fleetwire/core/internal";
import { Command, InvalidArgumentError, Option } from "commander";
import { environmentVariables, knownVariables, variablesBesideServer, watchVariables } from "../watch/watch-variables.ts";
import type { HttpOptions } from "./http.ts";
import { EXIT_USAGE, fail, packageVersion, printErrorsAsJson, printLinesAsJson } from "./print.ts";
import type { CommandOptions } from "./runtime.ts";
import type { TokenOptions } from "./token.ts";
import type { WatchCommandOptions, WatchSeconds } from "./watch.ts";

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

const EXAMPLES = `
Settings are environment variables. These are required; stdio --help, http --help and watch --help list the others:
${variableLines(Object.fromEntries(Object.entries(environmentVariables).filter(([, variable]) => "required" in variable)))}

Examples:
  fleetwire-mcp --sandbox                                               serve a made-up fleet over stdio
  fleetwire-mcp http --port 4020 --sandbox                              serve it over HTTP, at http://127.0.0.1:4020/mcp
  fleetwire-mcp call locate_vehicle '{"query": "truck 12"}' --sandbox   call one tool
  fleetwire-mcp watch --rules rules.json --sandbox                      print what happens to the fleet
  fleetwire-mcp doctor                                                  check the configuration and the connection`;

const READS = (table: Parameters<typeof variableLines>[0]) => `\nVariables:\n${variableLines(table)}`;

/** Runs `fleetwire-mcp` with the arguments of a command line. */
export async function runProgram(args: readonly string[]): Promise<void> {
  const program = new Command("fleetwire-mcp")
    .description("Lets an assistant ask where truck 12 is and create jobs, over the Model Context Protocol.")
    .version(packageVersion())
    .configureHelp({ helpWidth: 110, sortSubcommands: false, showGlobalOptions: true })
    .configureOutput({ outputError: () => {} })
    .exitOverride(({ exitCode, code, message }) => {
      if (exitCode === 0) process.exit(0);
      // Help for an unknown verb is printed by then.
      if (code === "commander.help") process.exit(EXIT_USAGE);
      fail(commandError(message, variablesBesideServer), EXIT_USAGE);
    })
    .option("--sandbox", "use the embedded sandbox; needs no configuration")
    .option("--tools <names>", "only these tools, such as locate_vehicle,create_job [FLEET_TOOLS]")
    .option("--read-only", "leave out the tools that write [FLEET_READ_ONLY]")
    .option("--log <level>", "silent, error, warn (default), info or debug, on stderr [FLEET_LOG]")
    .addHelpText("after", EXAMPLES);

  program
    .command("stdio", { isDefault: true })
    .description("serve over stdin and stdout (the default)")
    .addHelpText("after", READS(environmentVariables))
    .allowExcessArguments()
    .action(async (_: object, command: Command) => {
      // The default verb also receives unknown verbs.
      const [unknown] = command.args;
      if (unknown !== undefined)
        return fail(`unknown verb ${unknown}; verbs: ${program.commands.map((verb) => verb.name()).join(", ")}`, EXIT_USAGE);
      const { stdio } = await import("./stdio.ts");
      return stdio(command.optsWithGlobals<CommandOptions>());
    });
  program
    .command("http")
    .description("serve over Streamable HTTP at /mcp: to this machine only, unless callers are authenticated")
    .addOption(new Option("--port <number>", "port to listen on; 0 picks a free one").argParser(readPort).default(4020))
    .option("--host <address>", "address to listen on; loopback unless callers are authenticated", "127.0.0.1")
    .addHelpText("after", READS(knownVariables))
    .action(async (_: object, command: Command) => {
      const { serveOverHttp } = await import("./http.ts");
      await serveOverHttp(command.optsWithGlobals<HttpOptions>());
    });
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
  program
    .command("call")
    .description("call one tool and print its result")
    .argument("<tool>", "name of the tool")
    .argument("[json]", "its arguments as JSON")
    .option("--json", "print the structured result as JSON")
    .action(async (tool: string, json: string | undefined, _: object, command: Command) => {
      const { call } = await import("./call.ts");
      await call(tool, json, command.optsWithGlobals<CommandOptions>());
    });
  program
    .command("watch")
    .description("wait for what a file of rules describes, and print each event once, as a line of JSON")
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
    .addHelpText("after", READS(watchVariables))
    .action(async (_: object, command: Command) => {
      const { every, firstRetry, ...flags } = command.optsWithGlobals<WatchCommandOptions & WatchSeconds>();
      const { watch: run } = await import("./watch.ts");
      await run({ every, firstRetry }, flags);
    });
  program
    .command("tools")
    .description("list the available tools and their token cost")
    .action(async (_: object, command: Command) => {
      const { listTools } = await import("./list-tools.ts");
      await listTools(command.optsWithGlobals<CommandOptions>());
    });
  program
    .command("doctor")
    .description("check the settings and the service; report which tools are usable, and why others are not")
    .option("--json", "print the report as JSON")
    .action(async (_: object, command: Command) => {
      const { doctor } = await import("./doctor.ts");
      await doctor(command.optsWithGlobals<CommandOptions>());
    });

  // Set first, so that it covers every error.
  printErrorsAsJson(args.includes("--json"));
  printLinesAsJson(undefined);
  await program.parseAsync(args, { from: "user" });
}
