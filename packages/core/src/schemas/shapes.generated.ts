// Written by npm run generate. Change the schemas and operations instead.

/** Response of the token service (interface 5.2). */
export interface AccessToken {
  /** Whether authentication succeeded. */
  success?: boolean | undefined;
  /** Token for later requests. */
  accessToken?: string | undefined;
  /** Always bearer. */
  token_type?: "bearer" | (string & {}) | undefined;
  /** Lifetime of the token in seconds. */
  expires_in?: number | undefined;
}

/** One error of the service (`ApiErrorDto`, interface 2.2). The values of errorCode are not documented. */
export interface ApiError {
  /** Error number; values not documented. */
  errorCode?: number | undefined;
  /** What went wrong, in the service's words. */
  errorMessage?: string | undefined;
  /** Names of the rejected fields. */
  offendingFields?: string[] | undefined;
}

/** One fault of a vehicle (interface 2.3). The unit of the odometer readings is not stated there. */
export interface Fault {
  /** Description of the fault. */
  description?: string | undefined;
  /** Fault code. */
  code?: string | undefined;
  /** When the fault began. Format: date-time. */
  startDate?: string | undefined;
  /** When the fault ended. Format: date-time. */
  endDate?: string | undefined;
  /** Odometer when the fault began; unit not stated. */
  startOdometer?: number | undefined;
  /** Odometer when the fault ended; unit not stated. */
  endOdometer?: number | undefined;
  /** Whether the fault is still active. */
  inProgress?: boolean | undefined;
  /** Where the fault came from. */
  details?: FaultDetails | undefined;
}

/** Where a fault came from, and its details from the vehicle bus (interface 2.3). */
export interface FaultDetails {
  /** Component that reported the fault. */
  source?: string | undefined;
  /** Description of that component. */
  sourceDescription?: string | undefined;
  /** How often the fault occurred. */
  occurrenceCount?: number | undefined;
  /** Failure mode identifier. */
  fmi?: string | undefined;
  /** Description of the failure mode. */
  fmiDescription?: string | undefined;
  /** Warning lamps that were lit. */
  lamps?: string[] | undefined;
}

/** A group of the hierarchy (`GroupDto`, interface 2.1). */
export interface Group {
  /** Identifier of the group. Must not be empty. Must have at most 24 characters. Must consist of lower-case letters and digits only. */
  id: string;
  /** Name, unique among groups. Must have at most 255 characters. */
  name?: string | undefined;
  /** Identifier of the parent group; changing it moves the group. Must consist of letters and digits only. */
  parentId?: string | undefined;
  /** Ids from the root group to this one, separated by dots. */
  path?: string | undefined;
  /** Identifiers of the assigned vehicles. Each must consist of letters and digits only. */
  vehicleIds?: string[] | undefined;
  /** Identifiers of the assigned persons. Each must consist of letters and digits only. */
  personIds?: string[] | undefined;
}

