import { operations } from "@fleetwire/core";
import { derivedTool } from "./derived-tool.ts";

export const listVehicleFaults = derivedTool(operations.listVehicleFaults, {
  bareRowsNote: "Some rows are vehicles with no faults listed.",
  periodNote: "the service describes these dates as service due dates",
});
