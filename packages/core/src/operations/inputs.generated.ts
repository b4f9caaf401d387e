// Written by npm run generate. Change the schemas and operations instead.
import type { JobRequest, TachoSort } from "../schemas/shapes.generated.ts";

/** Input of requestAccessToken (interface 5.2). */
export interface RequestAccessTokenInput {
  /** Always client_credentials. */
  grant_type?: "client_credentials" | undefined;
}

/** Input of updateGroup (interface 4.1). */
export interface UpdateGroupInput {
  /** Identifier of the group. Must not be empty. Must have at most 24 characters. Must consist of lower-case letters and digits only. */
  id: string;
  /** Name, unique among groups. Must have at most 255 characters. */
  name?: string | undefined;
  /** Identifier of the parent group; changing it moves the group. Must consist of letters and digits only. */
  parentId?: string | undefined;
  /** Identifiers of the assigned vehicles. Each must consist of letters and digits only. */
  vehicleIds?: string[] | undefined;
  /** Identifiers of the assigned persons. Each must consist of letters and digits only. */
  personIds?: string[] | undefined;
}

/** Input of listVehicleFaults (interface 4.2). */
export interface ListVehicleFaultsInput {
  /** Only this vehicle. Must consist of letters and digits only. */
  vehicleId?: string | undefined;
  /** Only this group. Must consist of letters and digits only. */
  groupId?: string | undefined;
  /**
   * From this UTC time; described as the earliest service due date. Accepts a Date or an ISO 8601 date-time; sent as UTC,
   * YYYY-MM-DDThh:mm:ss.
   */
  startDate?: string | Date | undefined;
  /**
   * Until this UTC time; described as the latest service due date. Accepts a Date or an ISO 8601 date-time; sent as UTC,
   * YYYY-MM-DDThh:mm:ss.
   */
  endDate?: string | Date | undefined;
  /** Items per page; default and maximum not documented. */
  pageSize?: number | undefined;
  /** Index of the page, from 0. */
  pageIndex?: number | undefined;
}

/** Input of listLivePositions (interface 4.3). */
export interface ListLivePositionsInput {
  /** Only these vehicles. Must not be empty; omit it to get all. Each must consist of letters and digits only. */
  vehicleIds?: string[] | undefined;
  /** Only these groups. Must not be empty; omit it to get all. Each must consist of letters and digits only. */
  groupIds?: string[] | undefined;
  /** Only these drivers. Must not be empty; omit it to get all. Each must consist of letters and digits only. */
  driverIds?: string[] | undefined;
  /** Only from this UTC time onwards. Accepts a Date or an ISO 8601 date-time; sent as UTC date-time, such as 2026-11-20T08:30:00Z. */
  fromDateTime?: string | Date | undefined;
  /** Also vehicles with status SOLD. */
  showAllVehicleStatus?: boolean | undefined;
  /** Language, such as en-GB. */
  locale?: string | undefined;
  /** Omit the speed if the vehicle's or driver's group is speed sensitive. */
  hideSpeedIfSpeedSensitive?: boolean | undefined;
}

/** Input of createJob (interface 4.4). */
export interface CreateJobInput extends JobRequest {
  /** The service's default is true; what it overrides is not clear from its description. */
  override?: boolean | null | undefined;
}

/** Input of queryTachoActivity (interface 4.5). */
export interface QueryTachoActivityInput {
  /** From this UTC time. Accepts a Date or an ISO 8601 date-time; sent as UTC, YYYY-MM-DDThh:mm:ss. */
  startTime: string | Date;
  /** Until this UTC time. Accepts a Date or an ISO 8601 date-time; sent as UTC, YYYY-MM-DDThh:mm:ss. */
  endTime: string | Date;
  /**
   * Only these full driver keys: 14 characters and the issue number. Each must be the full driver key: 14 characters and the issue number.
   */
  driverKeys?: string[] | undefined;
  /** Only these registrations, exactly as stored by the service. Each must not be empty. */
  registrations?: string[] | undefined;
  /**
   * Deprecated. Kind of data.
   *
   * @deprecated Deprecated by the interface.
   */
  dataContent?: "live" | "DDD" | undefined;
  /** Records to skip. */
  skip?: number | undefined;
  /** Maximum number of records; default and maximum not documented. */
  limit?: number | undefined;
  /** ASC or DESC by field, such as driverKey or activities.startTime. */
  sort?: TachoSort | undefined;
}

/** Input of listTireEvents (interface 4.6). */
export interface ListTireEventsInput {
  /** Query parameters, passed through. */
  query?: Record<string, string | number | boolean | (string | number | boolean)[]> | undefined;
}

/** Input of listJobs (interface 4.6). */
export interface ListJobsInput {
  /** Query parameters, passed through. */
  query?: Record<string, string | number | boolean | (string | number | boolean)[]> | undefined;
}