/** A job, a piece of work or a delivery (interface 2.5). */
export interface Job {
  /** System-assigned identifier. */
  jobId?: string | undefined;
  /** Number of the job; must be unique, generated if absent. */
  jobNumber?: string | undefined;
  /** Title. */
  jobTitle?: string | undefined;
  /** Name of the account's customer. */
  clientName?: string | undefined;
  /** Account number. */
  accountNumber?: string | undefined;
  /** Person who receives the order. */
  contactName?: string | undefined;
  /** That person's e-mail address. */
  contactEmail?: string | undefined;
  /** That person's telephone number. */
  contactPhone?: string | undefined;
  /** Notes. */
  notes?: string | undefined;
  /** Latitude of the delivery; with lng, instead of or in addition to an address. */
  lat?: number | undefined;
  /** Longitude of the delivery; with lat. */
  lng?: number | undefined;
  /** Full address; required unless lat and lng are given. */
  address?: string | undefined;
  /** When the status changed. */
  statusChangeTimestamp?: string | undefined;
  /** Identifier of the status change. */
  statusChangeId?: string | undefined;
  /** Scheduled start in UTC, YYYY-MM-DDTHH:mmZ or YYYY-DD-MM. */
  scheduledStartDateTime?: string | undefined;
  /** Scheduled duration in hours and minutes; form not stated. */
  jobDuration?: string | undefined;
  /** Start of the arrival window in UTC, YYYY-MM-DDTHH:mmZ. */
  arrivalWindowStart?: string | undefined;
  /** End of the arrival window in UTC, YYYY-MM-DDTHH:mmZ. */
  arrivalWindowEnd?: string | undefined;
  /** Identifier of an existing driver, who becomes personName. */
  personId?: string | undefined;
  /** Identifier of an existing vehicle, which becomes vehicleName. */
  vehicleId?: string | undefined;
  /** Name of an existing group; the root group if absent. */
  groupName?: string | undefined;
  /** Name of the driver; with vehicleName, the vehicle's default driver if it has one. */
  personName?: string | undefined;
  /** Name of an existing vehicle, whose default driver becomes personName. */
  vehicleName?: string | undefined;
  /** Order numbers. */
  orderNumbers?: string[] | undefined;
  /** Status. */
  status?:
    | "NEW"
    | "ASSIGNED"
    | "RECEIVED"
    | "IN_PROGRESS"
    | "VISITED"
    | "CANCELLED"
    | "MISSED"
    | "ACCEPTED"
    | "INCOMPLETE"
    | "$UNKNOWN"
    | (string & {})
    | undefined;
  /** Notes of the driver. */
  driverNotes?: string | undefined;
  /** Status changes. */
  statusHistory?: StatusHistoryEntry[] | undefined;
  /** When work began. */
  actualStart?: string | undefined;
  /** When work ended. */
  actualEnd?: string | undefined;
  /** Overriding latitude. */
  overrideLat?: number | undefined;
  /** Overriding longitude. */
  overrideLng?: number | undefined;
  /** History of the job. */
  jobHistory?: JobHistoryEntry[] | undefined;
  /** Radius in metres; 200 if absent. */
  jobRadius?: number | undefined;
  /** Estimated time of arrival. */
  eta?: string | undefined;
  /** Remaining distance in km. */
  etaDistanceKms?: number | undefined;
  /** When that estimate was calculated. */
  lastEtaCalcTime?: string | undefined;
  /** Whether the job belongs to a driver or a vehicle. */
  primaryResource?: "DRIVER" | "VEHICLE" | "$UNKNOWN" | (string & {}) | undefined;
  /** Identifier of an existing job type. */
  jobTypeId?: string | undefined;
  /** Type of the job. */
  jobType?: JobType | undefined;
  /** Photos. */
  jobPhotos?: JobPhoto[] | undefined;
  /** Signature. */
  jobSignature?: JobSignature | undefined;
  /** Alphanumeric identifier that links jobs; empty to have one generated; not with linkedJobIndex. */
  linkingId?: string | undefined;
  /** Description of the linked job. */
  linkedJobDescription?: string | undefined;
  /** Position in the sequence of linked jobs; not with linkingId. */
  linkedJobIndex?: string | undefined;
  /** Files to upload, at most 3. */
  resources?: ResourceFile[] | undefined;
  /** Sub-status. */
  subStatus?: SubStatus | undefined;
  /** Server time. */
  lastServerTime?: string | undefined;
  /** Results of visits. */
  visitResults?: VisitResult[] | undefined;
  /** Label of the sub-status. */
  subStatusLabel?: string | undefined;
  /** Label of the status. */
  statusLabel?: string | undefined;
}

/** Response to a job creation (interface 2.6). */
export interface JobCreation {
  /** The created job. */
  job?: Job | undefined;
  /** Rejected fields. */
  errors?: JobError[] | undefined;
  /** Link for a CSV upload. */
  csvUploadLink?: string | undefined;
}

/** A rejected field of a job (interface 2.6). */
export interface JobError {
  /** Rejected field. */
  field?: string | undefined;
  /** Why. */
  message?: string | undefined;
}

/** An entry of a job's history (interface 2.5). */
export interface JobHistoryEntry {
  /** When it happened. */
  date?: string | undefined;
  /** Identifier of the person who did it. */
  personId?: string | undefined;
  /** Name. */
  name?: string | undefined;
  /** Person the job was assigned to. */
  assignedPersonName?: string | undefined;
  /** Vehicle the job was assigned to. */
  assignedAssetName?: string | undefined;
}

/** A photo taken on a job (interface 2.5). */
export interface JobPhoto {
  /** When it was taken. */
  date?: string | undefined;
  /** Where it can be downloaded. */
  downloadUrl?: string | undefined;
}

