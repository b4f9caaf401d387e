import { expect, it } from "vitest";
import { createFleetTools } from "../src/index.ts";
import { cannedService, NOW, toolsOver } from "./canned-service.ts";

const FLEET = [
  { assetId: "v1", assetName: "Truck 12", driverId: "p1", driverName: "Petra Privat", date: "2026-11-20T08:00:00Z" },
  { assetId: "v2", assetName: "Van 7", driverId: "p2", driverName: "Carla Conti", date: "2026-11-20T08:00:00Z" },
];

/** Tools that hide names, with the pseudonyms of Petra Privat and Carla Conti. */
async function hidden(createJob: (fields: Record<string, unknown>) => unknown, env: Record<string, string> = {}) {
  const service = await cannedService(({ operation, fields }) => (operation === "listLivePositions" ? FLEET : createJob(fields)));
  const { config } = toolsOver(service, { FLEET_DRIVER_NAMES: "hide", ...env });
  const tools = createFleetTools(config, { now: () => NOW });
  const pseudonymOf = async (query: string) => {
    const { structured } = await tools.call("locate_vehicle", { query });
    return (structured as { vehicle: { driverName: string } }).vehicle.driverName;
  };
  const pseudonyms = [await pseudonymOf("Truck 12"), await pseudonymOf("Van 7")] as const;
  return { tools, asked: service.asked, pseudonyms };
}

const JOB = { address: "Lyon", contactName: "Petra Privat", notes: "Carla Conti" };

it.each<[string, object]>([
  ["a preview", {}],
  ["a dry run", { dryRun: true }],
])("%s shows a caller's own text exactly as it is sent", async (_, more) => {
  const { tools, pseudonyms } = await hidden(() => ({ job: {} }));
  const { text } = await tools.call("create_job", { ...JOB, ...more });
  expect(text).toContain("contactName: Petra Privat\nnotes: Carla Conti");
  for (const pseudonym of pseudonyms) expect(text).not.toContain(pseudonym);
});

it("a created job repeats what was sent, and hides the names that the service adds", async () => {
  const { tools, asked, pseudonyms } = await hidden((fields) => ({ job: { jobId: "j1", ...fields, personName: "Petra Privat" } }), {
    FLEET_CONFIRM: "never",
  });
  const { structured } = await tools.call("create_job", JOB);
  expect(structured).toMatchObject({ job: { ...JOB, personName: pseudonyms[0] } });
  expect(asked.at(-1)?.fields).toMatchObject(JOB);
});

it("a driver is sent by id, as the preview shows", async () => {
  const { tools, asked, pseudonyms } = await hidden((fields) => ({ job: { jobId: "j1", ...fields } }));
  const job = { address: "Lyon", personName: pseudonyms[1] };
  const { text, structured } = await tools.call("create_job", job);
  expect(text).toContain("personId: p2");
  await tools.call("create_job", { ...job, confirmation: (structured as { confirmation: string }).confirmation });
  expect(asked.at(-1)?.fields).toMatchObject({ personId: "p2" });
  expect(asked.at(-1)?.fields).not.toHaveProperty("personName");
});

it.each<[string, Record<string, unknown>, string]>([
  ["a field", { ...JOB, "Petra Privat": 1, "Carla Conti": 2 }, "Petra Privat: is not a field of create_job; Carla Conti: is"],
  ["a name", { address: "Lyon", vehicleName: "Petra Privat" }, 'No vehicle matches "Petra Privat"'],
])("an error does not translate %s", async (_, args, words) => {
  const { tools, pseudonyms } = await hidden(() => undefined);
  const { text } = await tools.call("create_job", args);
  expect(text).toContain(words);
  for (const pseudonym of pseudonyms) expect(text).not.toContain(pseudonym);
});

it("what the service says about a job shows a pseudonym only for a name that the caller did not write", async () => {
  const errors = [{ field: "vehicleName", message: "Petra Privat is its driver, not Carla Conti" }];
  const { tools, pseudonyms } = await hidden(() => ({ errors }), { FLEET_CONFIRM: "never" });
  const [petra, carla] = pseudonyms;
  const { text } = await tools.call("create_job", { address: "Lyon", vehicleName: "Truck 12", groupName: "CARLA  conti" });
  expect(text).toContain(`${petra} is its driver, not [a driver's name]`);
  expect(text).not.toContain(carla);
});
