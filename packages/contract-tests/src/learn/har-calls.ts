import { readFileSync, statSync } from "node:fs";
import { type FleetConfig, type Operation, type OperationName, operations } from "@fleetwire/core";
import { isRecord, parseJson } from "@fleetwire/core/internal";
import * as z from "zod";
import type { SeenCall } from "./learn.ts";

/** Why an archive, or a call in it, cannot be learned from, in one line. */
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

/** The body of a response; throws if it cannot be learned from. */
function bodyOf({ text, encoding, size }: z.infer<typeof Entry>["response"]["content"]): unknown {
  // A browser may leave out bodies.
  if (typeof text !== "string" && size > 0) throw new ArchiveProblem("its body is missing");
  const written = text ?? "";
  if (encoding === "base64" && !BASE64.test(written.replace(/\s/g, ""))) throw new ArchiveProblem("its body is not base64");
  const body = Buffer.from(written, encoding === "base64" ? "base64" : "utf8")
    .toString("utf8")
    .replace(/^\uFEFF/, "");
  const value = parseJson(body);
  if (value === undefined && /^\s*[[{]/.test(body)) throw new ArchiveProblem("its body is truncated");
  return value;
}

/** The operation that a request called: at a configured server or, if none is configured, at any host. A literal segment precedes a placeholder. */
function operationOf(method: string, { origin, pathname }: URL, servers: Servers): Operation | undefined {
  const isAnywhere = Object.values(servers).every((server) => server === undefined);
  const isAt = ({ path }: Operation, server: string | URL | undefined) => {
    const { origin: own, pathname: prefix } = new URL(server ?? "data:");
    const start = isAnywhere ? "" : `^${literal(prefix.replace(/\/+$/, ""))}`;
    return (
      (isAnywhere || own === origin) &&
      new RegExp(
        `${start}${path
          .split(/\{\w+\}/)
          .map(literal)
          .join("[^/]+")}$`,
      ).test(pathname)
    );
  };
  return Object.values<Operation>(operations)
    .filter((operation) => operation.method === method && operation.servers.some((name) => isAt(operation, servers[name])))
    .toSorted((a, b) => a.path.split("{").length - b.path.split("{").length)[0];
}

const literal = (text: string) => text.replace(/[^\w/]/g, "\\$&");

/** A call of a known operation and, if it cannot be learned from, why; undefined for any other entry. */
function callOf(entry: unknown, servers: Servers): (SeenCall & { origin: string; problem?: string }) | undefined {
  const { method = "", url = "data:" } = Called.safeParse(entry).data?.request ?? {};
  const { origin } = new URL(url);
  const operation = operationOf(method, new URL(url), servers)?.name as OperationName | undefined;
  if (operation === undefined) return undefined;
  const { data, error } = Entry.safeParse(entry);
  const unreadable = { operation, origin, status: 0, body: undefined, at: 0 };
  if (!data) return { ...unreadable, problem: error.issues[0]?.message ?? "it cannot be read" };
  try {
    return { operation, origin, status: data.response.status, body: bodyOf(data.response.content), at: Date.parse(data.startedDateTime) };
  } catch (caught) {
    if (!(caught instanceof ArchiveProblem)) throw caught;
    return { ...unreadable, problem: caught.message };
  }
}

/** The calls of known operations in an archive; `onIgnored` is called for those that cannot be learned from. Throws if there are none. */
export function callsIn(
  file: string,
  servers: Servers,
  onIgnored: (operation: string, problem: string) => void,
): (SeenCall & { origin: string })[] {
  const entries = entriesOf(file);
  const readable = (at: Servers) => entries.flatMap((entry) => callOf(entry, at) ?? []);
  const calls = readable(servers);
  for (const { operation, problem } of calls) if (problem !== undefined) onIgnored(operation, problem);
  const learned = calls.filter(({ problem }) => problem === undefined);
  if (learned.length > 0) return learned;
  const hosts = new Set(readable({}).flatMap(({ origin, problem }) => (problem === undefined ? new URL(origin).host : [])));
  if (hosts.size === 0)
    throw new ArchiveProblem(`${file} has no call of a known operation that can be read (of ${entries.length} entries)`);
  throw new ArchiveProblem(
    `${file} has calls to ${[...hosts].slice(0, 3).join(", ")} only, which is no configured server: set FLEET_BASE_URL and the others to its servers`,
  );
}
