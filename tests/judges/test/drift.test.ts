import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { checkFiles, run } from "./external-command.ts";
import { type OpenApi, publishedText } from "./openapi-document.ts";

interface Pair {
  name: string;
  value: string;
}

interface Entry {
  comment: string;
  request: { method: string; url: string; queryString: Pair[]; postData?: { text: string }; headers: Pair[] };
  response: { status: number; content: { text: string } };
}

interface Archive {
  log: { entries: Entry[] };
}

interface Report {
  run: { documentedExchanges: number };
  problems: { message: string }[];
}

const bin = fileURLToPath(new URL("../../../packages/contract-tests/dist/fleetwire-contract.js", import.meta.url));
const document = JSON.parse(publishedText) as OpenApi;

/** Query parameters whose lists are joined by commas. */
const JOINED = new Set(
  // biome-ignore lint/suspicious/noExplicitAny: paths of an OpenAPI document
  (Object.values(document.paths) as any[])
    .flatMap((path) => Object.values<OpenApi>(path).flatMap(({ parameters = [] }) => parameters))
    .filter(({ explode }: OpenApi) => explode === false)
    .map(({ name }: OpenApi) => name as string),
);

/** Redocly supports lists as repeated parameters only. */
function repeated({ log }: Archive): Archive {
  const entries = log.entries.map((entry) => {
    const url = new URL(entry.request.url);
    const pairs = [...url.searchParams].flatMap(([name, value]) =>
      (JOINED.has(name) ? value.split(",") : [value]).map((one): Pair => ({ name, value: one })),
    );
    url.search = new URLSearchParams(pairs.map(({ name, value }): [string, string] => [name, value])).toString();
    return { ...entry, request: { ...entry.request, url: url.href, queryString: pairs } };
  });
  return { log: { ...log, entries } };
}

async function drift(archive: Archive): Promise<{ code: number | null; documented: number; problems: string[] }> {
  const files = { "traffic.har": repeated(archive), "openapi.json": publishedText };
  const args = ["drift", "traffic.har", "--api", "openapi.json", "--format", "json", "--min-severity", "warning"];
  const { code, stdout, output } = await checkFiles("redocly", args, files);
  expect(stdout, output).toMatch(/^\{/);
  const report = JSON.parse(stdout) as Report;
  return { code, documented: report.run.documentedExchanges, problems: report.problems.map(({ message }) => message) };
}

let exported: Archive;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "fleetwire-archive-"));
  const file = join(folder, "traffic.har");
  const { code, output } = await run(process.execPath, [bin, "export", "--format", "har", "--out", file]);
  expect(code, output).toBe(0);
  exported = JSON.parse(await readFile(file, "utf8")) as Archive;
  await rm(folder, { recursive: true });
});

/** The archive with one altered exchange. */
function broken(id: string, breakIt: (entry: Entry) => void): Archive {
  const { log } = structuredClone(exported);
  const entries = log.entries.filter(({ comment }) => comment === `documented/${id}`);
  expect(entries).toHaveLength(1);
  for (const entry of entries) breakIt(entry);
  return { log: { ...log, entries } };
}

const withBody = (change: (body: OpenApi) => void) => (entry: Entry) => {
  const body = JSON.parse(entry.response.content.text);
  change(body);
  entry.response.content.text = JSON.stringify(body);
};

describe("redocly drift over the exported archive", () => {
  it("finds no difference from the OpenAPI document", async () => {
    const { code, documented, problems } = await drift(exported);
    expect(problems).toEqual([]);
    expect(documented).toBe(exported.log.entries.length);
    expect(code).toBe(0);
  });

  it.each<[string, string, (entry: Entry) => void, RegExp]>([
    ["a field of another type", "list-live-positions-every-field", withBody((body) => (body[0].speed = "fast")), /speed/],
    ["an undocumented enum value", "list-live-positions-every-field", withBody((body) => (body[0].eventType = "flying")), /eventType/],
    ["a missing required field", "update-group-rename", withBody((body) => delete body.id), /id/],
    [
      "a parameter of another type",
      "list-vehicle-faults-page-0",
      ({ request }) => (request.url = request.url.replace(/pageSize=\d+/, "pageSize=many")),
      /pageSize/,
    ],
    [
      "a request without credentials",
      "update-group-rename",
      ({ request }) => (request.headers = request.headers.filter(({ name }) => name.toLowerCase() !== "authorization")),
      /[Ss]ecurity|[Aa]uth/,
    ],
    [
      "another path",
      "update-group-rename",
      ({ request }) => (request.url = request.url.replace("/group", "/groups")),
      /groups|[Uu]ndocumented/,
    ],
  ])("fails for %s", async (_, id, breakIt, words) => {
    const { code, problems } = await drift(broken(id, breakIt));
    expect(problems.join("\n")).toMatch(words);
    expect(code).toBe(1);
  });
});
