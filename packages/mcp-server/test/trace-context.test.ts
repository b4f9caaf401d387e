import { describe, expect, it } from "vitest";
import { messageIn, tokenServer } from "./callers-under-test.ts";
import { older } from "./http-under-test.ts";

const [HEADER_ID, META_ID] = ["0af7651916cd43dd8448eb211c80319c", "4bf92f3577b34da6a3ce929d0e0e4736"];
const HEADER = `00-${HEADER_ID}-b7ad6b7169203331-01`;
const META = `00-${META_ID}-00f067aa0ba902b7-01`;
const FAULTS = "list_vehicle_faults";
const ONE = { items: [{ assetId: "v1" }], pagination: { totalItems: 1, totalPages: 1, pageSize: 100, pageIndex: 0 } };

/** Sends calls, and returns the trace in the log, if it is there, and those that the service got. */
async function underTest(env: Record<string, string> = {}) {
  const { send, log, tokens, service } = await tokenServer({
    env,
    script: {
      listVehicleFaults: () => ({ body: ONE }),
      listTireEvents: () => ({ body: [] }),
      listLivePositions: () => ({ body: [{ assetId: "v1", assetName: "Truck 1" }] }),
      createJob: () => ({ body: { job: { jobId: "j1" } } }),
    },
  });
  const traced = async (name: string, args: object, _meta: object = {}, headers: Record<string, string> = {}) => {
    const call = older("tools/call", { name, arguments: args, _meta });
    const { text } = await send({ ...call, headers: { ...call.headers, ...headers } }, tokens.dispatch);
    expect(messageIn(text).result.isError).toBeFalsy();
    const request = () => log.findLast(({ msg }) => msg === "request");
    await expect.poll(request).toBeDefined();
    const received = service.received.map(({ headers: { traceparent, tracestate } }) =>
      [traceparent, tracestate].filter(Boolean).join(" ; "),
    );
    return { logged: request()?.["trace"], sent: received };
  };
  return { traced, service };
}

describe("the trace of a call reaches the log and the fleet service", () => {
  const CONGO = { traceparent: META, tracestate: "congo=2" };
  const INJECTED = { traceparent: `${META}\r\nx-evil: 1` };
  const MALFORMED = { traceparent: "canary-trace", tracestate: "a=1" };
  const BAGGAGE = { baggage: "user=canary" };
  it.each<[string, object, Record<string, string>, string | undefined, string]>([
    ["from the request's headers", {}, { traceparent: HEADER, tracestate: "rojo=1" }, HEADER_ID, `${HEADER} ; rojo=1`],
    ["from _meta, rather than from the headers", CONGO, { traceparent: HEADER }, META_ID, `${META} ; congo=2`],
    ["from the headers if that in _meta is malformed", INJECTED, { traceparent: HEADER }, HEADER_ID, HEADER],
    ["without a tracestate that is malformed", { traceparent: META, tracestate: "a=1\r\nx-evil: 1" }, {}, META_ID, META],
    ["unless it is malformed", { traceparent: { toString: "x" } }, MALFORMED, undefined, ""],
    ["unless there is none, whatever baggage there is", BAGGAGE, BAGGAGE, undefined, ""],
  ])("%s", async (_, meta, headers, id, sent) => {
    const { service, traced } = await underTest();
    expect(await traced(FAULTS, {}, meta, headers)).toEqual({ logged: id, sent: [sent] });
    const names = service.received.flatMap(({ headers: received }) => Object.keys(received));
    expect(names.filter((name) => name === "x-evil" || name === "baggage")).toEqual([]);
  });

  it("with the write that the call sends, but not with reads of the whole fleet, which all callers share", async () => {
    const { logged, sent } = await (await underTest()).traced("create_job", { address: "Lyon" }, { traceparent: META });
    expect([logged, sent]).toEqual([META_ID, expect.arrayContaining([META])]);
    const { traced } = await underTest();
    expect(await traced("locate_vehicle", { query: "truck 1" }, { traceparent: META })).toEqual({ logged: META_ID, sent: [""] });
  });

  it.each([FAULTS, "list_tire_events"])("and reads that differ only in their trace are still shared (%s)", async (tool) => {
    const { traced } = await underTest({ FLEET_SNAPSHOT_SECONDS: "20" });
    await traced(tool, {}, { traceparent: META });
    expect((await traced(tool, {}, { traceparent: HEADER })).sent.filter(Boolean)).toEqual([META]);
  });
});
