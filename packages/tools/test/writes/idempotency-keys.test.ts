import { describe, expect, it } from "vitest";
import { fleetUnderTest, JOB } from "../fleet-under-test.ts";
import type { Reply } from "../served-fleet.ts";
import { type Args, PLACE, recordOf, SEAL_KEY, servedWrites, WRITES } from "./served-writes.ts";

const KEYED = { approved: true, idempotencyKey: "run-7/1" };
const refused = { ok: false, structured: { error: { code: "input", changed: "no" } } };

describe("an idempotency key", () => {
  it.each(WRITES)("sends a repeated %s once, concurrent or later", async (name, args) => {
    const { tools, sent } = await servedWrites();
    const run = () => tools.call(name, args, KEYED);
    const [first, second] = await Promise.all([run(), run()]);
    const { note: _, ...record } = recordOf(first);
    for (const repeated of [second, await run()]) {
      expect(repeated.structured).toMatchObject(record);
      expect(repeated.text).toContain("an earlier call with the same idempotency key: nothing was sent this time");
    }
    expect([first.text.includes("earlier call"), sent().length]).toEqual([false, 1]);
  });

  it.each(["refuse", "conflict", "overwrite"] as const)(
    "creates one job across processes, whatever a service does with an existing number: %s",
    async (duplicateJobs) => {
      const { tools, another, jobs } = await fleetUnderTest({ sandbox: { duplicateJobs } });
      const before = (await jobs()).length;
      const first = recordOf(await tools.call("create_job", JOB, KEYED));
      expect(first.job.jobNumber).toMatch(/^FW-[0-9A-HJKMNP-TV-Z]{8}-[0-9A-HJKMNP-TV-Z]{10}$/);
      // Order and undefined members do not matter.
      const again = { confirmation: null, ...Object.fromEntries(Object.entries(JOB).reverse()), notes: null };
      const second = await another().call("create_job", again, KEYED);
      expect(second).toMatchObject({ ok: true, structured: { job: { jobNumber: first.job.jobNumber } } });
      if (duplicateJobs !== "overwrite") expect(second.text).toContain("Inferred");
      expect((await jobs()).length).toBe(before + 1);
    },
  );

  it("derives a different number for a different key, customer or argument, in every process", async () => {
    const { tools, another } = await servedWrites();
    const numberOf = async (from: typeof tools, args: Args, idempotencyKey: string) =>
      (await from.byName.get("create_job")?.preview(args, { idempotencyKey }))?.text.match(/FW-\S+/)?.[0];
    const numbers = [
      await numberOf(tools, PLACE, "a"),
      await numberOf(tools, PLACE, "b"),
      await numberOf(another({ customerId: "c43" }), PLACE, "a"),
      await numberOf(tools, { ...PLACE, notes: "x" }, "a"),
      await numberOf(tools, { ...PLACE, notes: "y" }, "a"),
    ];
    expect(new Set(numbers).size).toBe(5);
    expect(await numberOf(another(), PLACE, "a")).toBe(numbers[0]);
  });

  it("is rejected with other arguments or another tool once a write may have been sent", async () => {
    const replies: Reply[] = [{ status: 400, body: [] }, { status: 429 }];
    const { tools, create, sent } = await servedWrites({
      script: { createJob: ({ body }) => replies.shift() ?? { body: { job: { ...body, jobId: "j1" } } } },
    });
    // These changed nothing, so the key is free.
    await create({ ...PLACE, vehicleName: "truck" }, KEYED);
    for (const notes of ["a", "b"]) expect((await create({ ...PLACE, notes }, KEYED)).ok).toBe(false);
    await create(PLACE, { idempotencyKey: KEYED.idempotencyKey });
    expect((await create(PLACE, KEYED)).ok).toBe(true);
    for (const [name, args] of [["create_job", { ...PLACE, notes: "x" }] as const, ["update_group", { id: "north", name: "N" }] as const]) {
      const result = await tools.call(name, args, KEYED);
      expect(result).toMatchObject(refused);
      expect(result.text).toMatch(/idempotencyKey: was already used with another tool or other arguments.*Use each key for one call only/);
      expect(await tools.byName.get(name)?.preview(args, KEYED)).toMatchObject(refused);
    }
    expect(sent()).toHaveLength(3);
  });

  it("whose write may have been sent stays so, whatever comes of later ones", async () => {
    const replies: Reply[] = ["reset", { status: 400, body: [{ offendingFields: ["address"] }] }];
    const { create, sent } = await servedWrites({ script: { createJob: () => replies.shift() ?? { body: { job: { jobId: "j1" } } } } });
    for (const _ of [...replies]) {
      expect(recordOf(await create(PLACE, KEYED)).error).toMatchObject({ code: "unknownOutcome", changed: "unknown" });
      expect(await create({ ...PLACE, notes: "x" }, KEYED)).toMatchObject(refused);
    }
    expect((await create(PLACE, KEYED)).ok).toBe(true);
    expect(new Set(sent().map(({ jobNumber }) => jobNumber)).size).toBe(1);
  });

  it("is rejected if it is invalid, or the service numbers jobs and the arguments do not", async () => {
    const { create, another, sent } = await servedWrites();
    for (const idempotencyKey of ["", 7, {}, null] as never[])
      expect((await create(PLACE, { approved: true, idempotencyKey })).text).toMatch(/^input: idempotencyKey: must be a non-empty string/);
    const serviceNumbers = another({ jobNumbers: "service" });
    expect(recordOf(await serviceNumbers.call("create_job", PLACE, KEYED)).error.code).toBe("config");
    expect(sent()).toEqual([]);
    expect((await serviceNumbers.call("create_job", { ...PLACE, jobNumber: "J-1" }, KEYED)).ok).toBe(true);
  });

  it("yields to a number in the arguments or a confirmation", async () => {
    const { create, sent } = await servedWrites({ env: { FLEET_SEAL_KEY: SEAL_KEY } });
    await create({ ...PLACE, jobNumber: "J-7" }, KEYED);
    const { confirmation, preview } = recordOf(await create(PLACE, { idempotencyKey: "call-1" }));
    // A framework uses another id for the call that passes the token back.
    await create({ ...PLACE, confirmation }, { idempotencyKey: "call-2" });
    expect(sent().map(({ jobNumber }) => jobNumber)).toEqual(["J-7", confirmation.split(".")[1]]);
    expect(preview).toContain(`jobNumber: ${sent()[1]?.["jobNumber"]}`);
  });
});
