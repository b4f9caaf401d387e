import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LivePosition, operations } from "@fleetwire/core";
import { expect, it } from "vitest";
import type * as z from "zod";
import { temporaryFolder } from "../../../tests/vitest/temporary-folder.ts";
import { deployment, run, textsIn } from "./run-command.ts";

type Json = Record<string, unknown>;

const PHONE = 491771234567;
/** Personal data in the wrong places: words, a number and a date that no field's kind admits. */
const WORDS = ["Jane Doe", "ask Jane Doe", "0177 1234567", "KX21 ABC", "1984-05-06", "Jane\u001b[2J\u202e"];

let drawn = 0;

/** A record whose every field holds personal data, of the field's type or of another. */
function personalIn(schema: z.core.$ZodType): unknown {
  // biome-ignore lint/suspicious/noExplicitAny: zod's definitions are a union of some forty shapes
  const { type, innerType, element, shape } = schema._zod.def as any;
  if (innerType) return personalIn(innerType);
  if (type === "array") return [personalIn(element)];
  if (type === "object")
    return Object.fromEntries(Object.entries<z.core.$ZodType>(shape).map(([name, field]) => [name, personalIn(field)]));
  return type === "number" ? PHONE + drawn++ : WORDS[drawn++ % WORDS.length];
}

const position = { ...(personalIn(LivePosition) as Json), assetId: "v1", eventType: "jane.doe@company.example" };
const faults = personalIn(operations.listVehicleFaults.output) as { items: Json[] };
const vehicle = { ...faults.items[0], id: "v1" };

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
      eventType: "driving",
      speed: 80,
      ...{ dob: "1984-05-06", pin: 4711, drv_no: 90210, home: [53.8, -1.5], Jane: 1, KX21ABC: 1 },
    },
    ...SPELT.map(([driverName, status], at) => ({ assetId: `v${at + 3}`, driverName, status })),
  ],
  "/vehicle/faults": { items: [vehicle], pagination: { totalItems: PHONE, totalPages: 1, pageSize: 5, pageIndex: 0 } },
  "/tacho/activity": personalIn(operations.queryTachoActivity.output) as Json,
  "/jobs/job/create": personalIn(operations.createJob.output) as Json,
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
      body: body ?? { errorCode: PHONE, errorMessage: "ask Jane Doe", offendingFields: ["Jane Doe"] },
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
  expect(shownAt(folder, "list-live-positions", "1")).toMatchObject({ eventType: "driving", speed: 80 });

  expect(stderr).toContain("replaced on purpose, because the contract does not document these values");
  for (const place of ["$[*].status", "$[*].speed", "$[*].fuelType[*]", "response.headers.content-type"])
    expect(stderr.split("\n").filter((line) => line === `  listLivePositions ${place}`)).toHaveLength(1);
  expect((stdout + stderr).replaceAll(folder, "")).not.toMatch(/jane|177|quigley/i);
  expect(stdout).toContain("job <job number> remains in the deployment");
});
