import { expect, it } from "vitest";
import { deferredTools } from "../src/cli/deferred-tools.ts";
import type { ServedTools } from "../src/mcp/served-tools.ts";
import { serverConfigFromEnv } from "../src/server-config.ts";
import { environmentOf } from "./server-under-test.ts";

/** Deferred tools that report what is called once they are loaded, and how often that was. */
function deferred(failures = 0) {
  let loads = 0;
  const called = (name: string) => async (asked: unknown) => `${name} ${asked ?? ""}`.trim();
  const tools = deferredTools(serverConfigFromEnv(environmentOf("http://127.0.0.1:9")), async () => {
    if (++loads <= failures) throw new Error("not loaded");
    const names = ["completeNames", "readVehicle", "readMap", "watchVehicle", "operationDocument", "writesSettled"];
    const loaded = Object.fromEntries(names.map((name) => [name, called(name)]));
    return { ...loaded, tools: [{ name: "locate_vehicle", execute: called("execute") }] } as unknown as ServedTools;
  });
  return { tools, loads: () => loads };
}

const toolNamed = ({ tools }: ServedTools, wanted: string) => tools.find(({ name }) => name === wanted);

it("tools are loaded once, for the first use", async () => {
  const { tools, loads } = deferred();
  expect(tools.tools.length).toBeGreaterThan(5);
  expect([await tools.writesSettled(), loads()]).toEqual([undefined, 0]);
  const uses = [
    tools.completeNames("vehicle", "tru"),
    tools.readVehicle("truck 12"),
    tools.readMap(["v1"]),
    tools.watchVehicle("truck 12", () => {}, { signal: new AbortController().signal }),
    tools.operationDocument("createJob"),
    toolNamed(tools, "locate_vehicle")?.execute({ query: "truck 12" }, {}),
    tools.writesSettled(),
  ];
  expect(await Promise.all(uses)).toEqual([
    "completeNames vehicle",
    "readVehicle truck 12",
    "readMap v1",
    "watchVehicle truck 12",
    "operationDocument createJob",
    "execute [object Object]",
    "writesSettled",
  ]);
  expect(loads()).toBe(1);
});

it("tools that could not be loaded are loaded for the next use", async () => {
  const { tools, loads } = deferred(1);
  await expect(tools.operationDocument("createJob")).rejects.toThrow("not loaded");
  expect(await tools.writesSettled()).toBeUndefined();
  expect([await tools.operationDocument("createJob"), loads()]).toEqual(["operationDocument createJob", 2]);
});

it("a tool that is listed, but not loaded, says so", async () => {
  await expect(toolNamed(deferred().tools, "list_jobs")?.execute({}, {})).rejects.toThrow("list_jobs is listed but not available");
});
