import type { Job } from "@fleetwire/core";
import type { Customer } from "../service/customers.ts";
import { addressNear, placeInAddress } from "../simulation/addresses.ts";
import { topic } from "../simulation/random.ts";
import { siteIn } from "../simulation/sites.ts";
import type { RefuseField } from "./job-assignment.ts";

const rounded = (degrees: number) => Math.round(degrees * 1e6) / 1e6;

/** Finds a point for an address: in the town named in it, otherwise in the fleet's home town (chosen). */
function locate(address: string, { fleet }: Customer): { lat: number; lng: number } {
  const [vehicle] = fleet.vehicles();
  const place = placeInAddress(address) ?? vehicle?.home;
  if (!place) throw new RangeError("A fleet has at least one vehicle");
  const site = siteIn(place, "customer", topic(address));
  return { lat: rounded(site.latitude), lng: rounded(site.longitude) };
}

/** A job's place: coordinates are derived from the address, or the address from coordinates (interface 2.5). */
export function jobPlace(job: Job, customer: Customer, refuse: RefuseField): Pick<Job, "address" | "lat" | "lng"> {
  const { lat, lng } = job;
  const address = job.address?.trim();
  if (lat !== undefined && lng === undefined) refuse("lng", "is required when lat is given");
  if (lng !== undefined && lat === undefined) refuse("lat", "is required when lng is given");
  if (address) return { address, ...locate(address, customer) };
  if (lat !== undefined && lng !== undefined) return { address: addressNear({ latitude: lat, longitude: lng }), lat, lng };
  if (lat === undefined && lng === undefined) refuse("address", "is required unless lat and lng are given");
  return {};
}
