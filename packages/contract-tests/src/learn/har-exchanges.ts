import { readFileSync, statSync } from "node:fs";
import { isRecord } from "@fleetwire/core/internal";
import * as z from "zod";
import { type Addresses, calledOperation } from "./called-operation.ts";
import { parsedJson, type SeenExchange } from "./learn.ts";

/** Why an archive cannot be learned from, in one line. */
class ArchiveProblem extends Error {}

/** A larger archive is refused, because it is read as a whole. */
const MAX_MEGABYTES = 100;

const Called = z.object({ request: z.object({ method: z.string(), url: z.string() }) });

const Entry = z.object({
  startedDateTime: z.string("it has no date").refine((text) => !Number.isNaN(Date.parse(text)), "it has no date"),
  request: z.object({
    url: z.string(),
    postData: z.object({ mimeType: z.string().catch(""), text: z.string().catch("") }).nullish(),
  }),
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
  if (size > MAX_MEGABYTES * 1_000_000)
    throw new ArchiveProblem(`${file} is larger than ${MAX_MEGABYTES} MB: export fewer requests, or use --proxy, which needs no file`);
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

/** A call of a known operation; undefined for any other entry. */
function exchangeOf(entry: unknown, addresses: Addresses): SeenExchange | { operation: string; problem: string } | undefined {
  const { request: asked } = Called.safeParse(entry).data ?? {};
  const called = asked && calledOperation(asked.method, asked.url, addresses);
  if (!called) return undefined;
  const { data, error } = Entry.safeParse(entry);
  const content = data && bodyOf(data.response.content);
  if (!content || "problem" in content)
    return { operation: called.operation, problem: content?.problem ?? error?.issues[0]?.message ?? "it cannot be read" };
  return {
    called,
    query: new URL(data.request.url).searchParams,
    requestBody: data.request.postData?.text ?? "",
    requestType: data.request.postData?.mimeType ?? "",
    status: data.response.status,
    responseBody: content.body,
    at: Date.parse(data.startedDateTime),
  };
}

const hostOf = (entry: unknown): string | undefined => {
  const url = Called.safeParse(entry).data?.request.url;
  return url !== undefined && URL.canParse(url) ? new URL(url).host : undefined;
};

/** The calls of known operations in an archive, in the order in which they were sent; `onIgnored` is called for those that cannot be read. Throws if there are none. */
export function harExchanges(file: string, addresses: Addresses, onIgnored: (operation: string, problem: string) => void): SeenExchange[] {
  const entries = entriesOf(file);
  const exchanges = entries.flatMap((entry) => {
    const exchange = exchangeOf(entry, addresses);
    if (exchange && "called" in exchange) return exchange;
    if (exchange) onIgnored(exchange.operation, exchange.problem);
    return [];
  });
  if (exchanges.length > 0) return exchanges.sort((a, b) => a.at - b.at);
  const elsewhere = new Set(
    entries.flatMap((entry) => {
      const host = hostOf(entry);
      return exchangeOf(entry, { servers: {} }) && host !== undefined ? [host] : [];
    }),
  );
  if (elsewhere.size > 0)
    throw new ArchiveProblem(
      `${file} has calls to ${[...elsewhere].slice(0, 3).join(", ")} only, which is no configured server: set FLEET_BASE_URL and the others to its servers`,
    );
  throw new ArchiveProblem(`${file} has no call of a known operation that can be read (of ${entries.length} entries)`);
}
