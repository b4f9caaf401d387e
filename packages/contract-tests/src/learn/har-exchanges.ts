import { readFileSync, statSync } from "node:fs";
import { isRecord } from "@fleetwire/core/internal";
import * as z from "zod";
import { type Addresses, calledOperation } from "./called-operation.ts";
import type { SeenExchange } from "./learn.ts";

/** Why an archive cannot be learned from, in one line. */
class ArchiveProblem extends Error {}

/** A larger archive is refused, because it is read as a whole. */
const MAX_MEGABYTES = 100;

const Entry = z.object({
  startedDateTime: z.iso.datetime({ offset: true }),
  request: z.object({
    method: z.string(),
    url: z.string(),
    postData: z.object({ mimeType: z.string().catch(""), text: z.string().catch("") }).optional(),
  }),
  response: z.object({
    status: z.int(),
    content: z.object({ text: z.string().optional(), encoding: z.string().optional(), size: z.number().catch(0) }),
  }),
});

function entriesOf(file: string): unknown[] {
  const { size } = statSync(file, { throwIfNoEntry: false }) ?? {};
  if (size === undefined) throw new ArchiveProblem(`${file} does not exist`);
  if (size > MAX_MEGABYTES * 1_000_000)
    throw new ArchiveProblem(`${file} is larger than ${MAX_MEGABYTES} MB: export fewer requests, or use --proxy, which needs no file`);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
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

function exchangeOf(entry: unknown, addresses: Addresses): SeenExchange | undefined {
  const { data } = Entry.safeParse(entry);
  if (!data) return undefined;
  const { startedDateTime, request, response } = data;
  const { text, encoding, size } = response.content;
  const called = calledOperation(request.method, request.url, addresses);
  // A browser may leave out bodies, and aborted requests have the status 0.
  if (!called || response.status < 100 || (text === undefined && size > 0)) return undefined;
  return {
    called,
    query: new URL(request.url).searchParams,
    requestBody: request.postData?.text ?? "",
    requestType: request.postData?.mimeType ?? "",
    status: response.status,
    responseBody: encoding === "base64" ? Buffer.from(text ?? "", "base64").toString("utf8") : (text ?? ""),
    at: Date.parse(startedDateTime),
  };
}

const hostOf = (entry: unknown): string | undefined => {
  const url = (entry as { request?: { url?: unknown } } | null)?.request?.url;
  return typeof url === "string" && URL.canParse(url) ? new URL(url).host : undefined;
};

/** The calls of known operations in an archive, in the order in which they were sent. Throws if there are none. */
export function harExchanges(file: string, addresses: Addresses): SeenExchange[] {
  const entries = entriesOf(file);
  const exchanges = entries.flatMap((entry) => exchangeOf(entry, addresses) ?? []).sort((a, b) => a.at - b.at);
  if (exchanges.length > 0) return exchanges;
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