/** A {@link Job} with the rules that apply to its creation (interface 2.5, part 8). */
export interface JobRequest {
  /** System-assigned identifier. */
  jobId?: string | undefined;
  /** Number of the job; must be unique, generated if absent. */
  jobNumber?: string | undefined;
  /** Title. */
  jobTitle?: string | undefined;
  /** Name of the account's customer. */
  clientName?: string | undefined;
  /** Account number. */
  accountNumber?: string | undefined;
  /** Person who receives the order. */
  contactName?: string | undefined;
  /** That person's e-mail address. */
  contactEmail?: string | undefined;
  /** That person's telephone number. */
  contactPhone?: string | undefined;
  /** Notes. */
  notes?: string | undefined;
  /** Latitude of the delivery; with lng, instead of or in addition to an address. */
  lat?: number | undefined;
  /** Longitude of the delivery; with lat. */
  lng?: number | undefined;
  /** Full address; required unless lat and lng are given. */
  address?: string | undefined;
  /** When the status changed. */
  statusChangeTimestamp?: string | undefined;
  /** Identifier of the status change. */
  statusChangeId?: string | undefined;
  /**
   * Scheduled start in UTC, YYYY-MM-DDTHH:mmZ or YYYY-DD-MM. Accepts a Date or an ISO 8601 date-time; sent as UTC, YYYY-MM-DDTHH:mmZ or
   * YYYY-DD-MM.
   */
  scheduledStartDateTime?: string | Date | undefined;
  /** Scheduled duration in hours and minutes; form not stated. */
  jobDuration?: string | undefined;
  /** Start of the arrival window in UTC, YYYY-MM-DDTHH:mmZ. Accepts a Date or an ISO 8601 date-time; sent as UTC, YYYY-MM-DDTHH:mmZ. */
  arrivalWindowStart?: string | Date | undefined;
  /** End of the arrival window in UTC, YYYY-MM-DDTHH:mmZ. Accepts a Date or an ISO 8601 date-time; sent as UTC, YYYY-MM-DDTHH:mmZ. */
  arrivalWindowEnd?: string | Date | undefined;
  /** Identifier of an existing driver, who becomes personName. Must consist of letters and digits only. */
  personId?: string | undefined;
  /** Identifier of an existing vehicle, which becomes vehicleName. Must consist of letters and digits only. */
  vehicleId?: string | undefined;
  /** Name of an existing group; the root group if absent. */
  groupName?: string | undefined;
  /** Name of the driver; with vehicleName, the vehicle's default driver if it has one. */
  personName?: string | undefined;
  /** Name of an existing vehicle, whose default driver becomes personName. */
  vehicleName?: string | undefined;
  /** Order numbers. */
  orderNumbers?: string[] | undefined;
  /** Status. */
  status?: "NEW" | "ASSIGNED" | "IN_PROGRESS" | "VISITED" | "CANCELLED" | undefined;
  /** Notes of the driver. */
  driverNotes?: string | undefined;
  /** Status changes. */
  statusHistory?: StatusHistoryEntry[] | undefined;
  /** When work began. */
  actualStart?: string | undefined;
  /** When work ended. */
  actualEnd?: string | undefined;
  /** Overriding latitude. */
  overrideLat?: number | undefined;
  /** Overriding longitude. */
  overrideLng?: number | undefined;
  /** History of the job. */
  jobHistory?: JobHistoryEntry[] | undefined;
  /** Radius in metres; 200 if absent. */
  jobRadius?: number | undefined;
  /** Estimated time of arrival. */
  eta?: string | undefined;
  /** Remaining distance in km. */
  etaDistanceKms?: number | undefined;
  /** When that estimate was calculated. */
  lastEtaCalcTime?: string | undefined;
  /** Whether the job belongs to a driver or a vehicle. */
  primaryResource?: "DRIVER" | "VEHICLE" | "$UNKNOWN" | undefined;
  /** Identifier of an existing job type. */
  jobTypeId?: string | undefined;
  /** Type of the job. */
  jobType?: JobType | undefined;
  /** Photos. */
  jobPhotos?: JobPhoto[] | undefined;
  /** Signature. */
  jobSignature?: JobSignature | undefined;
  /**
   * Alphanumeric identifier that links jobs; empty to have one generated; not with linkedJobIndex. Must consist of letters and digits only,
   * or be empty.
   */
  linkingId?: string | undefined;
  /** Description of the linked job. */
  linkedJobDescription?: string | undefined;
  /** Position in the sequence of linked jobs; not with linkingId. */
  linkedJobIndex?: string | undefined;
  /** Files to upload, at most 3. Must have at most 3 entries. */
  resources?: ResourceFile[] | undefined;
  /** Sub-status. */
  subStatus?: SubStatus | undefined;
  /** Server time. */
  lastServerTime?: string | undefined;
  /** Results of visits. */
  visitResults?: VisitResult[] | undefined;
  /** Label of the sub-status. */
  subStatusLabel?: string | undefined;
  /** Label of the status. */
  statusLabel?: string | undefined;
}

