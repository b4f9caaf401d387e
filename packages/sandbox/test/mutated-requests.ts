import { type Operation, operations } from "@fleetwire/core";
import { expect } from "vitest";
import { type Draft, dice, mutated } from "./request-mutations.ts";
import { callSandbox, type SentRequest } from "./sandbox-caller.ts";

export const valid: SentRequest[] = [];
export const call = callSandbox({ vehicles: 15 }, (sent) => valid.push(sent));

/** Makes valid requests of every operation, and with every kind of parameter. */
async function recordValidRequests(): Promise<void> {
  await call.requestToken();
  const [truck] = await call.live({ locale: "de-DE", showAllVehicleStatus: "true", hideSpeedIfSpeedSensitive: "true" });
  const { assetId: vehicleId, driverId: personId, assetGroupId: groupId, assetRegistration } = truck;
  await call.live({ vehicleIds: `${vehicleId},x`, groupIds: groupId, driverIds: personId, fromDateTime: "2026-11-20T00:00:00Z" });
  await call.updateGroup({ id: groupId, name: "Early Shift", vehicleIds: [vehicleId], personIds: [personId] });
  await call.faults({ vehicleId, groupId, startDate: "2026-01-01T00:00:00", endDate: "2026-11-01T00:00:00" });
  await call.faults({ pageSize: "5", pageIndex: "1" });
  const place = { address: "Quai Perrache 10, 69002 Lyon, France", scheduledStartDateTime: "2026-11-21T08:30Z" };
  await call.createJob({ ...place, jobNumber: "M1", vehicleId, personId, groupName: "Early Shift" });
  await call.createJob({ lat: 45.7, lng: 4.8, orderNumbers: ["A1"], resources: [{ name: "a.txt" }], subStatus: { key: "k", value: "v" } });
  const more = { jobTypeId: "jobtypedelivery", linkingId: "", status: "NEW", jobRadius: 5, visitResults: [{ taskAnswers: [] }] };
  await call.createJob({ ...place, ...more }, { override: "true" });
  const span = { startTime: "2026-11-18T00:00:00", endTime: "2026-11-20T00:00:00" };
  await call.tacho({ ...span, driverKeys: ["DB12345678900201"], registrations: [assetRegistration], dataContent: "live" });
  await call.tacho({ ...span, skip: 1, limit: 2, sort: { driverId: "ASC", "activities.startTime": "DESC" } });
  await call.send("GET", call.urls.tires, { query: { vehicleId, limit: "5" }, headers: await call.bearer() });
  await call.listJobs({ status: "NEW", limit: "5", skip: "1" });
}

await recordValidRequests();

/** The sandbox decodes a path, so that custome%72 is customer. */
const decoded = (path: string) => path.replace(/%(?:[2-7][0-9a-f])/gi, (code) => decodeURIComponent(code));

export const operationOf = (method: string, url: string): Operation | undefined =>
  Object.values<Operation>(operations).find(({ method: wanted, path }) => {
    return wanted === method && new RegExp(`${path.replace(/\{\w+\}/g, "[^/]+")}$`).test(decoded(new URL(url).pathname));
  });

const isApiError = ({ errorCode, errorMessage, offendingFields, ...others }: Record<string, unknown>) =>
  Number.isInteger(errorCode) && errorMessage && Array.isArray(offendingFields) && Object.keys(others).length === 0;

const statuses = new Set<number>();

/** What is wrong with a response, or undefined. */
async function complaint(request: Request, isList: boolean): Promise<string | undefined> {
  const response = await call.sandbox.fetch(request);
  const text = await response.text();
  statuses.add(response.status);
  if (response.status >= 500) return `${response.status} ${text}`;
  if (/\n\s+at |\\n\s+at |node_modules|\.ts:\d/.test(text)) return `a stack trace: ${text}`;
  if (request.method === "HEAD" || response.status === 204) return undefined;
  if (!response.headers.get("content-type")?.startsWith("application/json")) return `${response.status} is not JSON`;
  const body = JSON.parse(text);
  if (response.status < 400) return undefined;
  if (Array.isArray(body) !== (isList && response.status === 400)) return `${response.status} has the wrong shape: ${text}`;
  return [body].flat().every(isApiError) ? undefined : `${response.status} is not an ApiError: ${text}`;
}

/** A request, or undefined if the platform refuses to send it. */
function asRequest({ method, url, headers, body }: Draft): Request | undefined {
  try {
    const hasBody = body !== undefined && !/^(get|head)$/i.test(method);
    return new Request(url, { method, headers: new Headers(headers), ...(hasBody && { body: body as string }) });
  } catch {
    return undefined;
  }
}

/** Sends mutated valid requests. None gets a status of 500 or more, a stack trace, or an error of another shape. */
export async function tryMutatedRequests(count: number): Promise<void> {
  const complaints: unknown[] = [];
  for (let seed = 0, sent = 0; sent < count; seed++) {
    const roll = dice(seed);
    const draft = mutated(valid[roll(valid.length)] as SentRequest, roll);
    const request = asRequest(draft);
    if (!request) continue;
    sent++;
    const fault = await complaint(request, operationOf(draft.method, request.url)?.errors?.[400]?.body === "list").catch(String);
    if (fault !== undefined) complaints.push({ seed, fault: fault.slice(0, 300), draft });
  }
  expect(complaints.slice(0, 3)).toEqual([]);
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 405, 413, 415]));
}
