import { describe, expect, it } from "vitest";
import * as z from "zod";
import { defineOperation, type FleetError, fieldMetadata, Identifier, type Operation } from "../src/index.ts";
import { failure, fleetUnderTest, tokenAnswer } from "./fleet-under-test.ts";

const SECRET = "Canary-:secret/+=ü?Y2&~'(4711)";
const bytes = Buffer.from(SECRET);
const base64 = (before: string) => Buffer.concat([Buffer.from(before), bytes, Buffer.from("after")]).toString("base64");
const percent = Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const utf16 = (text: string) => Array.from(text, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");

/** How a service may repeat a secret, and what the message then shows. `cut` omits the secret's end. */
const COPIES: [what: string, copy: (secret: string) => string, shown: "mark" | "nothing"][] = [
  ["verbatim", (secret) => secret, "mark"],
  ["in capitals", (secret) => secret.toUpperCase(), "mark"],
  ["in base64", () => bytes.toString("base64"), "mark"],
  ["in base64 without padding", () => bytes.toString("base64").replace(/=+$/, ""), "mark"],
  ["in base64url", () => bytes.toString("base64url"), "mark"],
  ["in base64 behind three bytes", () => base64("abc"), "mark"],
  ["in base64 behind one byte", () => base64("a"), "mark"],
  ["in base64 behind two bytes", () => base64("ab"), "mark"],
  ["in base64 with line breaks", () => bytes.toString("base64").replace(/(.{7})/g, "$1\r\n"), "nothing"],
  ["in hex", () => bytes.toString("hex").toUpperCase(), "mark"],
  ["percent-encoded", encodeURIComponent, "mark"],
  ["percent-encoded in lower case", (secret) => encodeURIComponent(secret).toLowerCase(), "mark"],
  ["with every character percent-encoded", () => percent, "nothing"],
  ["percent-encoded twice", () => encodeURIComponent(percent), "nothing"],
  ["form-encoded", (secret) => new URLSearchParams({ s: secret }).toString().slice(2), "mark"],
  ["within JSON", (secret) => JSON.stringify(secret), "mark"],
  ["within JSON within JSON", (secret) => JSON.stringify(JSON.stringify(`"${secret}"`)), "mark"],
  ["in JSON escapes", utf16, "nothing"],
  ["partly in JSON escapes", (secret) => secret.replace(/[^a-m]/g, utf16), "nothing"],
  ["in HTML character references", (secret) => secret.replace(/[^a-z]/gi, (mark) => `&#${mark.charCodeAt(0)};`), "nothing"],
  ["spaced out", (secret) => [...secret].join(" "), "nothing"],
  ["with invisible characters in it", (secret) => [...secret].join("\u200b"), "nothing"],
  ["in full-width letters", () => "\uff23\uff41\uff4e\uff41\uff52\uff59\uff0d\uff1a\uff53\uff45\uff43\uff52\uff45\uff54", "nothing"],
  ["cut to twelve characters", (secret) => `${secret.slice(0, 12)}…`, "mark"],
  ["cut to eight characters", (secret) => `${secret.slice(0, 8)} (shortened)`, "mark"],
  ["cut to five characters, with an ellipsis", (secret) => `${secret.slice(0, 5)}...`, "mark"],
  ["cut to its end", (secret) => `…${secret.slice(-10)}`, "mark"],
  ["cut, in base64", () => bytes.toString("base64").slice(0, 13), "mark"],
];

/** No five consecutive characters of the secret, even after simple decoding. */
function expectNone({ message, errors }: FleetError, secret = SECRET): void {
  const text = `${message} ${JSON.stringify(errors)}`;
  const read = [text, text.replace(/[\s\u200b]/g, ""), decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, "")), text.normalize("NFKC")];
  for (let at = 0; at + 5 <= secret.length; at++) {
    for (const seen of read) expect(seen.toLowerCase()).not.toContain(secret.slice(at, at + 5).toLowerCase());
  }
}

