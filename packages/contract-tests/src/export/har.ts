import type { NamedFixture } from "../fixtures/fixture.ts";

/** The server of the OpenAPI document. */
const ORIGIN = "https://fleet.example.com";

const pairs = (record: Readonly<Record<string, string | readonly string[]>>) =>
  Object.entries(record).flatMap(([name, values]) => [values].flat().map((value) => ({ name, value: String(value) })));

function textOf({ body, text }: { body?: unknown; text?: string | undefined }, type: string): string | undefined {
  if (text !== undefined) return text;
  if (body === undefined) return undefined;
  return type.startsWith("application/x-www-form-urlencoded")
    ? new URLSearchParams(body as Record<string, string>).toString()
    : JSON.stringify(body);
}

const typeOf = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "application/json";

/** The fixtures as an HTTP archive (HAR 1.2). Fixtures have no timings, so all are zero. */
export function harOf(fixtures: readonly NamedFixture[], version: string): unknown {
  const entries = fixtures.map(({ id, request, response, provenance }) => {
    // A list is one parameter, joined by unescaped commas.
    const query = pairs(request.query).map(({ name, value }) => `${name}=${value.split(",").map(encodeURIComponent).join(",")}`);
    const [sent, received] = [textOf(request, typeOf(request.headers)), textOf(response, typeOf(response.headers)) ?? ""];
    return {
      startedDateTime: `${provenance.date}T00:00:00.000Z`,
      time: 0,
      comment: id,
      request: {
        method: request.method,
        url: `${ORIGIN}${request.path}${query.length > 0 ? `?${query.join("&")}` : ""}`,
        httpVersion: "HTTP/1.1",
        cookies: [],
        headers: pairs(request.headers),
        queryString: pairs(request.query),
        headersSize: -1,
        bodySize: sent === undefined ? 0 : Buffer.byteLength(sent),
        ...(sent !== undefined && { postData: { mimeType: typeOf(request.headers), text: sent } }),
      },
      response: {
        status: response.status,
        statusText: "",
        httpVersion: "HTTP/1.1",
        cookies: [],
        headers: pairs(response.headers),
        content: { size: Buffer.byteLength(received), mimeType: typeOf(response.headers), text: received },
        redirectURL: "",
        headersSize: -1,
        bodySize: Buffer.byteLength(received),
      },
      cache: {},
      timings: { send: 0, wait: 0, receive: 0 },
    };
  });
  return { log: { version: "1.2", creator: { name: "fleetwire-contract", version }, entries } };
}
