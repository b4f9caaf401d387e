import { operations } from "@fleetwire/core";
import { undocumentedList } from "./undocumented-list.ts";

export const listTireEvents = undocumentedList(operations.listTireEvents, (fleet) => fleet.listTireEvents);
