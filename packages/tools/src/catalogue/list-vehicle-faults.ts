import { operations } from "@fleetwire/core";
import { derivedTool } from "./derived-tool.ts";

export const listVehicleFaults = derivedTool(operations.listVehicleFaults, {
  bareRows: "Some rows are vehicles of which no fault is given.",
  periodRemark: "the service describes these dates as service due dates",
});
