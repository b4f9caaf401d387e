import { fleetsOf, type Sandbox } from "./sandbox.ts";
import { type Truth, truthOf as truthOfFleet } from "./simulation/truth.ts";

export type { PlantedFact, TrueMoment, TruePlace, TrueStop, TrueTrip, TrueVehicle, Truth } from "./simulation/truth.ts";

/** What the simulation knows about a customer's fleet, for tests that compare answers with it. Never served. */
export function truthOf(sandbox: Sandbox, customer = 0): Truth {
  const fleet = fleetsOf(sandbox)[customer];
  if (!fleet) throw new RangeError(`The sandbox has no customer ${customer}`);
  return truthOfFleet(fleet);
}
