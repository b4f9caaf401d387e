import { readdirSync, readFileSync } from "node:fs";
import { type Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { linkedServer } from "../scripts/linked-server.ts";
import { hostClient } from "./host-client.ts";
import { httpUnderTest } from "./http-under-test.ts";
import { environmentOf, serverUnderTest, textOf } from "./server-under-test.ts";
import { BIN, cleanEnv } from "./spawned-bin.ts";

const folder = new URL("../../../skills/", import.meta.url);
const NAMES = readdirSync(folder).toSorted();
const fileOf = (name: string) => readFileSync(new URL(`${name}/SKILL.md`, folder), "utf8");

const transports: Record<string, () => Promise<Transport>> = {
  stdio: async () =>
    new StdioClientTransport({
      command: process.execPath,
      args: [BIN],
      env: cleanEnv(environmentOf("http://127.0.0.1:9")),
      stderr: "ignore",
    }),
  http: async () => new StreamableHTTPClientTransport(new URL((await httpUnderTest()).http.url)),
};

const cases = Object.keys(transports).flatMap((name) => (["auto", "legacy"] as const).map((mode) => [name, mode] as const));

describe.each(cases)("over %s, revision %s", (name, mode) => {
  it("the server declares its extensions, and serves each skill as in its file", async () => {
    const client = hostClient(mode);
    onTestFinished(() => client.close());
    await client.connect(await (transports[name] as () => Promise<Transport>)());
    expect(client.getServerCapabilities()).toMatchObject({
      extensions: { "io.modelcontextprotocol/ui": {}, "io.modelcontextprotocol/skills": {} },
      resources: { listChanged: false },
    });

    const skills = new SkillsClient(client);
    const { skills: entries } = await skills.list();
    const read = await Promise.all(
      entries.map(async ({ uri }) => {
        const { skill } = await skills.get(uri);
        // The client compares digest, size and frontmatter.
        const { text, verified } = await skills.read(skill);
        return [skill.frontmatter.name, verified && text];
      }),
    );
    expect(read).toEqual(NAMES.map((skill) => [skill, fileOf(skill)]));
    await expect(skills.get("skill://no-such-skill/SKILL.md")).rejects.toThrow("No skill is served");

    const { resources } = await client.listResources();
    expect(resources.filter(({ uri }) => uri.startsWith("skill://")).map((resource) => resource.name)).toEqual(NAMES);
  });
});

it.each([
  ["positions", ["morning-dispatch"]],
  ["tacho", ["hours-check", "weekly-review"]],
  ["groups", []],
])("a skill whose tool is not offered is not served: only the toolset %s", async (toolset, expected) => {
  const { client } = await serverUnderTest({ env: { FLEET_TOOLSETS: toolset, FLEET_FLEET_URL: "http://127.0.0.1:9" } });
  const { skills } = await new SkillsClient(client).list();
  expect(skills.map(({ frontmatter }) => frontmatter.name)).toEqual(expected);
});

it.each(NAMES)("the skill %s costs few tokens", (name) => {
  expect(fileOf(name).length / 4).toBeLessThan(600);
});

/** What a skill marks as code: calls with their arguments, and other words of the tools. */
function codeIn(text: string) {
  const spans = [...text.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span);
  const calls = spans.flatMap((span) => {
    const [, tool = "", args = ""] = /^(\w+) (\{.*\})$/.exec(span) ?? [];
    return tool === "" ? [] : [{ tool, args: JSON.parse(args) as Record<string, unknown> }];
  });
  const words = spans.filter((span) => !span.includes("{")).flatMap((span) => span.match(/[A-Za-z_]{2,}/g) ?? []);
  return { calls, words };
}

describe("in the sandbox", () => {
  let client: Client;

  beforeAll(async () => {
    const { transport, close } = await linkedServer({ sandbox: true, env: cleanEnv({ FLEET_TIME_ZONE: "UTC" }), version: "1.2.3" });
    client = hostClient("auto");
    await client.connect(transport);
    return async () => {
      await client.close();
      await close();
    };
  });

  it.each(NAMES)("the calls of the skill %s succeed, and it names only what tools list or return", async (name) => {
    const { calls, words } = codeIn(fileOf(name));
    const { tools } = await client.listTools();
    const seen = [JSON.stringify(tools)];
    expect(calls.length).toBeGreaterThan(3);
    for (const { tool, args } of calls) {
      const { properties = {} } = tools.find((candidate) => candidate.name === tool)?.inputSchema ?? {};
      expect({ tool, names: Object.keys(properties) }).toEqual({ tool, names: expect.arrayContaining(Object.keys(args)) });
      const result = await client.callTool({ name: tool, arguments: args });
      expect({ tool, args, failed: result.isError ? textOf(result) : false }).toEqual({ tool, args, failed: false });
      seen.push(textOf(result));
    }
    const known = new Set(seen.join(" ").match(/[A-Za-z_]{2,}/g));
    expect(words.filter((word) => !known.has(word) && word !== "true")).toEqual([]);
  });
});