/** The signature given for a job (interface 2.5). */
export interface JobSignature {
  /** When it was given. */
  date?: string | undefined;
  /** Where it can be downloaded. */
  downloadUrl?: string | undefined;
  /** Name of the signee. */
  signeeName?: string | undefined;
}

/** A type of job (interface 2.5). */
export interface JobType {
  /** Identifier of the job type. */
  id?: string | undefined;
  /** Label. */
  label?: string | undefined;
  /** Description. */
  description?: string | undefined;
  /** Whether the type is global. */
  global?: boolean | undefined;
  /** Whether the type is in use. */
  used?: boolean | undefined;
  /** Whether the type is disabled. */
  disabled?: boolean | undefined;
  /** Key. */
  key?: string | undefined;
  /** Earliest start; unit not stated. */
  earliestStartTime?: number | undefined;
  /** Latest start; unit not stated. */
  latestStartTime?: number | undefined;
  /** Duration; form not stated. */
  duration?: string | undefined;
  /** Notes. */
  notes?: string | undefined;
  /** Files. */
  resources?: ResourceFile[] | undefined;
  /** Whether a report is sent when the job is completed. */
  sendJobReportOnCompletion?: boolean | undefined;
  /** Identifier of the workflow. */
  workflowId?: string | undefined;
}

/**
 * Latest position and status of a vehicle or other asset (interface 2.4). The values of status, assetType and ignitionStatus are not
 * documented.
 */
export interface LivePosition {
  /** Registration. */
  assetRegistration?: string | undefined;
  /** Display name of the asset. */
  assetName?: string | undefined;
  /** Vehicle identification number. */
  assetVin?: string | undefined;
  /** System-assigned identifier; never changes. */
  assetId?: string | undefined;
  /** System-assigned identifier of the driver; never changes. */
  driverId?: string | undefined;
  /** Name of the driver. */
  driverName?: string | undefined;
  /** Identifier of the driver's group. */
  driverGroupId?: string | undefined;
  /** Name of the driver's group. */
  driverGroupName?: string | undefined;
  /** Identifier of the asset's group. */
  assetGroupId?: string | undefined;
  /** Name of the asset's group. */
  assetGroupName?: string | undefined;
  /** When the latest tracking event happened. Format: date-time. */
  date?: string | undefined;
  /** Status of the vehicle; values not documented beyond SOLD. */
  status?: string | undefined;
  /**
   * Kind of the latest tracking event: ping is a timed report (for example from a trailer), input a change at an attached device, unknown
   * an electric vehicle's charging report, defect a fault read from the bus.
   */
  eventType?: "driving" | "idling" | "stopped" | "ping" | "input" | "unknown" | "defect" | (string & {}) | undefined;
  /** Speed in km/h; omitted on request if a group is speed sensitive. */
  speed?: number | undefined;
  /** Odometer in km at the latest event. */
  odometer?: number | undefined;
  /** Heading in degrees clockwise from north. */
  heading?: number | undefined;
  /** Degrees north. */
  latitude?: number | undefined;
  /** Degrees east. */
  longitude?: number | undefined;
  /** Road of the address. */
  road?: string | undefined;
  /** House number. */
  roadNumber?: string | undefined;
  /** City of the address. */
  city?: string | undefined;
  /** Postcode of the address. */
  postCode?: string | undefined;
  /** Country of the address. */
  country?: string | undefined;
  /** Address on one line, comma-separated in the order used in its country. */
  formattedAddress?: string | undefined;
  /** Region, county or state of the address. */
  division?: string | undefined;
  /** Point of interest whose geo-fence the asset is in. */
  locationName?: string | undefined;
  /** Category of that point of interest. */
  locationGroupName?: string | undefined;
  /** Identifier of that point of interest. */
  locationId?: string | undefined;
  /** Whether the journey is private. */
  privacy?: boolean | undefined;
  /** Tags. */
  tags?: string[] | undefined;
  /** Type of asset; values not documented. */
  assetType?: string | undefined;
  /** Type of drive. */
  energyType?: "UNDEFINED" | "EV" | "PHEV" | "HEV" | "FECV" | "ICE" | "CNG" | "LNG" | "LPG" | "BI-FUEL" | (string & {}) | undefined;
  /** Primary fuel, then secondary fuel. */
  fuelType?: ("PETROL" | "DIESEL" | "PROPANE" | "METHANE" | "ELECTRIC" | "HYDROGEN" | (string & {}))[] | undefined;
  /** Electric range in km. */
  electricRangeKm?: number | undefined;
  /** Whether that range is an estimate. */
  electricRangeKmEstimated?: boolean | undefined;
  /** Traction battery level in percent. */
  electricBatteryLevelPercent?: number | undefined;
  /** Whether that level is an estimate. */
  electricBatteryLevelPercentEstimated?: boolean | undefined;
  /** Whether the vehicle is charging. */
  electricCharging?: boolean | undefined;
  /** Minutes of charging left. */
  electricChargingTimeRemainingMins?: number | undefined;
  /** Fuel level in litres. */
  fuelLevelLitres?: number | undefined;
  /** Fuel level in percent. */
  fuelLevelPercentage?: number | undefined;
  /** Engine hours, decimal, at the latest event. */
  engineTotalHours?: number | undefined;
  /** Engine speed in revolutions per minute. */
  engineRpm?: number | undefined;
  /** Engine hours read from the bus (CAN) or calculated from journeys (ESTIMATED). */
  engineTotalHoursType?: "CAN" | "ESTIMATED" | (string & {}) | undefined;
  /** Serial number of the tracking device; a string of digits if a number would not be exact. */
  serialNumber?: number | string | undefined;
  /** Ignition status; values not documented. */
  ignitionStatus?: string | undefined;
  /** Charge of the tracking device's own battery. */
  batteryVoltage?: number | undefined;
  /** Charge of an external power source. */
  externalPowerVoltage?: number | undefined;
  /** Codes of active faults. */
  activeFaultCodes?: string[] | undefined;
}

