import { readFileSync, statSync } from "node:fs";
import { type FleetConfig, type Operation, type OperationName, operations } from "@fleetwire/core";
import { isRecord } from "@fleetwire/core/internal";
import * as z from "zod";
import { operationAt, pathValuesOf } from "../replay/request-path.ts";
import { parsedJson, type SeenCall } from "./learn.ts";

/** Why an archive cannot be learned from, in one line. */
class ArchiveProblem extends Error {}

/** A larger archive is refused, because it is read as a whole. */
const MAX_MEGABYTES = 100;

type Servers = FleetConfig["servers"];

const Called = z.object({ request: z.object({ method: z.string(), url: z.url() }) });

const Entry = z.object({
  startedDateTime: z.string("it has no date").refine((text) => !Number.isNaN(Date.parse(text)), "it has no date"),
  response: z.object({
    // An aborted request has the status 0.
    status: z.int("it has no status").min(100, "it was aborted"),
    content: z.object({ text: z.string().nullish(), encoding: z.string().nullish(), size: z.number().catch(0) }, "its body is missing"),
  }),
});

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function entriesOf(file: string): unknown[] {
  const { size } = statSync(file, { throwIfNoEntry: false }) ?? {};
  if (size === undefined) throw new ArchiveProblem(`${file} does not exist`);
  if (size > MAX_MEGABYTES * 1_000_000) throw new ArchiveProblem(`${file} is larger than ${MAX_MEGABYTES} MB: export fewer requests`);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new ArchiveProblem(
      `${file} ${error instanceof SyntaxError ? "is not JSON: export it as an HTTP archive (HAR)" : "cannot be read"}`,
    );
  }
  const log = isRecord(content) ? content["log"] : undefined;
  const entries = isRecord(log) ? log["entries"] : undefined;
  if (!Array.isArray(entries)) throw new ArchiveProblem(`${file} is not an HTTP archive (HAR): it has no log.entries`);
  return entries;
}

/** The body of a response, or why it cannot be learned from. */
function bodyOf({ text, encoding, size }: z.infer<typeof Entry>["response"]["content"]): { body: string } | { problem: string } {
  // A browser may leave out bodies.
  if (typeof text !== "string") return size > 0 ? { problem: "its body is missing" } : { body: "" };
  if (encoding === "base64" && !BASE64.test(text.replace(/\s/g, ""))) return { problem: "its body is not base64" };
  const bytes = Buffer.from(text, encoding === "base64" ? "base64" : "utf8");
  const body = bytes.toString("utf8").replace(/^\uFEFF/, "");
  if (/^\s*[[{]/.test(body) && parsedJson(body) === undefined) return { problem: "its body is truncated" };
  return { body };
}

/** The operation that a request called: at a configured server or, if none is configured, at any host. */
function operationOf(method: string, { origin, pathname }: URL, servers: Servers): Operation | undefined {
  if (Object.values(servers).every((server) => server === undefined)) return operationAt(method, pathname);
  /** Whether a path is that of an operation after the prefix of its server, and nothing else. */
  const isAt = ({ path }: Operation, server: string | URL | undefined) => {
    const base = new URL(server ?? "data:");
    const prefix = base.pathname.replace(/\/+$/, "");
    if (base.origin !== origin || !pathname.startsWith(`${prefix}/`)) return false;
    const below = pathname.slice(prefix.length);
    return below.split("/").length === path.split("/").length && pathValuesOf(path, below) !== undefined;
  };
  return Object.values<Operation>(operations).find(
    (operation) => operation.method === method && operation.servers.some((name) => isAt(operation, servers[name])),
  );
}

/** A call of a known operation, or why it cannot be learned from; undefined for any other entry. */
function callOf(entry: unknown, servers: Servers): SeenCall | { operation: OperationName; problem: string } | undefined {
  const { method, url } = Called.safeParse(entry).data?.request ?? {};
  if (method === undefined || url === undefined) return undefined;
  const operation = operationOf(method, new URL(url), servers)?.name as OperationName | undefined;
  if (operation === undefined) return undefined;
  const { data, error } = Entry.safeParse(entry);
  if (!data) return { operation, problem: error.issues[0]?.message ?? "it cannot be read" };
  const content = bodyOf(data.response.content);
  if ("problem" in content) return { operation, problem: content.problem };
  return { operation, exchange: { url, status: data.response.status, responseBody: content.body }, at: Date.parse(data.startedDateTime) };
}

/** The calls of known operations in an archive; `onIgnored` is called for those that cannot be learned from. Throws if there are none. */
export function callsIn(file: string, servers: Servers, onIgnored: (operation: string, problem: string) => void): SeenCall[] {
  const entries = entriesOf(file);
  const calls = entries.flatMap((entry) => {
    const call = callOf(entry, servers);
    if (call && "exchange" in call) return call;
    if (call) onIgnored(call.operation, call.problem);
    return [];
  });
  if (calls.length > 0) return calls;
  const elsewhere = entries.flatMap((entry) => {
    const call = callOf(entry, {});
    return call && "exchange" in call ? new URL(call.exchange.url).host : [];
  });
  if (elsewhere.length > 0)
    throw new ArchiveProblem(
      `${file} has calls to ${[...new Set(elsewhere)].slice(0, 3).join(", ")} only, which is no configured server: set FLEET_BASE_URL and the others to its servers`,
    );
  throw new ArchiveProblem(`${file} has no call of a known operation that can be read (of ${entries.length} entries)`);
}
