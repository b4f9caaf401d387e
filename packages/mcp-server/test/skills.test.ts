import { readdirSync, readFileSync } from "node:fs";
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { linkedServer } from "../scripts/linked-server.ts";
import { hostClient, textOf } from "./server-under-test.ts";
import { cleanEnv } from "./spawned-bin.ts";

const folder = new URL("../../../skills/", import.meta.url);
const NAMES = readdirSync(folder).toSorted();
const fileOf = (name: string) => readFileSync(new URL(`${name}/SKILL.md`, folder), "utf8");

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
