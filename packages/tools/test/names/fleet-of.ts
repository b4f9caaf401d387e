import { FleetView } from "../../src/fleet/fleet-view.ts";
import type { Position } from "../../src/fleet/position.ts";

/** The view of a fleet that reports these positions. */
export async function fleetOf(...positions: Position[]): Promise<FleetView> {
  const view = new FleetView();
  const { add, end } = view.update();
  for (const position of positions) add(position);
  await end();
  return view;
}