/** The position of a page in the list (interface 2.3). */
export interface Pagination {
  /** Total number of items. */
  totalItems?: number | undefined;
  /** Total number of pages. */
  totalPages?: number | undefined;
  /** Items per page. */
  pageSize?: number | undefined;
  /** Index of this page, from 0. */
  pageIndex?: number | undefined;
}

/** A file of a job (interface 2.5). */
export interface ResourceFile {
  /** File name. */
  name?: string | undefined;
  /** File type. */
  fileType?: string | undefined;
  /** Where the file is stored. */
  storageUrl?: string | undefined;
  /** Where the file is uploaded to. */
  uploadUrl?: string | undefined;
  /** Presigned URL for reading the file. */
  presignedGetUrl?: string | undefined;
}

/** An entry of a job's status history (interface 2.5). */
export interface StatusHistoryEntry {
  /** When the status changed. */
  date?: string | undefined;
  /** Identifier of the person who changed it. */
  personId?: string | undefined;
  /** Name. */
  name?: string | undefined;
  /** Identifier of the change. */
  statusChangeId?: string | undefined;
}

/** The sub-status of a job: a key and a value (interface 2.5). */
export interface SubStatus {
  /** Key. */
  key?: string | undefined;
  /** Value. */
  value?: string | undefined;
}

/**
 * One activity of a driver (interface 2.7). The values of type and activity, and the units of duration and distance, are not documented.
 */
export interface TachoActivity {
  /** Identifier of the vehicle. */
  assetId?: string | undefined;
  /** Registration of the vehicle. */
  assetRegistration?: string | undefined;
  /** When it began. */
  startTime?: string | undefined;
  /** Type; values not documented. */
  type?: string | undefined;
  /** Activity; values not documented. */
  activity?: string | undefined;
  /** Latitude where it began. */
  startLatitude?: number | undefined;
  /** Longitude where it began. */
  startLongitude?: number | undefined;
  /** Duration; unit not stated. */
  duration?: number | undefined;
  /** When it ended. */
  endTime?: string | undefined;
  /** Latitude where it ended. */
  endLatitude?: number | undefined;
  /** Longitude where it ended. */
  endLongitude?: number | undefined;
  /** Whether it is still in progress. */
  inProgress?: boolean | undefined;
  /** Flag for tachograph file (DDD) data. */
  flagDDD?: boolean | undefined;
  /** Flag for a manual entry. */
  flagManualEntry?: boolean | undefined;
  /** Display name of the vehicle. */
  vehicleFriendlyName?: string | undefined;
  /** Slot of the driver card. */
  driverCardSlot?: number | undefined;
  /** Whether it starts a shift. */
  isStartOfShift?: boolean | undefined;
  /** Whether it ends a shift. */
  isEndOfShift?: boolean | undefined;
  /** Distance; unit not stated. */
  distance?: number | undefined;
}