describe.each(COPIES)("a secret that the service repeats %s", (_, copy, shown) => {
  const body = { errorMessage: `No such thing here: ${copy(SECRET)}` };
  const says = shown === "mark" ? /“No such thing here: .*\[redacted\]/ : /“\[redacted\]”/;

  it("is not in an error, if it is the client's own", async () => {
    const { fleet } = await fleetUnderTest({ credentials: { clientId: "id", clientSecret: SECRET }, api: [{ status: 400, body }] });
    const error = await failure(fleet.listLivePositions());
    expect(error.message).toMatch(says);
    expectNone(error);
  });

  it("is not in an error, if it is a token that the caller requested", async () => {
    const { fleet } = await fleetUnderTest({ auth: [tokenAnswer(SECRET)], api: [{ status: 400, body }] });
    expect((await fleet.requestAccessToken()).accessToken).toBe(SECRET);
    const error = await failure(fleet.listLivePositions());
    expect(error.message).toMatch(says);
    expectNone(error);
  });

  it("is not in an error, if it is confidential in a job", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ body: { errors: [{ field: "notes", message: body.errorMessage }] } }] });
    const error = await failure(fleet.createJob({ address: "a", notes: `${SECRET}` }));
    expectNone(error);
  });
});

describe("what is redacted in a response", () => {
  it.each<[string, string, string, string]>([
    ["not a secret of three characters", "abc", "abc", "abc"],
    ["a secret of four characters, in any case", "x ABCD y abcd", "abcd", "x [redacted] y [redacted]"],
    ["eight consecutive characters of a longer secret", "x bcdefghi y", "abcdefghij", "x [redacted] y"],
    ["the beginning, where the text ends", "x abcd", "abcdefghij", "x [redacted]"],
    ["the beginning, at an ellipsis", "x abcdefg… y", "abcdefghij", "x [redacted]… y"],
    ["not the beginning before one dot", "x abcde. y", "abcdefghij", "x abcde. y"],
    ["not a beginning of three characters", "x abc...", "abcdefghij", "x abc..."],
    ["not the middle, where the text ends", "x cdefg", "abcdefghij", "x cdefg"],
    ["hex with leading zeros", "x 0162630a y", "\u0001bc\n", "x [redacted] y"],
    ["not eight letters spaced out of which one differs", "a b c d e f g x", "abcdefgh", "a b c d e f g x"],
  ])("%s", async (_, errorMessage, clientSecret, shown) => {
    const { fleet } = await fleetUnderTest({
      credentials: { clientId: "id", clientSecret },
      api: [{ status: 400, body: { errorMessage } }],
    });
    expect((await failure(fleet.listLivePositions())).quotation).toBe(shown);
  });

  it("is the whole text, if a confidential value is too long to search for", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ status: 400, body: { errorMessage: "any text" } }] });
    const quoted = async (length: number) => (await failure(fleet.createJob({ address: "a", notes: "s".repeat(length) }))).quotation;
    expect([await quoted(20_000), await quoted(20_001)]).toEqual(["any text", "[redacted]"]);
  });

  it("the names of fields, unless they are the operation's own", async () => {
    const offendingFields = ["notes", "jobNumber.canary-secret", "canary-secret", "jobTitle"];
    const { fleet } = await fleetUnderTest({ api: [{ status: 400, body: { offendingFields } }] });
    const { errors } = await failure(fleet.createJob({ address: "a", notes: "ask for the jobTitle" }));
    expect(errors).toEqual([{ offendingFields: ["notes", "jobNumber.[redacted]", "[redacted]", "jobTitle"] }]);
  });
});

const own = {
  ...({ name: "own", summary: "", source: "a test", method: "POST", servers: ["base"], auth: ["basic"] } as const),
  output: z.void(),
  effect: "update",
} as const;

