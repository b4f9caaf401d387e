import type { ResponseEvent } from "@fleetwire/core";
import { Gauge, Histogram, type Registry } from "prom-client";
import type { Fleet } from "./fleet.ts";

/** Upper bounds of durations, in seconds. */
export const SECONDS: number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const statusOf = ({ status, failure = "network" }: ResponseEvent) => (status === undefined ? failure : `${Math.floor(status / 100)}xx`);

/** A gauge without a value until something is known. */
function optionalGauge(name: string, help: string, registers: Registry[], read: () => number | undefined): void {
  new Gauge({
    name,
    help,
    registers,
    collect() {
      const value = read();
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}

/** Measures the requests to the fleet services, and the live views that are read from them. No label names a customer. */
export function serviceMetrics(fleets: readonly Fleet[], registers: Registry[]): void {
  const requests = new Histogram({
    name: "fleetwire_fleet_request_seconds",
    help: "Duration of requests to the fleet service, until the whole response has arrived, or its start if a list is streamed",
    labelNames: ["operation", "status"],
    buckets: SECONDS,
    registers,
  });
  // A counter that starts at 1 shows no increase, and a refused token is rare.
  requests.zero({ operation: "requestAccessToken", status: "4xx" });
  const up = new Map<Fleet, boolean>();
  for (const fleet of fleets) {
    fleet.watchService((event) => {
      requests.observe({ operation: event.operation, status: statusOf(event) }, event.duration / 1_000);
      // A caller who leaves says nothing about the service.
      if (event.failure !== "aborted") up.set(fleet, event.status !== undefined && event.status < 500);
    });
  }
  const failing = () => [...up.values()].filter((isUp) => !isUp).length;
  optionalGauge(
    "fleetwire_fleet_up",
    "Whether the last request to the fleet service got a response below 500, for at least one customer; absent before the first request",
    registers,
    () => (up.size === 0 ? undefined : Number(failing() < up.size)),
  );
  new Gauge({
    name: "fleetwire_fleets_failing",
    help: "Customers whose last request to the fleet service failed, or got a 5xx",
    registers,
    collect() {
      this.set(failing());
    },
  });
  optionalGauge(
    "fleetwire_view_age_seconds",
    "Age of the oldest live view that questions keep current; absent while there are none",
    registers,
    () => {
      const ages = fleets.flatMap((fleet) => fleet.viewAge() ?? []);
      return ages.length === 0 ? undefined : Math.max(...ages) / 1_000;
    },
  );
}
