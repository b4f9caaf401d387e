import { describe, expect, it } from "vitest";
import { checkClient } from "../src/checks/client-check.ts";
import { checkSandbox } from "../src/checks/sandbox-check.ts";
import { InterfaceDocument, loadFixtures, loadInterface, type NamedFixture } from "../src/index.ts";

const described = loadInterface();
const fixtures = loadFixtures();
const token = fixtures.filter(({ id }) => id === "documented/request-access-token-granted");

/** A fixture with one wrong value, against which correct code fails. */
function altered(name: string, path?: string, value?: unknown): NamedFixture[] {
  const fixture = fixtures.find(({ id }) => id === `documented/${name}`);
  if (!fixture) throw new Error(`unknown fixture ${name}`);
  const copy = structuredClone(fixture);
  if (path !== undefined) {
    const parts = path.split(".");
    const last = parts.pop() ?? "";
    // biome-ignore lint/suspicious/noExplicitAny: the path leads through objects of any shape
    const holder: any = parts.reduce((inner: any, part) => inner[part], copy);
    if (value === undefined) delete holder[last];
    else holder[last] = value;
  }
  return [copy, ...token];
}

const problemsOf = ({ findings }: { findings: readonly { problem: string }[] }) => findings.map(({ problem }) => problem).join("\n");

describe("the client check names what differs", () => {
  it.each([
    ["update-group-rename", "request.path", "/public", "the path is /at-base/public/v1/customer/c1001/group, expected /at-base/public"],
    ["create-job-address", "request.body.jobTitle", "Other", 'body.jobTitle is "Pick up", expected "Other"'],
    ["create-job-address", "response.body.job.jobTitle", 5, "value.job.jobTitle is missing"],
    ["update-group-rename", "refusedByClient", true, "the client does not reject this call"],
    ["update-group-rename", "response.status", 503, "the client fails with upstream ("],
    ["update-group-rename", "expect", { error: { code: "rejected" } }, 'the client returns {"'],
    ["update-group-name-taken", "expect.error.code", "rejected", "the client fails with conflict, expected rejected"],
    ["create-job-no-place", "refusedByClient", undefined, "POST /at-job/jobs/job/create was recorded but never sent"],
    ["create-job-no-place", "call.address", "Lyon", "the client sends a request for a call that it should have rejected"],
    [
      "create-job-address",
      "request.headers",
      { "content-type": "application/json;charset=UTF-8", authorization: "Basic <BASE64_CREDENTIALS>" },
      "the recorded request uses the scheme basic, which the interface does not state",
    ],
  ])("%s: %s", async (name, path, value, message) => {
    expect(problemsOf(await checkClient(altered(name, path, value), described))).toContain(message);
  });

  it("only in a call that has the headers of the recorded one, if that is rejected before it is sent", async () => {
    const headers = { "content-type": "application/json;charset=UTF-8", authorization: "Basic <BASE64_CREDENTIALS>" };
    const accepted = [...altered("create-job-coordinates", "request.headers", headers), ...altered("create-job-address")];
    const { findings } = await checkClient([...accepted, ...altered("create-job-no-place")], described);
    expect(findings.map(({ subject }) => subject)).toEqual(["documented/create-job-coordinates", "documented/create-job-coordinates"]);
  });

  it("a request without credentials, and a call for which no fixture grants a token", async () => {
    const [update] = altered("update-group-rename", "request.headers", {});
    const [bearer] = altered("list-live-positions-bearer");
    const { findings } = await checkClient([update, bearer] as NamedFixture[], described);
    expect(findings.map(({ problem }) => problem)).toEqual([
      "the check threw: documented/update-group-rename: the recorded request has no credentials",
      "the check threw: no fixture grants an access token, which every other call needs",
    ]);
  });

  it("no difference in a call with another recorded token, since each replay grants its own", async () => {
    const [bearer, granted] = altered("list-live-positions-bearer") as [NamedFixture, NamedFixture];
    const old = structuredClone(granted);
    Object.assign(Object(old.response.body), { accessToken: "old", expires_in: 7 });
    const { findings } = await checkClient([bearer, old], described);
    expect(findings.filter(({ subject }) => subject === bearer.id)).toEqual([]);
    expect(findings.length).toBeGreaterThan(0);
  });

  it("a request sent to another server", async () => {
    const document = JSON.parse(JSON.stringify(described.document).replaceAll("{job_url}", "{tacho_url}"));
    const result = await checkClient(altered("create-job-address"), new InterfaceDocument(document));
    expect(problemsOf(result)).toContain("the path is /at-job/jobs/job/create, expected /at-tacho/jobs/job/create");
  });
});

describe("the sandbox check names what differs", () => {
  it.each([
    ["update-group-name-taken", "response.status", 400, "the sandbox responds with 409"],
    ["update-group-rename", "response.body.name", "Another", "$.name is"],
    ["update-group-name-taken", "response.body.offendingFields", ["id"], 'the rejected fields[0] is "name", expected "id"'],
    ["create-job-unknown-driver", "response.body.errors.0.field", "vehicleId", 'rejected fields[0] is "personId", expected "vehicleId"'],
    ["list-vehicle-faults-no-parameters", "response.body.items", [{ make: 5 }], "$.items[*].make has type string"],
    ["update-group-rename", "given", "a blue moon", 'unknown provider state "a blue moon": provider/provider-sandbox.ts defines '],
    ["update-group-rename", "given.params", { colour: "blue" }, 'provider state "a fleet with groups": ✖ Unrecognized key: "colour"'],
  ])("%s: %s", async (name, path, value, message) => {
    expect(problemsOf(await checkSandbox(altered(name, path, value), described))).toContain(message);
  });
});
