// Written by npm run generate. Change the schemas and operations instead.
import type { FleetErrorCode } from "../errors.ts";
import type { Creation } from "../operation.ts";
import type {
  CreateJobInput,
  ListJobsInput,
  ListLivePositionsInput,
  ListTireEventsInput,
  ListVehicleFaultsInput,
  QueryTachoActivityInput,
  RequestAccessTokenInput,
  UpdateGroupInput,
} from "../operations/inputs.generated.ts";
import type {
  AccessToken,
  Group,
  JobCreation,
  LivePosition,
  TachoActivityPage,
  TachoDriver,
  VehicleFaults,
  VehicleFaultsPage,
} from "../schemas/shapes.generated.ts";
import type {
  OperationMethod,
  OptionalInputListMethod,
  OptionalInputMethod,
  OptionalInputPagedMethod,
  PagedMethod,
  RequestMethod,
} from "./operation-method.ts";

/** A client for the fleet service, with one method per operation. */
export interface FleetClient {
  /**
   * Request an access token with client credentials (interface 5.2).
   *
   * `POST /vendor-oauth/oauth/accessToken` at `servers.auth`, with HTTP Basic. Only reads.
   *
   * @throws FleetError with any {@link FleetErrorCode}; `input` is thrown before anything is sent.
   */
  readonly requestAccessToken: OptionalInputMethod<RequestAccessTokenInput, AccessToken>;

  /**
   * Rename a group, move it, or assign vehicles and persons to it (interface 4.1).
   *
   * `PUT /public/v1/customer/{customerId}/group` at `servers.fleet` or, if that is not set, `servers.base`, with HTTP Basic or a bearer
   * token. Safe to repeat.
   *
   * @throws FleetError `rejected` (HTTP 400): The group id is wrong, not visible to the caller, blank or too long; The name is too long;
   * parentId is a group that is not visible to the caller; An entry of personIds or vehicleIds is not visible to the caller. Check the
   * group id, the parent and the assigned ids: each must exist and be visible with these credentials.
   * @throws FleetError `conflict` (HTTP 409): Another group has that name; parentId is a group below this one. Choose another name, or a
   * parent that is not below this group.
   * @throws FleetError with any other {@link FleetErrorCode}; `input` is thrown before anything is sent.
   */
  readonly updateGroup: OperationMethod<UpdateGroupInput, Group>;

  /**
   * List vehicles and their faults, page by page (interface 4.2).
   *
   * `GET /public/v1/customer/{customerId}/vehicle/faults` at `servers.base`, with HTTP Basic. Only reads.
   *
   * @throws FleetError with any {@link FleetErrorCode}; `input` is thrown before anything is sent.
   */
  readonly listVehicleFaults: OptionalInputPagedMethod<ListVehicleFaultsInput, VehicleFaultsPage, VehicleFaults>;

  /**
   * List the latest position and status of vehicles (interface 4.3).
   *
   * `GET /public/v1/customer/{customerId}/tracking/live` at `servers.base`, with HTTP Basic or a bearer token. Only reads.
   *
   * @throws FleetError with any {@link FleetErrorCode}; `input` is thrown before anything is sent.
   */
  readonly listLivePositions: OptionalInputListMethod<ListLivePositionsInput, LivePosition>;

  /**
   * Create a job for a driver or a vehicle (interface 4.4).
   *
   * `POST /jobs/job/create` at `servers.job`, with `x-connect-token`. Each call creates a new record. If a response is lost, the call is
   * retried with the same idempotency key; without one it fails with `unknownOutcome`.
   *
   * @throws FleetError with any {@link FleetErrorCode}; `input` is thrown before anything is sent. Each error has the jobNumber used.
   */
  readonly createJob: OperationMethod<CreateJobInput, Creation<JobCreation>>;

  /**
   * Query the tachograph activities of drivers in a period (interface 4.5).
   *
   * `POST /bvfm/services/public/v1/customer/{customerId}/tacho/activity` at `servers.tacho`, with a bearer token. Only reads.
   *
   * @throws FleetError with any {@link FleetErrorCode}; `input` is thrown before anything is sent.
   */
  readonly queryTachoActivity: PagedMethod<QueryTachoActivityInput, TachoActivityPage, TachoDriver>;

  /**
   * List tire events; only the path is documented (interface 4.6). Parameters and response are passed through.
   *
   * `GET /public/v1/customer/{customerId}/tire/events` at `servers.base`, with a bearer token. Only reads.
   *
   * @throws FleetError with any {@link FleetErrorCode}; `input` is thrown before anything is sent.
   */
  readonly listTireEvents: OptionalInputMethod<ListTireEventsInput, unknown>;

  /**
   * List jobs; only the path is documented (interface 4.6). Parameters and response are passed through.
   *
   * `GET /job-management/v1/customer/{customerId}/jobs` at `servers.apiHost`, with `x-connect-token`. Only reads.
   *
   * @throws FleetError with any {@link FleetErrorCode}; `input` is thrown before anything is sent.
   */
  readonly listJobs: OptionalInputMethod<ListJobsInput, unknown>;

  /**
   * Call a custom operation, made with `defineOperation`, with the same guarantees.
   *
   * @throws FleetError with any {@link FleetErrorCode}; `input` is thrown before anything is sent.
   */
  readonly request: RequestMethod;
}
