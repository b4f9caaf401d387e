import type { LivePosition, TachoActivityPage } from "@fleetwire/core";
import type { ObservedClient } from "../deployment/index.ts";

/** Values that exist in the deployment, so that calls with them are valid. */
export interface KnownValues {
  vehicles: string[];
  drivers: string[];
  groups: { id: string; name: string }[];
  registrations: string[];
  driverKeys: string[];
  now: Date;
}

const MOST = 10;
const DAY = 86_400_000;
const IDENTIFIER = /^[A-Za-z0-9]+$/;
const GROUP_ID = /^[a-z0-9]{1,24}$/;

const different = (values: readonly (string | undefined)[], isValid: (value: string) => boolean) =>
  [...new Set(values)].filter((value): value is string => value !== undefined && isValid(value)).slice(0, MOST);

/** Reads a few ids, names and keys; what cannot be read is not varied. */
export async function readKnownValues({ fleet }: ObservedClient, now: Date, signal: AbortSignal): Promise<KnownValues> {
  const orNone = async <Value>(read: Promise<Value>, none: Value): Promise<Value> => {
    try {
      return await read;
    } catch {
      signal.throwIfAborted();
      return none;
    }
  };
  const positions = await orNone<readonly LivePosition[]>(fleet.listLivePositions({}, { signal }), []);
  const period = { startTime: new Date(now.getTime() - DAY), endTime: now, limit: MOST };
  const { data = [] } = await orNone<Partial<TachoActivityPage>>(fleet.queryTachoActivity(period, { signal }), {});
  const isId = (text: string) => IDENTIFIER.test(text);
  const groups = positions.flatMap(({ assetGroupId: id = "", assetGroupName: name = "" }) =>
    GROUP_ID.test(id) && name ? [{ id, name }] : [],
  );
  return {
    vehicles: different(
      positions.map(({ assetId }) => assetId),
      isId,
    ),
    drivers: different(
      positions.map(({ driverId }) => driverId),
      isId,
    ),
    groups: [...new Map(groups.map((group) => [group.id, group])).values()].slice(0, MOST),
    registrations: different(
      positions.map(({ assetRegistration }) => assetRegistration),
      (text) => text !== "" && !text.includes(","),
    ),
    driverKeys: different(
      data.map(({ driverKey }) => driverKey),
      (text) => text.length >= 15,
    ),
    now,
  };
}
