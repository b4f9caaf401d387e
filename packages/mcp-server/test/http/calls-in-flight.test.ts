import { expect, it } from "vitest";
import { callsInFlight } from "../../src/http/calls-in-flight.ts";

function started() {
  const calls = callsInFlight();
  const [first, second] = [calls.start(), calls.start()];
  first.register("a", [1, 2]);
  second.register("b", ["1"]);
  return { calls, first, second, aborted: () => [first.signal.aborted, second.signal.aborted] };
}

it.each<[string, string | number, [boolean, boolean]]>([
  ["a", 1, [true, false]],
  ["a", 2, [true, false]],
  ["a", "1", [false, false]],
  ["a", 3, [false, false]],
  ["b", "1", [false, true]],
  ["b", 1, [false, false]],
])("cancelling in session %s the id %j", (session, id, which) => {
  const { calls, aborted } = started();
  calls.cancel(session, id);
  expect(aborted()).toEqual(which);
});

it("a call that has ended can no longer be cancelled, but one that took over its id can", () => {
  const { calls, first } = started();
  const third = calls.start();
  third.register("a", [1]);
  first.end();
  calls.cancel("a", 2);
  expect(first.signal.aborted).toBe(false);
  calls.cancel("a", 1);
  expect([first.signal.aborted, third.signal.aborted]).toEqual([false, true]);
});

it("aborts all calls, or those that listen", () => {
  const { calls, second, aborted } = started();
  second.listens = true;
  calls.abortListening();
  expect(aborted()).toEqual([false, true]);
  calls.abortAll();
  expect(aborted()).toEqual([true, true]);
});

it("is idle when the last call has ended, or if there is none", async () => {
  const { calls, first, second } = started();
  let isIdle = false;
  const idle = calls.idle().then(() => {
    isIdle = true;
  });
  expect(calls.size()).toBe(2);
  first.end();
  await Promise.resolve();
  expect([calls.size(), isIdle]).toEqual([1, false]);
  second.end();
  await idle;
  expect(calls.size()).toBe(0);
  await calls.idle();
});