describe("a confidential field of a job", () => {
  const notes = "Leave it at the back door, the gate code is canary-4711-XY";
  it.each([
    ["its beginning", "notes: Leave it at the b… is too long"],
    ["its end", "notes: …code is canary-4711-XY has too many letters"],
    ["its middle, in capitals", "notes: THE GATE CODE IS CANARY is not allowed"],
    ["with other spaces", "notes: the  gate\u00a0code\tis  canary - 4711"],
  ])("is not in an error if the service repeats %s", async (_, said) => {
    const { fleet } = await fleetUnderTest({ api: [{ status: 400, body: { errorMessage: said } }] });
    const error = await failure(fleet.createJob({ address: "a", notes }));
    expect(error.quotation).toContain("[redacted]");
    expect(error.message).not.toMatch(/gate|4711|leave|back/i);
  });

  it("can be a telephone number that the service formats differently", async () => {
    const { fleet } = await fleetUnderTest({ api: [{ status: 400, body: { errorMessage: "+33612345678 is none" } }] });
    const error = await failure(fleet.createJob({ address: "a", contactPhone: "+33 6 12 34 56 78" }));
    expect(error.quotation).toBe("[redacted]");
  });

  it("does not redact the names of rejected fields", async () => {
    const said = { field: "jobNumber", message: "is taken" };
    const { fleet } = await fleetUnderTest({ api: [{ status: 500 }, { body: { errors: [said] } }], retries: 1 });
    const job = await fleet.createJob({ address: "a", notes: "ask for the jobNumber" });
    expect(job).toMatchObject({ inferred: true });
  });

  it("can be nested, or a number", async () => {
    const text = (schema: z.ZodType, holds: "secret" | "text") => schema.register(fieldMetadata, { holds, confidential: true });
    const body = { pin: text(z.int(), "secret"), owner: text(z.object({ names: z.array(z.string()) }), "text") };
    const open = defineOperation({ ...own, path: "/gate/{customerId}", body });
    const { fleet } = await fleetUnderTest({ api: [{ status: 400, body: { errorMessage: "47114711 of Canary Miller" } }] });
    const error = await failure(fleet.request(open as Operation, { pin: 47_114_711, owner: { names: ["Canary Miller"] } }));
    expect(error.quotation).toBe("[redacted] of [redacted]");
  });

  it("is any string without metadata in a custom operation, at any depth, but not a number", async () => {
    const named = (holds: "name" | "place") => z.string().register(fieldMetadata, { holds });
    const book = defineOperation({
      ...own,
      path: "/garage/{garage}/{customerId}",
      params: { garage: named("name") },
      query: { vehicleId: Identifier, mileage: z.int(), kind: z.enum(["yearly", "repair"]) },
      body: { wish: z.string().nullable(), visits: z.array(z.object({ remark: z.string(), place: named("place") })) },
    });
    const input = {
      garage: "Northside",
      vehicleId: "vehicle100",
      mileage: 12_345_678,
      kind: "yearly",
      wish: "ask Canary Miller",
      visits: [{ remark: "beware of the canary", place: "Lyon-Perrache" }],
    } as const;
    const texts = ["Northside", "vehicle100", "12345678", "yearly", "ask Canary Miller", "beware of the canary", "Lyon-Perrache"];
    const { fleet } = await fleetUnderTest({ api: [{ status: 400, body: { errorMessage: texts.join("; ") } }] });
    const error = await failure(fleet.request(book, { ...input, visits: [...input.visits] }));
    expect(error.quotation).toBe("Northside; vehicle100; 12345678; yearly; [redacted]; [redacted]; Lyon-Perrache");
  });
});

it.each(["The vehicle is not known", "no", "secretary", "\\u0041 &amp; %zz &#99999999; \\u{ffffff}"])(
  "a text without secrets stays: %s",
  async (errorMessage) => {
    const { fleet } = await fleetUnderTest({
      credentials: { clientId: "id", clientSecret: SECRET },
      api: [{ status: 400, body: { errorMessage } }],
    });
    expect((await failure(fleet.listLivePositions())).quotation).toBe(errorMessage);
  },
);

it("a requested token is remembered in addition to the client's own, however many there are", async () => {
  const tokens = Array.from({ length: 12 }, (_, at) => `canary-token-${"abcdefghijkl"[at]}${at}x`);
  const { fleet } = await fleetUnderTest({
    auth: [tokenAnswer("canary-own-T0"), ...tokens.map((token) => tokenAnswer(token))],
    api: [{ body: [] }, { status: 400, body: { errorMessage: `canary-own-T0, ${tokens.join(", ")}` } }],
  });
  await fleet.listJobs();
  for (const token of tokens) expect((await fleet.requestAccessToken()).accessToken).toBe(token);
  expect((await failure(fleet.listJobs())).message).not.toContain("canary");
});

it("searching long texts for long secrets is fast", async () => {
  const notes = Array.from({ length: 19_000 }, (_, at) => String.fromCharCode(97 + ((at * at) % 26))).join("");
  const body = Array.from({ length: 20 }, () => ({
    errorMessage: " x%41\\u0041".repeat(10_000),
    offendingFields: Array(20).fill(`n${"o ".repeat(5_000)}`),
  }));
  const { fleet } = await fleetUnderTest({ api: [{ status: 400, body }], timeout: 20_000 });
  const startedAt = performance.now();
  await failure(fleet.createJob({ address: "a", notes }));
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
