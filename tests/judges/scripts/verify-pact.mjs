// Runs Pact's verifier against a provider: verify-pact.mjs FILE ORIGIN STATE_PATH
import { Verifier } from "@pact-foundation/pact";

const [file, origin, statePath] = process.argv.slice(2);

/** The verifier's proxy parses forms and would forward them as JSON. */
function asForm(request, _response, next) {
  const isForm = request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
  if (isForm && !Buffer.isBuffer(request.body)) request.body = Buffer.from(new URLSearchParams(request.body).toString());
  next();
}

const verifier = new Verifier({
  providerBaseUrl: origin,
  providerStatesSetupUrl: origin + statePath,
  pactUrls: [file],
  requestFilter: asForm,
  logLevel: "error",
});
await verifier.verifyProvider().catch(() => {
  process.exitCode = 1;
});
