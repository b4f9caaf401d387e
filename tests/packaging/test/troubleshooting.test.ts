import { fileURLToPath } from "node:url";
import { createSandbox } from "@fleetwire/sandbox";
import { expect, it } from "vitest";
import { codeRows, document } from "../src/document-programs.ts";
import { runWithMessages } from "../src/packed-package.ts";

type Env = Readonly<Record<string, string>>;

/** How to see each message: settings that replace the sandbox's, a command other than `doctor`, or faults of the sandbox. */
const CAUSES: Readonly<Record<string, { env?: (sandbox: Env) => Env; command?: string[]; faults?: string } | "tested elsewhere">> = {
  "FLEET_CUSTOMER_ID is missing": { env: () => ({ FLEET_CUSTOMER_ID: "" }) },
  "is not a Fleetwire variable; did you mean": { env: () => ({ FLEET_BASE_ULR: "https://fleet.example.com" }) },
  "still holds a placeholder": { env: () => ({ FLEET_CLIENT_ID: "<client id>" }) },
  "must start with https://": { env: () => ({ FLEET_BASE_URL: "http://fleet.example.com" }) },
  "holds the endpoint of": { env: ({ FLEET_BASE_URL }) => ({ FLEET_BASE_URL: `${FLEET_BASE_URL}/public/v1/customer/c1/tracking/live` }) },
  "is not available: FLEET_API_HOST and FLEET_AUTH_URL are not set": {
    env: () => ({ FLEET_API_HOST: "", FLEET_AUTH_URL: "" }),
    command: ["call", "list_jobs"],
  },
  "connection refused": { env: () => ({ FLEET_BASE_URL: "http://127.0.0.1:2" }) },
  // Names under "invalid" never exist.
  "the host name cannot be resolved (DNS)": { env: () => ({ FLEET_BASE_URL: "https://fleet.invalid" }) },
  "TLS on a plain port": { env: ({ FLEET_BASE_URL = "" }) => ({ FLEET_BASE_URL: FLEET_BASE_URL.replace("http:", "https:") }) },
  "its issuer is not trusted": "tested elsewhere",
  "There is nothing at this URL": { env: ({ FLEET_BASE_URL }) => ({ FLEET_BASE_URL: `${FLEET_BASE_URL}/wrong` }) },
  "The service did not accept the credentials": { env: () => ({ FLEET_CLIENT_SECRET: "canary-wrong-secret" }) },
  "Access tokens cannot be verified: the authorization server": "tested elsewhere",
  "Invalid Host: the server does not have this name": "tested elsewhere",
  "Invalid Origin": "tested elsewhere",
  forbidden: { env: () => ({ FLEET_CUSTOMER_ID: "another" }) },
  "HTTP 302": { faults: "redirect" },
  'Unknown file extension ".ts"': "tested elsewhere",
};

const server = fileURLToPath(new URL("../../../packages/mcp-server/dist/fleetwire-mcp.js", import.meta.url));
it("lists the messages that are tested", () => {
  const messages = codeRows(document("troubleshooting.md").split("## Error codes")[0] ?? "", /./).map(([message]) => message);
  expect(messages).toEqual(Object.keys(CAUSES));
});

const produced = Object.entries(CAUSES).flatMap(([message, cause]) => (typeof cause === "string" ? [] : [{ message, ...cause }]));

it.concurrent.each(produced)("prints: $message", async ({ message, env, command = ["doctor"], faults }) => {
  const sandbox = createSandbox(faults === undefined ? {} : { faults });
  try {
    const settings = (await sandbox.listen()).env;
    const failed = runWithMessages(process.execPath, [server, ...command], ".", 60, { ...settings, ...env?.(settings) });
    await expect(failed).rejects.toThrow(message);
  } finally {
    await sandbox.close();
  }
});
