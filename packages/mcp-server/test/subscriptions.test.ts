import type { LivePosition } from "@fleetwire/core";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import type { FleetService, Script } from "../../tools/test/fleet-service.ts";
import { httpUnderTest } from "./http-under-test.ts";
import { type Mode, serverUnderTest } from "./server-under-test.ts";

const SOON = { timeout: 15_000, interval: 10 };

const [TRUCK, VAN] = ["fleet://vehicle/Truck%201", "fleet://vehicle/v2"];

type Connect = (mode: Mode, script: Script) => Promise<{ client: Client; service: FleetService }>;

const SETTINGS = { FLEET_SNAPSHOT_SECONDS: "0.05", FLEET_CONFIRM: "auto" };

const overStdio: Connect = (mode, script) => serverUnderTest({ script, mode, env: SETTINGS, now: Date.now });

const overHttp: Connect = async (mode, script) => {
  const { service, host } = await httpUnderTest(script, SETTINGS, {}, Date.now);
  return { client: await host(mode), service };
};

/** Subscribes as the host's revision does. Returns how to end it. */
async function subscribe(client: Client, mode: Mode, uri: string): Promise<() => Promise<unknown>> {
  if (mode === "legacy") {
    await client.subscribeResource({ uri });
    return () => client.unsubscribeResource({ uri });
  }
  const subscription = await client.listen({ resourceSubscriptions: [uri] });
  expect(subscription.honoredFilter).toEqual({ resourceSubscriptions: [uri] });
  return () => subscription.close();
}

/** A fleet of two vehicles that a test changes. */
function changingFleet() {
  const vehicles: LivePosition[] = [
    { assetId: "v1", assetName: "Truck 1", city: "Lyon" },
    { assetId: "v2", assetName: "Van 2", city: "Lyon" },
  ];
  const change = (at: number, fields: LivePosition) => {
    vehicles[at] = { ...vehicles[at], ...fields };
  };
  return { script: { listLivePositions: () => ({ body: vehicles }) }, change };
}

function updatesOf(client: Client): string[] {
  const updated: string[] = [];
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => void updated.push(params.uri));
  return updated;
}

const hosts: [string, Mode, Connect][] = [
  ["stdio, the current revision", "auto", overStdio],
  ["stdio, an older revision", "legacy", overStdio],
  ["HTTP, the current revision", "auto", overHttp],
];

describe.each(hosts)("a subscription over %s", (_, mode, connect) => {
  it("reports each change of its vehicle once, until it ends", async () => {
    const { script, change } = changingFleet();
    const { client, service } = await connect(mode, script);
    expect(client.getServerCapabilities()?.resources).toEqual({ listChanged: false, subscribe: true });
    const updated = updatesOf(client);
    const endTruck = await subscribe(client, mode, TRUCK);
    const endVan = await subscribe(client, mode, VAN);

    change(0, { city: "Paris" });
    await expect.poll(() => updated, SOON).toEqual([TRUCK]);
    const { contents } = await client.readResource({ uri: TRUCK });
    expect(contents).toMatchObject([{ text: expect.stringContaining("Paris") }]);
    change(1, { city: "Paris" });
    await expect.poll(() => updated, SOON).toEqual([TRUCK, VAN]);

    await endTruck();
    change(0, { city: "Dijon" });
    change(1, { city: "Dijon" });
    await expect.poll(() => updated, SOON).toEqual([TRUCK, VAN, VAN]);

    await endVan();
    const reads = async () => {
      const before = service.received.length;
      await new Promise((resolve) => setTimeout(resolve, 200));
      return service.received.length - before;
    };
    await expect.poll(reads, SOON).toBe(0);
    expect(updated).toEqual([TRUCK, VAN, VAN]);
  });

  it("reveals nothing of a private journey", async () => {
    const { script, change } = changingFleet();
    change(0, { privacy: true });
    const { client } = await connect(mode, script);
    const updated = updatesOf(client);
    for (const uri of [TRUCK, VAN]) await subscribe(client, mode, uri);
    change(0, { city: "Paris", speed: 80, latitude: 1, longitude: 2 });
    change(1, { city: "Paris" });
    await expect.poll(() => updated, SOON).toEqual([VAN]);
  });

  it("is refused for a vehicle that is not known, and accepted for a resource that never changes", async () => {
    const { client } = await connect(mode, changingFleet().script);
    await expect(subscribe(client, mode, "fleet://vehicle/Submarine")).rejects.toThrow(/no vehicle matches: cannot subscribe to fleet:/);
    await (await subscribe(client, mode, "fleet://other"))();
  });
});

describe("subscriptions over HTTP", () => {
  it("are not offered to hosts of older revisions, which have no session", async () => {
    const { client } = await overHttp("legacy", changingFleet().script);
    expect(client.getServerCapabilities()?.resources).toEqual({ listChanged: false });
    await expect(client.subscribeResource({ uri: TRUCK })).rejects.toThrow();
  });

  it("notify each of several hosts once, and leave the others alone when one disconnects", async () => {
    const { script, change } = changingFleet();
    const { host } = await httpUnderTest(script, SETTINGS, {}, Date.now);
    const [one, other] = [await host("auto"), await host("auto")];
    const updated = [updatesOf(one), updatesOf(other)];
    for (const client of [one, other]) await client.listen({ resourceSubscriptions: [TRUCK, VAN] });
    change(0, { city: "Paris" });
    await expect.poll(() => updated, SOON).toEqual([[TRUCK], [TRUCK]]);
    await one.close();
    change(0, { city: "Dijon" });
    await expect.poll(() => updated, SOON).toEqual([[TRUCK], [TRUCK, TRUCK]]);
  });

  it("are limited in number, and do not use up the requests that calls need", async () => {
    const { script } = changingFleet();
    const { host } = await httpUnderTest(script, {}, { subscriptions: 1, requests: 2 });
    const client = await host("auto");
    const open = await client.listen({ resourceSubscriptions: [TRUCK] });
    await expect(client.listen({ resourceSubscriptions: [VAN] })).rejects.toThrow(/Subscription limit reached/);
    expect((await client.callTool({ name: "locate_vehicle", arguments: { query: "truck 1" } })).isError).toBeFalsy();
    await open.close();
    await expect.poll(() => client.listen({ resourceSubscriptions: [VAN] }).then(() => true), SOON).toBe(true);
  });

  it("end regularly when the server stops, which does not wait for them", async () => {
    const { host, http } = await httpUnderTest(changingFleet().script);
    const subscription = await (await host("auto")).listen({ resourceSubscriptions: [TRUCK] });
    await http.close();
    expect(await subscription.closed).toBe("graceful");
  });
});
