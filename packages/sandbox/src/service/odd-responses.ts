import type { VehicleFaultsPage } from "@fleetwire/core";
import { isRecord } from "@fleetwire/core/internal";
import { jsonResponse, refusalResponse, refuse } from "./refusal.ts";

/** Answers to a job creation that are neither a job nor a documented error, by the value of `odd-job`. */
const ODD_JOBS: Readonly<Record<string, (sent: unknown) => unknown>> = {
  refused: () => ({ job: {}, errors: [{ field: "vehicleName", message: "does not name an existing vehicle" }] }),
  texts: () => ({ job: {}, errors: ["The vehicle is unknown"] }),
  object: () => ({ job: null, errors: { vehicleName: "does not name an existing vehicle" } }),
  taken: () => ({ job: {}, errors: [{ field: "jobNumber", message: "already exists" }] }),
  empty: () => ({ job: {} }),
  zeros: () => ({ job: { jobId: "0", jobNumber: " ", address: null } }),
  echo: (sent) => ({ job: sent }),
};

const DEFAULT_LATE_MS = 3000;

/** Responses as services really give them although nothing documents them, by the fault that asks for them. */
export const ODD_RESPONSES = {
  "odd-pages": { effect: "starts each page of faults with the last vehicle of the page before, as if a vehicle had been added" },
  "odd-page-size": {
    effect: "lists at most =N items a page, by default 10, whatever is asked for, and without totals",
    value: /^[1-9]\d{0,2}$/,
  },
  "odd-job": {
    effect: `responds with 200 to a job creation without doing the work; =HOW: ${Object.keys(ODD_JOBS).join(", ")}`,
    value: new RegExp(`^(${Object.keys(ODD_JOBS).join("|")})$`),
  },
  "odd-number": { effect: "creates a job, and sends a jobNumber of digits as a number" },
  "odd-group": { effect: "responds with 200 and errors to a group update without doing the work" },
  "odd-late": {
    effect: `takes =MS, by default ${DEFAULT_LATE_MS}, to refuse a job; meanwhile, its number is taken: 409 for a retry`,
    value: /^\d{1,5}$/,
  },
  "odd-403": { effect: "responds with 403 instead of 401" },
  "odd-charset": { effect: "sends the body in ISO-8859-1" },
  "odd-nan": { effect: "sends NaN for the first number of the body" },
} as const;

type OddResponse = keyof typeof ODD_RESPONSES;

const DEFAULT_PAGE = 10;

/** The same request for another page of a list. */
function otherPage(request: Request, change: (query: URLSearchParams) => void): Request {
  const url = new URL(request.url);
  change(url.searchParams);
  return new Request(url, request);
}

async function shiftedPage(request: Request, work: (request: Request) => Promise<Response>): Promise<Response> {
  const index = Number(new URL(request.url).searchParams.get("pageIndex") ?? 0);
  const response = await work(request);
  if (response.status !== 200 || !(index > 0)) return response;
  const before = await work(otherPage(request, (query) => query.set("pageIndex", String(index - 1))));
  const [page, { items }] = (await Promise.all([response.json(), before.json()])) as [VehicleFaultsPage, VehicleFaultsPage];
  return jsonResponse({ ...page, items: [...(items ?? []).slice(-1), ...(page.items ?? [])] });
}

async function cappedPage(request: Request, size: number, work: (request: Request) => Promise<Response>): Promise<Response> {
  const cap = (query: URLSearchParams, name: string) => query.set(name, String(Math.min(Number(query.get(name) ?? size), size)));
  const response = await work(
    otherPage(request, (query) => {
      cap(query, "pageSize");
      cap(query, "limit");
    }),
  );
  const body: unknown = response.status === 200 ? await response.clone().json() : undefined;
  if (!isRecord(body)) return response;
  const { pagination, total: _, ...rest } = body;
  if (!isRecord(pagination)) return jsonResponse(rest);
  const { totalItems: _items, totalPages: _pages, ...kept } = pagination;
  return jsonResponse({ ...rest, pagination: kept });
}

/** The numbers of jobs whose creation is under way, so that a retry can find one taken. */
const underWay = new Set<unknown>();

async function lateRefusal(request: Request, ms: number): Promise<Response> {
  const sent: unknown = await request.json().catch(() => undefined);
  const number = isRecord(sent) ? sent["jobNumber"] : undefined;
  if (underWay.has(number)) return refusalResponse(refuse(409, "duplicate", "Another job has this jobNumber", "jobNumber"));
  underWay.add(number);
  await new Promise((resolve) => setTimeout(resolve, ms));
  underWay.delete(number);
  return refusalResponse(refuse(400, "invalid", "The vehicle was sold meanwhile", "vehicleName"));
}

/** Does the work of a request as an odd service would. */
export async function oddResponse(
  name: OddResponse,
  value: string | undefined,
  operation: string,
  request: Request,
  work: (request: Request) => Promise<Response>,
): Promise<Response> {
  if (name === "odd-pages" && operation === "listVehicleFaults") return shiftedPage(request, work);
  if (name === "odd-page-size" && request.method === "GET") return cappedPage(request, Number(value ?? DEFAULT_PAGE), work);
  if (name === "odd-late" && operation === "createJob") return lateRefusal(request, Number(value ?? DEFAULT_LATE_MS));
  if (name === "odd-job" && operation === "createJob") return jsonResponse(ODD_JOBS[value ?? "refused"]?.(await request.json()));
  if (name === "odd-group" && operation === "updateGroup")
    return jsonResponse({ errors: [{ field: "name", message: "The name is not allowed" }] });
  const response = await work(request);
  if (name === "odd-403" && response.status === 401) return new Response(response.body, { ...response, status: 403 });
  if (name !== "odd-nan" && name !== "odd-charset" && name !== "odd-number") return response;
  const text = await response.text();
  const headers = new Headers(response.headers);
  headers.delete("content-length");
  const { status } = response;
  if (name === "odd-nan") return new Response(text.replace(/:-?\d[\d.]*(?=[,}\]])/, ":NaN"), { status, headers });
  if (name === "odd-number") return new Response(text.replace(/"jobNumber":"(\d+)"/, '"jobNumber":$1'), { status, headers });
  headers.set("content-type", "application/json; charset=ISO-8859-1");
  const bytes = Uint8Array.from(text, (character) => (character.charCodeAt(0) < 256 ? character.charCodeAt(0) : 63));
  return new Response(bytes, { status, headers });
}
