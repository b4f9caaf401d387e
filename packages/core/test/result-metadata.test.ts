import { describe, expect, it } from "vitest";
import { fleetUnderTest, tokenAnswer } from "./fleet-under-test.ts";

describe("a result with its metadata", () => {
  it("has the result of the plain call, and details of the call", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ status: 201, body: '[{"assetName":"Łódź"}]' }] });
    const { data, metadata } = await fleet.listLivePositions.withMetadata();
    expect(data).toEqual([{ assetName: "Łódź" }]);
    expect(metadata).toEqual({
      operation: "listLivePositions",
      status: 201,
      attempts: 1,
      duration: expect.any(Number),
      requestBytes: 0,
      responseBytes: 25,
    });
    expect(metadata.duration).toBeGreaterThan(0);
  });

  it("counts the bytes of the request as sent", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [{ body: { id: "g1" } }] });
    const { metadata } = await fleet.updateGroup.withMetadata({ id: "g1", name: "Łódź" });
    expect(metadata.requestBytes).toBe(Number(api.requests[0]?.headers["content-length"]));
  });

  it("has the number of a job, whoever chose it", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ body: { job: { jobId: "j1" } } }] });
    expect((await fleet.createJob.withMetadata({ address: "a" })).metadata.jobNumber).toMatch(/^FW-/);
    expect((await fleet.createJob.withMetadata({ address: "a", jobNumber: "MINE-7" })).metadata.jobNumber).toBe("MINE-7");
  });

  it("counts the request whose token had expired, but no token request", async () => {
    const { fleet } = await fleetUnderTest({
      auth: [tokenAnswer("canary-T1"), tokenAnswer("canary-T2")],
      api: [{ body: [] }, { status: 401 }, { body: [] }],
    });
    expect((await fleet.listTireEvents.withMetadata()).metadata.attempts).toBe(1);
    expect((await fleet.listTireEvents.withMetadata()).metadata.attempts).toBe(2);
  });
});
