import { describe, expect, it } from "vitest";
import type { FleetClient, OperationName } from "../src/index.ts";
import { fleetUnderTest, onlyRequest } from "./fleet-under-test.ts";

const customer = "customer/c42";

interface Row {
  operation: OperationName;
  call: (fleet: FleetClient) => Promise<unknown>;
  answer?: unknown;
  request: string;
  headers: Record<string, string | undefined>;
  body?: unknown;
}

const basic = { authorization: `Basic ${btoa("id:canary-secret")}`, "x-connect-token": undefined };
const bearer = { authorization: "Bearer canary-T1", "x-connect-token": undefined };
const connect = { authorization: undefined, "x-connect-token": "TOKEN canary-T1" };
const noBody = { "content-type": undefined };

const job = {
  jobNumber: "A-1",
  jobTitle: "Deliver 4 pallets",
  address: "Quai Perrache 10, 69002 Lyon",
  lat: 45.7485,
  lng: 4.8204,
  orderNumbers: ["o1", "o2"],
  resources: [{ name: "photo.jpg", fileType: "image/jpeg" }],
};

const rows: Row[] = [
  {
    operation: "updateGroup",
    call: (fleet) => fleet.updateGroup({ id: "g1", name: "Nord", parentId: "root", vehicleIds: ["v1", "v2"], personIds: [] }),
    answer: { id: "g1" },
    request: `PUT /public/v1/${customer}/group`,
    headers: { ...basic, "content-type": "application/json;charset=UTF-8" },
    body: { id: "g1", name: "Nord", parentId: "root", vehicleIds: ["v1", "v2"], personIds: [] },
  },
  {
    operation: "listVehicleFaults",
    call: (fleet) => fleet.listVehicleFaults({ vehicleId: "v1", startDate: "2026-11-01T00:00:00Z", pageSize: 50, pageIndex: 0 }),
    answer: { items: [] },
    request: `GET /public/v1/${customer}/vehicle/faults?vehicleId=v1&startDate=2026-11-01T00%3A00%3A00&pageSize=50&pageIndex=0`,
    headers: { ...basic, ...noBody },
  },
  {
    operation: "listLivePositions",
    call: (fleet) => fleet.listLivePositions(),
    answer: [],
    request: `GET /public/v1/${customer}/tracking/live`,
    headers: { ...basic, ...noBody },
  },
  {
    operation: "createJob",
    call: (fleet) => fleet.createJob(job),
    answer: { job: { jobId: "j1", jobNumber: "A-1" } },
    request: "POST /jobs/job/create",
    headers: { ...connect, "content-type": "application/json" },
    body: job,
  },
  {
    operation: "queryTachoActivity",
    call: (fleet) =>
      fleet.queryTachoActivity({
        startTime: "2026-11-19T00:00:00",
        endTime: "2026-11-20T00:00:00",
        driverKeys: ["D000000000050101"],
        registrations: ["KX21 ABC"],
        dataContent: "live",
        skip: 0,
        limit: 50,
        sort: { "activities.startTime": "ASC", driverId: "DESC" },
      }),
    answer: { count: 0, data: [] },
    request: `POST /bvfm/services/public/v1/${customer}/tacho/activity`,
    headers: { ...bearer, "content-type": "application/json" },
    body: {
      startTime: "2026-11-19T00:00:00",
      endTime: "2026-11-20T00:00:00",
      driverKeys: ["D000000000050101"],
      registrations: ["KX21 ABC"],
      dataContent: "live",
      skip: 0,
      limit: 50,
      sort: { "activities.startTime": "ASC", driverId: "DESC" },
    },
  },
  {
    operation: "listTireEvents",
    call: (fleet) => fleet.listTireEvents({ query: { since: "2026-11-01", wheel: 3, open: true, kinds: ["a", "b"], text: "a b&c=d" } }),
    answer: { whatever: 1 },
    request: `GET /public/v1/${customer}/tire/events?since=2026-11-01&wheel=3&open=true&kinds=a,b&text=a%20b%26c%3Dd`,
    headers: { ...bearer, ...noBody },
  },
  {
    operation: "listJobs",
    call: (fleet) => fleet.listJobs({ query: { status: ["NEW", "ASSIGNED"] } }),
    answer: [{ jobNumber: "A-1" }],
    request: `GET /job-management/v1/${customer}/jobs?status=NEW,ASSIGNED`,
    headers: { ...connect, ...noBody },
  },
];

