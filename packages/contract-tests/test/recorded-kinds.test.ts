import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { deployment, run, temporaryFolder, textsIn } from "./run-command.ts";

type Json = Record<string, unknown>;

const PHONE = 491771234567;
const ASK = "ask Jane Doe";

/** The same value in several fields. */
const each = (value: unknown, ...names: string[]) => Object.fromEntries(names.map((name) => [name, value]));

/** Personal data that a service may put into non-personal fields. */
const position = {
  assetId: "v1",
  date: "Jane Doe, +49 177 1234567",
  country: ASK,
  eventType: "jane.doe@company.example",
  ignitionStatus: "Jane",
  engineTotalHoursType: "0177 1234567",
  fuelType: ["Jane Doe", "DIESEL"],
  activeFaultCodes: ["Jane Doe", "KX21 ABC"],
  ...each("Jane Doe", "status", "privacy"),
  ...each(PHONE, "speed", "odometer", "engineRpm"),
  ...each(1771234567, "assetType", "heading", "fuelLevelPercentage", "batteryVoltage", "electricRangeKm"),
};
const fault = {
  ...each("Jane Doe", "code", "endDate"),
  description: "Ring Sarah Quigley, KX21 ABC; near Boar Lane",
  startDate: "1984-05-06",
  startOdometer: PHONE,
  inProgress: "Jane",
  details: { source: "Jane Doe", fmi: "0177 1234567", occurrenceCount: PHONE, lamps: ["Jane Doe", "KX21 ABC"] },
};
const vehicle = { id: "v1", make: "Jane Doe", model: "Jane's van", version: "of Jane", faults: [fault] };
const activity = {
  assetId: "v1",
  ...each("Jane Doe", "startTime", "type"),
  endTime: "1984-05-06",
  activity: "JANE DOE",
  ...each(PHONE, "duration", "distance"),
  driverCardSlot: 1771234567,
  flagDDD: "Jane",
};
const taskAnswer = { key: "Jane Doe", timestamp: ASK, onTransitionTo: "Jane", value: { integerValue: PHONE, doubleValue: 1771234567.5 } };
const job = {
  jobNumber: "Jane\u001b[2J",
  jobTitle: "\u009b31mJane\u202e",
  status: "VISITED BY JANE",
  ...each("Jane Doe", "statusLabel", "eta", "linkedJobIndex"),
  jobDuration: "0177 1234567",
  jobRadius: 1771234567,
  actualStart: "ask Jane",
  etaDistanceKms: PHONE,
  jobType: { key: "Jane Doe", duration: "Jane Doe", earliestStartTime: PHONE },
  subStatus: { key: "jane.doe@company.example" },
  resources: [{ fileType: "Jane Doe" }],
  jobPhotos: [{ date: "Jane Doe" }],
  statusHistory: [{ date: "1984-05-06" }],
  visitResults: [{ jobScheduledStart: "Jane Doe", taskAnswers: [taskAnswer] }],
};

/** Names, and how a service without their letters spells them in a status. */
const SPELT: [name: string, status: string][] = [
  ["Jürgen Köhler", "JUERGEN"],
  ["Jürgen Vögel", "VISITED_BY_VOGEL"],
  ["Seán Ó Briain", "SEAN"],
  ["Иван Петров", "PETROV"],
  ["Юлия Щербакова", "JULIJA"],
  ["Julia Petrow", "VISITED_BY_PETROV"],
  ["Katya Szczepaniak", "KATJA"],
  ["Sean O'Brien", "OBRIEN"],
  ["Đorđe Horvat", "DJORDJE"],
  ["Søren Ågård", "AAGAARD"],
  ["Łukasz Żuk", "LUKASZ"],
  ["Γιώργος Παππάς", "PAPPAS"],
];

