import { join } from "node:path";
import { runProgram } from "@fleetwire/packaging";
import { Deployment } from "kubernetes-models/apps/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Service } from "kubernetes-models/v1";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { EXAMPLE, exampleFile } from "./nginx.ts";
import { choosing, NO_TOKENS, OAUTH, starts, type Variables, variablesOf, without } from "./starts.ts";

interface Compose {
  services: Record<string, { environment?: Variables; command?: string[] }>;
}

interface Manifest {
  kind: keyof typeof MODELS;
  metadata: { name: string };
  data?: Variables;
}

const MODELS = { ConfigMap, Deployment, PodDisruptionBudget, Service };

const SETTINGS = exampleFile("fleet.env.example");
const TENANTS = exampleFile("config/tenants.json");
const examples = variablesOf(SETTINGS);

const compose = parse(exampleFile("compose.yaml"), { merge: true }) as Compose;
const manifestsIn = (text: string) => parseAllDocuments(text).map((document) => document.toJS() as Manifest);
const manifests = manifestsIn(exampleFile("kubernetes.yaml"));

describe("examples/deployment/compose.yaml", () => {
  it("follows the schema of the Compose specification", async () => {
    const problems = await runProgram("npx", ["dclint", "--quiet", "--formatter", "json", join(EXAMPLE, "compose.yaml")], ".");
    expect(JSON.parse(problems)).toEqual([]);
  });

  it("gives nginx everything that its template needs", () => {
    const needed = [...exampleFile("nginx.conf.template").matchAll(/\$\{([A-Z_0-9]+)\}/g)].map(([, name]) => name);
    expect(Object.keys(compose.services["nginx"]?.environment ?? {})).toEqual(expect.arrayContaining(needed));
  });

  it("gives the three replicas the same settings, with which the server starts", async () => {
    const replicas = [1, 2, 3].map((at) => compose.services[`replica-${at}`]?.environment ?? {});
    expect(replicas.map((environment) => ({ ...environment }))).toEqual(replicas.map(() => replicas[0]));
    await starts({ ...examples, ...replicas[0] }, { FLEET_TENANTS_FILE: TENANTS, FLEET_TOKENS_FILE: NO_TOKENS });
    const oauth = without(variablesOf(choosing(SETTINGS, ...OAUTH)), "FLEET_TOKENS_FILE");
    await starts({ ...oauth, ...replicas[0] }, { FLEET_TENANTS_FILE: TENANTS });
  });
});

it("examples/deployment/Dockerfile has no lint, is not root and has a health check", async () => {
  const lint = ["-y", "-p", "dockerfile-utils@0.16.3", "dockerfile-utils", "lint", join(EXAMPLE, "Dockerfile")];
  expect(await runProgram("npx", lint, ".")).toBe("");
  expect(exampleFile("Dockerfile")).toMatch(/^USER node$[\s\S]*^HEALTHCHECK .*\/healthz/m);
});

describe("examples/deployment/kubernetes.yaml", () => {
  it.each(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
    "%s follows the schema of Kubernetes",
    (_, manifest) => new MODELS[manifest.kind](manifest as never).validate(),
  );

  it("has the settings and tenants with which the server starts", async () => {
    const dataOf = (name: string, within = manifests) =>
      within.find(({ kind, metadata }) => kind === "ConfigMap" && metadata.name === name)?.data ?? {};
    const { "tenants.json": tenants = "" } = dataOf("fleetwire-tenants");
    expect(JSON.parse(tenants)).toEqual(JSON.parse(TENANTS));
    const secrets = without(examples, "FLEET_CALLER_AUTH", "FLEET_TOKENS_FILE");
    await starts({ ...secrets, ...dataOf("fleetwire-mcp") }, { FLEET_TENANTS_FILE: tenants, FLEET_TOKENS_FILE: NO_TOKENS });
    const replaced = exampleFile("kubernetes.yaml").replace(/^ +FLEET_(CALLER_AUTH: token|TOKENS_FILE: .*)\n/gm, "");
    const oauth = dataOf("fleetwire-mcp", manifestsIn(choosing(replaced, ...OAUTH)));
    await starts({ ...secrets, ...oauth }, { FLEET_TENANTS_FILE: tenants });
  });
});
