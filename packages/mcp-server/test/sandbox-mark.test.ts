import { createSandbox } from "@fleetwire/sandbox";
import type { CallToolResult, Client, ElicitResult } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { linkedServer } from "../scripts/linked-server.ts";
import { hostClient } from "./host-client.ts";
import { run } from "./run-program.ts";
import { CANARY, textOf } from "./server-under-test.ts";
import { cleanEnv, NOTICE } from "./spawned-bin.ts";

type Args = Record<string, unknown>;

const JOB = { address: "Quai Perrache 10, 69002 Lyon, France" };

interface Host {
  args?: readonly string[];
  env?: Record<string, string>;
  mode?: "auto" | "legacy";
  /** How the host replies to questions; without it, the host cannot ask. */
  reply?: (message: string) => ElicitResult;
}

/** A host of what the verb `stdio` serves with these arguments and variables. */
async function host({ args = ["--sandbox"], env = {}, mode = "legacy", reply }: Host = {}): Promise<Client> {
  const { transport, close } = await linkedServer({ sandbox: args.includes("--sandbox"), env: cleanEnv(env), version: "1.2.3" });
  const client = hostClient(mode, reply ? { elicitation: {} } : {});
  if (reply) client.setRequestHandler("elicitation/create", ({ params }) => reply(params.message));
  await client.connect(transport);
  onTestFinished(async () => {
    await client.close();
    await close();
  });
  // From now on, the client checks records against the output schemas.
  await client.listTools();
  return client;
}

/** Whether each form in which hosts may show a result says "sandbox". */
const marks = ({ content, structuredContent }: CallToolResult) => ({
  text: /^\[sandbox\] (?!\[sandbox\])\S/.test(textOf({ content })),
  record: structuredContent === undefined || (structuredContent as Args)["sandbox"] === true,
});

const MARKED = { text: true, record: true };

/** One result of each kind; tools/test/every-tool.test.ts calls every tool. */
const outcomes: [string, string, Args][] = [
  ["a result", "locate_vehicle", { query: "truck 12" }],
  ["refused arguments", "summarize_fleet", { noSuchArgument: 1 }],
  ["an ambiguity", "locate_vehicle", { query: "truck" }],
  ["a refusal of the service", "update_group", { id: "nosuchgroup", name: "Pool cars" }],
  ["a dry run", "create_job", { ...JOB, dryRun: true }],
  ["a write", "create_job", JOB],
  ["another name of the tool", "listLivePositions", { limit: 1 }],
];