const responses: Record<string, Json | unknown[]> = {
  "/oauth/accessToken": { success: true, accessToken: "canary-token", token_type: "bearer", expires_in: PHONE },
  "/tracking/live": [
    position,
    {
      assetId: "v2",
      driverName: "SARAH QUIGLEY",
      assetRegistration: "KX21 ABC",
      road: "Boar Lane",
      status: "QUIGLEY",
      country: "Germany",
      speed: 80,
      ...{ dob: "1984-05-06", pin: 4711, drv_no: 90210, home: [53.8, -1.5], Jane: 1, KX21ABC: 1 },
    },
    ...SPELT.map(([driverName, status], at) => ({ assetId: `v${at + 3}`, driverName, status })),
  ],
  "/vehicle/faults": { items: [vehicle], pagination: { totalItems: PHONE, totalPages: 1, pageSize: 5, pageIndex: 0 } },
  "/tacho/activity": { count: PHONE, data: [{ driverId: "p1", driverKey: "D00000000005010", activities: [activity] }] },
  "/jobs/job/create": { job, errors: [{ field: "Jane Doe", message: "Jane" }] },
  "/jobs": { "Jane Doe": Array.from({ length: 9 }, () => ({ Jane: 1 })) },
  "/tire": [],
};

/** Recordings with their response bodies. */
const recordings: Record<string, unknown> = {
  "request-access-token": responses["/oauth/accessToken"],
  "list-live-positions": [position],
  "list-vehicle-faults-first-page": responses["/vehicle/faults"],
  "query-tacho-activity-day": responses["/tacho/activity"],
  "create-job": responses["/jobs/job/create"],
};

type Leaf = [place: string, value: unknown];

const leaves = (value: unknown, place = ""): Leaf[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, place === "" ? name : `${place}.${name}`))
    : [[place, value]];

/** All values above are personal, with these exceptions. */
const isPersonal = ([, value]: Leaf) => !["v1", "DIESEL", "bearer", 0, 1, 5, true].includes(value as string);

/** A service that returns all this, also in headers. */
const service = () =>
  deployment((url) => {
    const { pathname } = new URL(url, "http://localhost");
    const [, body] = Object.entries(responses).find(([end]) => pathname.includes(end)) ?? [];
    return {
      status: body ? 200 : 404,
      headers: {
        "content-type": pathname.includes("live") ? "application/json; owner=Jane.Doe" : "application/json;charset=UTF-8",
        "retry-after": "+49 177 1234567",
        "x-served-by": "Jane Doe",
        "set-cookie": "session=Jane",
      },
      body: body ?? { errorCode: PHONE, errorMessage: ASK, offendingFields: ["Jane Doe"] },
    };
  });

const shownAt = (folder: string, recording: string, place: string): unknown => {
  const { response } = JSON.parse(readFileSync(join(folder, `${recording}.json`), "utf8")) as { response: { body: unknown } };
  return place.split(".").reduce<unknown>((inner, name) => (inner as Json)?.[name], response.body);
};

it("a recording holds no personal data in non-personal fields, headers, field names or remarks", async () => {
  const folder = temporaryFolder();
  const { stdout, stderr } = await run(["record", "--allow-writes", "--out", folder], {
    ...(await service()),
    // A fixed key, since a random pseudonym could happen to match a forbidden word.
    FLEET_SEAL_KEY: Buffer.alloc(32, 7).toString("base64"),
  });
  expect(stdout, stderr).toContain("0 changed, 0 unchanged");
  const rows = Object.entries(recordings).flatMap(([recording, body]) =>
    leaves(body)
      .filter(isPersonal)
      .map(([place, value]) => ({ recording, place, value, shown: shownAt(folder, recording, place) })),
  );
  expect(rows.length).toBeGreaterThan(50);
  // Lists any value added above that the recording shows.
  expect(rows.filter(({ value, shown }) => shown === undefined || shown === value)).toEqual([]);

  const text = textsIn(folder);
  for (const [, status] of SPELT) expect(text).not.toContain(status);
  // The number of the job is random, and so is its pseudonym: single words and dates only.
  const personal =
    /jane|\bdoe\b|177 ?1234567|1984-|canary|company|KX21|set-cookie|x-served-by|"retry-after":|owner|quigley|boar|\b4711\b|90210|53\.8|-1\.5/gi;
  expect(text.match(personal)).toBeNull();
  // Values of the right kind stay.
  expect(shownAt(folder, "list-live-positions", "1")).toMatchObject({ country: "Germany", speed: 80 });

  for (const place of ["[].country", "[].speed", "[].fuelType[]", "response.headers.content-type"])
    expect(stderr).toContain(`list-live-positions: ${place} had a value of an unexpected kind, replaced with a pseudonym`);
  expect((stdout + stderr).replaceAll(folder, "")).not.toMatch(/jane|177|quigley/i);
  expect(stdout).toContain("job <job number> remains in the deployment");
});
