import { signal } from "@preact/signals";
import type { ConsoleRequest } from "../data/console-status.ts";
import { requests } from "./console-state.ts";

const OWN = "fleetwire-console";
const SLOWEST_SHOWN_MS = 1_000;

const hidesOwn = signal(false);

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

export const isFailure = ({ status }: Pick<ConsoleRequest, "status">) => status === 0 || status >= 400;

export const statusText = ({ status, failure = "reset" }: Pick<ConsoleRequest, "status" | "failure">) =>
  status === 0 ? failure : String(status);

function Row({ request }: { request: ConsoleRequest }) {
  const { at, client, operation, path, ms } = request;
  return (
    <tr class={isFailure(request) ? "failed" : ""}>
      <td>{clock.format(at)}</td>
      <td title={path}>
        <bdi>{operation ?? path}</bdi>
      </td>
      <td>
        {isFailure(request) && <span aria-hidden="true">✕ </span>}
        {statusText(request)}
      </td>
      <td class="number">
        <meter min={0} max={SLOWEST_SHOWN_MS} value={Math.min(ms, SLOWEST_SHOWN_MS)} aria-hidden="true" />
        {ms < 10 ? ms.toFixed(1) : Math.round(ms).toLocaleString()} ms
      </td>
      <td>
        <bdi>{client === OWN ? "console" : client}</bdi>
      </td>
    </tr>
  );
}

/** The last requests to the service, newest first. */
export function RequestList() {
  const shown = requests.value.filter(({ client }) => !hidesOwn.value || client !== OWN).toReversed();
  const hasOwn = requests.value.some(({ client }) => client === OWN);
  return (
    <div class="requests">
      {hasOwn && (
        <label class="switch">
          <input
            type="checkbox"
            checked={hidesOwn.value}
            onChange={(event) => {
              hidesOwn.value = event.currentTarget.checked;
            }}
          />{" "}
          Hide the console's own
        </label>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard */}
      <section class="scrolls" tabIndex={0} aria-label="List of requests">
        <table>
          <thead>
            <tr>
              <th scope="col">Time</th>
              <th scope="col">Operation</th>
              <th scope="col">Status</th>
              <th scope="col" class="number">
                Duration
              </th>
              <th scope="col">Client</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((request) => (
              <Row key={request.id} request={request} />
            ))}
          </tbody>
        </table>
        {shown.length === 0 && <p class="none">No requests yet.</p>}
      </section>
    </div>
  );
}