describe.each(["auto", "legacy"] as const)("with --sandbox, over revision %s", (mode) => {
  it("the server says so in its name, title, description and instructions", async () => {
    const client = await host({ mode });
    expect(client.getServerVersion()).toMatchObject({
      name: "fleetwire-sandbox",
      title: "Fleetwire (sandbox)",
      description: expect.stringMatching(/made-up/),
    });
    expect(client.getInstructions()).toMatch(/^This is a sandbox: .*made up/);
  });

  it("every result says so, in text and record, and matches the output schema", async () => {
    const client = await host({ mode });
    for (const [what, name, args] of outcomes) {
      const result = await client.callTool({ name, arguments: args });
      expect({ what, ...marks(result) }).toEqual({ what, ...MARKED });
    }
  });

  it.each<[string, ElicitResult["action"] | "error"]>([
    ["agrees", "accept"],
    ["declines", "decline"],
    ["dismisses the question", "cancel"],
    ["cannot be reached", "error"],
  ])("a write's question and its result say so: the user %s", async (_, action) => {
    const asked: string[] = [];
    const client = await host({
      mode,
      reply: (message) => {
        asked.push(message);
        if (action === "error") throw new Error("no terminal");
        return { action, ...(action === "accept" && { content: { confirm: true } }) };
      },
    });
    // In the current revision, a client's own failure ends the call before the server learns of it.
    const result = await client.callTool({ name: "create_job", arguments: JOB }).catch(() => undefined);
    expect(asked).toEqual([expect.stringMatching(/^\[sandbox\] /)]);
    expect(result ? marks(result) : action).toEqual(result ? MARKED : "error");
  });

  it("prompts and resources say so", async () => {
    const client = await host({ mode });
    const read = async (uri: string) =>
      String((await client.readResource({ uri })).contents.map((content) => "text" in content && content.text));
    const prompt = async (name: string, args: Record<string, string>) =>
      (await client.getPrompt({ name, arguments: args })).messages.map(({ content }) => content.type === "text" && content.text);
    expect(JSON.parse(await read("fleet://vehicle/Truck%2012"))).toMatchObject({ sandbox: true, vehicle: { assetName: "Truck 12" } });
    expect(await read("fleet://operation/listLivePositions")).toMatch(/^\[sandbox\]\n\n# listLivePositions\n/);
    for (const uri of ["fleet://vehicle/truck", "fleet://vehicle/nobody", "fleet://operation/none"])
      await expect(client.readResource({ uri })).rejects.toThrow(/\[sandbox\] /);
    const { prompts } = await client.listPrompts();
    const args: Record<string, Record<string, string>> = {
      where_is: { vehicle: "truck 12" },
      morning_briefing: {},
      plan_job: { what: "x" },
    };
    expect(prompts.map(({ name }) => name).toSorted()).toEqual(Object.keys(args).toSorted());
    for (const name of Object.keys(args)) expect(await prompt(name, args[name] ?? {})).toEqual([expect.stringMatching(/^\[sandbox\] /)]);
  });
});

describe("without --sandbox", () => {
  it.each(["auto", "legacy"] as const)("nothing says so, even if the service is a sandbox: revision %s", async (mode) => {
    const sandbox = createSandbox();
    const { env } = await sandbox.listen();
    onTestFinished(() => sandbox.close());
    const client = await host({ args: [], env, mode });
    const { name, title, description } = client.getServerVersion() as unknown as Record<string, string>;
    const expected: unknown[] = [name, title, description, client.getInstructions()];
    for (const [, tool, args] of outcomes) {
      const result = await client.callTool({ name: tool, arguments: args });
      expect({ tool, ...(result.structuredContent as Args) }).not.toHaveProperty("sandbox");
      expected.push(result);
    }
    expected.push(await client.readResource({ uri: "fleet://vehicle/Truck%2012" }), await client.getPrompt({ name: "morning_briefing" }));
    expect(JSON.stringify(expected)).not.toMatch(/sandbox|made.up/i);
  });
});

describe("--sandbox with a real configuration", () => {
  const REAL = {
    FLEET_CUSTOMER_ID: "c42",
    FLEET_CLIENT_ID: "canary-id",
    FLEET_CLIENT_SECRET: CANARY,
    FLEET_BASE_URL: "https://canary-fleet.example.com",
    FLEET_JOB_URL: "",
    FLEET_PRIVACY: "off",
  };
  const IGNORED = "FLEET_CUSTOMER_ID, FLEET_CLIENT_ID, FLEET_CLIENT_SECRET, FLEET_BASE_URL";

  it.each<[string, string[], Record<string, string>, string, string[][]]>([
    ["variables", [], REAL, IGNORED, [["call", "list_tire_events", "{}"], ["tools"], ["doctor"], ["stdio"]]],
    ["a flag", ["--tacho-url", "https://canary-tacho.example.com"], {}, "FLEET_TACHO_URL", [["tools"]]],
    ["both", ["--auth-url", "https://canary-auth.example.com"], REAL, `${IGNORED}, FLEET_AUTH_URL`, [["tools"]]],
  ])("one line on stderr names what is ignored, without values: %s", async (_, args, env, ignored, verbs) => {
    for (const verb of verbs) {
      const { code, stderr } = await run([...verb, "--sandbox", ...args], env);
      expect({ verb, code, stderr }).toEqual({ verb, code: 0, stderr: NOTICE.replace("\n", `; ignored: ${ignored}\n`) });
    }
  });

  it("doctor says that it checked the sandbox's servers, in text and JSON", async () => {
    const { code, stdout } = await run(["doctor", "--sandbox"], REAL);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Sandbox: only the made-up fleet's servers were checked, not .*\n/)]);
    expect(stdout).toMatch(/\nAll checks passed in the sandbox\.\n16 of 16 tools are usable\.\n$/);
    expect(JSON.parse((await run(["doctor", "--sandbox", "--json"], REAL)).stdout)).toMatchObject({ ok: true, sandbox: true });
  });

  it.each<[string, string[], number]>([
    ["a result", ["locate_vehicle", '{"query": "truck 12"}'], 0],
    ["a question back", ["locate_vehicle", '{"query": "truck"}'], 0],
    ["a failure", ["locate_vehicle", '{"query": ""}'], 1],
  ])("call says so in text and JSON: %s", async (_, args, code) => {
    const text = await run(["call", ...args, "--sandbox"]);
    expect([text.code, text.stdout + text.stderr.replace(NOTICE, "")]).toEqual([code, expect.stringMatching(/^\[sandbox\] /)]);
    const json = JSON.parse((await run(["call", ...args, "--sandbox", "--json"])).stdout);
    expect(code === 0 ? json.sandbox : json.error).toEqual(code === 0 ? true : expect.stringMatching(/^\[sandbox\] /));
  });
});