/** Response to a tachograph query (interface 2.7). */
export interface TachoActivityPage {
  /** Total number of records found. */
  count: number;
  /** Drivers with their activities. */
  data: TachoDriver[];
}

/** A driver and the driver's activities (interface 2.7). */
export interface TachoDriver {
  /** Identifier of the driver. */
  driverId?: string | undefined;
  /** Full driver key. */
  driverKey?: string | undefined;
  /** Activities of the driver. */
  activities?: TachoActivity[] | undefined;
}

/**
 * The sort order of results: ascending or descending by field (interface 4.5). Fields are sent in the order given; their precedence is not
 * documented.
 */
export interface TachoSort {
  driverId?: "ASC" | "DESC" | undefined;
  driverKey?: "ASC" | "DESC" | undefined;
  "activities.assetId"?: "ASC" | "DESC" | undefined;
  "activities.startTime"?: "ASC" | "DESC" | undefined;
  "activities.type"?: "ASC" | "DESC" | undefined;
  "activities.activity"?: "ASC" | "DESC" | undefined;
  "activities.startLatitude"?: "ASC" | "DESC" | undefined;
  "activities.startLongitude"?: "ASC" | "DESC" | undefined;
  "activities.endTime"?: "ASC" | "DESC" | undefined;
  "activities.endLatitude"?: "ASC" | "DESC" | undefined;
  "activities.endLongitude"?: "ASC" | "DESC" | undefined;
  "activities.vehicleFriendlyName"?: "ASC" | "DESC" | undefined;
  "activities.driverCardSlot"?: "ASC" | "DESC" | undefined;
  "activities.isStartOfShift"?: "ASC" | "DESC" | undefined;
  "activities.isEndOfShift"?: "ASC" | "DESC" | undefined;
}

/** The answer to one task of a visit (interface 2.5). */
export interface TaskAnswer {
  /** Title of the task. */
  title?: string | undefined;
  /** Description of the task. */
  description?: string | undefined;
  /** Key of the task. */
  key?: string | undefined;
  /** Identifier of the status change. */
  statusChangeId?: string | undefined;
  /** When it was answered. */
  timestamp?: string | undefined;
  /** Key of the next task. */
  nextTaskKey?: string | undefined;
  /** Transition on which the task is asked. */
  onTransitionTo?: string | undefined;
  /** Whether an answer is required. */
  mandatory?: boolean | undefined;
  /** Whether the answer is included in the report. */
  includeInReport?: boolean | undefined;
  /** The answer. */
  value?: TaskAnswerValue | undefined;
  /** Label of that transition. */
  onTransitionToLabel?: string | undefined;
  /** Identifier of the person who answered. */
  personId?: string | undefined;
  /** Name of the person who answered. */
  personName?: string | undefined;
}

/** The value of a task's answer (interface 2.5). */
export interface TaskAnswerValue {
  /** Texts. */
  stringValues?: string[] | undefined;
  /** Whole number. */
  integerValue?: number | undefined;
  /** Number. */
  doubleValue?: number | undefined;
  /** Binary values. */
  blobValues?: string[] | undefined;
}

/** A vehicle and its faults (interface 2.3). */
export interface VehicleFaults {
  /** Identifier of the vehicle. */
  id?: string | undefined;
  /** Name of the vehicle's group. */
  groupName?: string | undefined;
  /** Identifier of the vehicle's group. */
  groupId?: string | undefined;
  /** Make of the vehicle. */
  make?: string | undefined;
  /** Model of the vehicle. */
  model?: string | undefined;
  /** Version of the model. */
  version?: string | undefined;
  /** Registration of the vehicle. */
  assetRegistration?: string | undefined;
  /** Name of the vehicle. */
  assetName?: string | undefined;
  /** Identifier of the driver. */
  driverId?: string | undefined;
  /** Faults of the vehicle. */
  faults?: Fault[] | undefined;
}

/** One page of vehicle faults (interface 2.3). */
export interface VehicleFaultsPage {
  /** Vehicles with their faults. */
  items?: VehicleFaults[] | undefined;
  /** Position of this page. */
  pagination?: Pagination | undefined;
}

/** The result of a visit (interface 2.5). */
export interface VisitResult {
  /** Scheduled start of the job. */
  jobScheduledStart?: string | undefined;
  /** Answers to the tasks. */
  taskAnswers?: TaskAnswer[] | undefined;
}
