const each = (reason: string, ...facts: string[]) => Object.fromEntries(facts.map((fact) => [fact, reason]));

const bounds = (path: string, degrees: number) => [`${path} minimum -${degrees}`, `${path} maximum ${degrees}`];

/** Rules that core adds to the interface, each with its reason; `docs/decisions.md` tells users of them. */
export const CHOSEN_RULES: Readonly<Record<string, string>> = {
  ...each("it is always sent, for nothing else is described", "requestAccessToken body.grant_type required"),
  ...each(
    "identifiers are letters and digits, so that none alters a URL or a list",
    "updateGroup body.parentId form alphanumeric",
    "updateGroup body.vehicleIds form alphanumeric",
    "updateGroup body.personIds form alphanumeric",
    "updateGroup 200.parentId pattern ^[A-Za-z0-9]+$",
    "updateGroup 200.vehicleIds items pattern ^[A-Za-z0-9]+$",
    "updateGroup 200.personIds items pattern ^[A-Za-z0-9]+$",
    "listLivePositions query.vehicleIds form alphanumeric",
    "listLivePositions query.groupIds form alphanumeric",
    "listLivePositions query.driverIds form alphanumeric",
    "createJob body.personId form alphanumeric",
    "createJob body.vehicleId form alphanumeric",
  ),
  ...each(
    "an empty filter might be read as everything",
    "listLivePositions query.vehicleIds minItems 1",
    "listLivePositions query.groupIds minItems 1",
    "listLivePositions query.driverIds minItems 1",
  ),
  ...each(
    "no page lies before the first, and none is empty",
    "listVehicleFaults query.pageSize minimum 1",
    "listVehicleFaults query.pageIndex minimum 0",
    "queryTachoActivity body.skip minimum 0",
    "queryTachoActivity body.limit minimum 1",
  ),
  ...each(
    "latitude and longitude are bounded by the globe",
    ...["createJob body.lat", "createJob body.overrideLat", "createJob 200.job.lat", "createJob 200.job.overrideLat"].flatMap((path) =>
      bounds(path, 90),
    ),
    ...["createJob body.lng", "createJob body.overrideLng", "createJob 200.job.lng", "createJob 200.job.overrideLng"].flatMap((path) =>
      bounds(path, 180),
    ),
    ...bounds("listLivePositions 200.[].latitude", 90),
    ...bounds("listLivePositions 200.[].longitude", 180),
  ),
  ...each("14 characters and an issue number make 15", "queryTachoActivity body.driverKeys items minLength 15"),
  ...each("no registration is blank", "queryTachoActivity body.registrations items minLength 1"),
};
