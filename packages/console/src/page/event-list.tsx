import { parseDateTime } from "@fleetwire/core/internal";
import type { ConsoleEvent } from "../data/console-events.ts";
import { byId, events } from "./console-state.ts";
import { dateAndTime } from "./durations.ts";
import { isAlerting, setAlerting } from "./event-alerts.ts";
import { select } from "./fleet-filters.ts";

/** Where the guide is published; set when the page is bundled. */
declare const GUIDE_URL: string;

function EventItem({ event }: { event: ConsoleEvent }) {
  const { when, text, vehicle, rule, at, late } = event;
  const id = vehicle?.id;
  const name = vehicle && (vehicle.name ?? vehicle.registration ?? id);
  return (
    <li class={`event ${when}`}>
      <bdi class="event-text">{text}</bdi>
      {late && <span class="pill late">noticed late</span>}
      <span class="job-line">
        {dateAndTime(parseDateTime(at) ?? 0)}
        {rule !== undefined && (
          <>
            {" · "}
            <bdi>{rule}</bdi>
          </>
        )}
        {name !== undefined && " · "}
        {id !== undefined && byId.value.has(id) ? (
          <button type="button" class="link" onClick={() => select(id)}>
            <bdi>{name}</bdi>
          </button>
        ) : (
          <bdi>{name}</bdi>
        )}
      </span>
    </li>
  );
}

function Alerts() {
  const isOn = isAlerting();
  return (
    <label class="switch">
      <input
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        onChange={(change) => setAlerting(change.currentTarget.checked)}
      />
      <span>
        Alert me <small>a tone for new events, and their number in the tab and the title</small>
      </span>
    </label>
  );
}

function Rules({ rules, ruleCount }: { rules: readonly string[]; ruleCount: number }) {
  const more = ruleCount - rules.length;
  return (
    <details>
      <summary>{ruleCount === 1 ? "1 rule" : `${ruleCount} rules`}</summary>
      <ul>
        {rules.map((rule) => (
          <li key={rule}>
            <bdi>{rule}</bdi>
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
    </details>
  );
}

/** What has happened as the rules say, newest first. */
export function EventList() {
  const shown = events.value;
  if (shown === undefined) return <p class="none">Reading the events …</p>;
  if (shown === null)
    return (
      <p class="none">
        No rules are watched: start the server with <code>FLEET_RULES=rules.json</code>, as{" "}
        <a href={GUIDE_URL} target="_blank" rel="noreferrer">
          Tell me when
        </a>{" "}
        explains.
      </p>
    );
  const { since, problem, rules, ruleCount, events: list } = shown;
  return (
    <div class="events">
      {problem !== undefined && (
        <p class="problem">
          Rules not {since === undefined ? "watched" : "changed"}: {problem}
        </p>
      )}
      {since !== undefined && (
        <>
          <Alerts />
          <Rules rules={rules} ruleCount={ruleCount} />
          {list.length === 0 && <p class="none">Nothing has happened since {dateAndTime(since)}.</p>}
        </>
      )}
      <ul>
        {list.toReversed().map((event) => (
          <EventItem key={event.id} event={event} />
        ))}
      </ul>
    </div>
  );
}