describe("the request", () => {
  it.each(rows)("$operation: $request", async ({ call, answer, request, headers, body }) => {
    const { fleet, api } = await fleetUnderTest({ api: [{ body: answer }] });
    expect(await call(fleet)).toEqual(answer);
    const arrived = onlyRequest(api);
    expect(`${arrived.method} ${arrived.url}`).toBe(request);
    const { authorization, "x-connect-token": connectToken, "content-type": contentType } = arrived.headers;
    expect({ authorization, "x-connect-token": connectToken, "content-type": contentType }).toEqual(headers);
    expect(arrived.headers.accept).toBe("application/json");
    expect(arrived.body === "" ? undefined : JSON.parse(arrived.body)).toEqual(body);
  });

  it("requestAccessToken: a form with Basic credentials", async () => {
    const { fleet, auth } = await fleetUnderTest();
    expect(await fleet.requestAccessToken()).toMatchObject({ accessToken: "canary-T1" });
    const { method, url, headers, body } = onlyRequest(auth);
    expect({ method, url, body }).toEqual({
      method: "POST",
      url: "/vendor-oauth/oauth/accessToken",
      body: "grant_type=client_credentials",
    });
    expect(headers).toMatchObject({
      authorization: basic.authorization,
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
    });
  });

  it("gets a token only if one is needed", async () => {
    const { fleet, auth } = await fleetUnderTest();
    await fleet.listLivePositions();
    expect(auth.requests).toEqual([]);
  });
});

describe("the query", () => {
  it.each([
    { input: {}, query: "" },
    { input: { vehicleIds: ["v1"] }, query: "?vehicleIds=v1" },
    { input: { vehicleIds: ["v1", "v2"], driverIds: ["p1", "p2"] }, query: "?vehicleIds=v1,v2&driverIds=p1,p2" },
    { input: { groupIds: ["g1", "g2"] }, query: "?groupIds=g1,g2" },
    {
      input: { showAllVehicleStatus: true, hideSpeedIfSpeedSensitive: false },
      query: "?showAllVehicleStatus=true&hideSpeedIfSpeedSensitive=false",
    },
    { input: { locale: "en-GB" }, query: "?locale=en-GB" },
    { input: { locale: "a&b=c/ü" }, query: "?locale=a%26b%3Dc%2F%C3%BC" },
    { input: { vehicleIds: undefined as never }, query: "" },
  ])("of live positions: $query", async ({ input, query }) => {
    const { fleet, api } = await fleetUnderTest();
    await fleet.listLivePositions(input);
    expect(onlyRequest(api).url).toBe(`/public/v1/${customer}/tracking/live${query}`);
  });

  it.each([
    { override: undefined, query: "" },
    { override: null, query: "?override=null" },
    { override: true, query: "?override=true" },
    { override: false, query: "?override=false" },
  ])("of a job: override $override is sent as '$query', and never in the body", async ({ override, query }) => {
    const { fleet, api } = await fleetUnderTest({ api: [{ body: { job: { jobId: "j1" } } }] });
    await fleet.createJob({ address: "here", ...(override !== undefined && { override }) });
    const { url, body } = onlyRequest(api);
    expect(url).toBe(`/jobs/job/create${query}`);
    expect(JSON.parse(body)).not.toHaveProperty("override");
  });
});

describe("the body", () => {
  it.each([
    { input: { id: "g1" }, body: '{"id":"g1"}' },
    { input: { id: "g1", name: "" }, body: '{"id":"g1","name":""}' },
    { input: { id: "g1", vehicleIds: [] }, body: '{"id":"g1","vehicleIds":[]}' },
    { input: { id: "g1", name: undefined as never }, body: '{"id":"g1"}' },
    { input: { id: "g1", name: 'Süd "2" 🚚' }, body: '{"id":"g1","name":"Süd \\"2\\" 🚚"}' },
  ])("of a group contains exactly the input: $body", async ({ input, body }) => {
    const { fleet, api } = await fleetUnderTest({ api: [{ body: { id: "g1" } }] });
    await fleet.updateGroup(input);
    expect(onlyRequest(api).body).toBe(body);
  });

  it("of a job contains an empty linkingId, which requests a generated one", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [{ body: { job: { jobId: "j1" } } }], jobNumbers: "service" });
    await fleet.createJob({ address: "here", linkingId: "" });
    expect(onlyRequest(api).body).toBe('{"address":"here","linkingId":""}');
  });
});

it("a sort order is sent in the order given", async () => {
  const { fleet, api } = await fleetUnderTest({ api: [{ body: { count: 0, data: [] } }] });
  const sort = { "activities.startTime": "DESC", driverId: "ASC" } as const;
  await fleet.queryTachoActivity({ startTime: "2026-11-19T00:00:00", endTime: "2026-11-20T00:00:00", sort });
  expect(onlyRequest(api).body).toContain('"sort":{"activities.startTime":"DESC","driverId":"ASC"}');
});
