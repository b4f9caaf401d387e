// What a package declares to its users, by API Extractor, which brings a TypeScript with a JavaScript API of its own.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompilerState, Extractor, ExtractorConfig } from "@microsoft/api-extractor";

/** Runs API Extractor for one entry point, a declaration file, and returns one of its results. `compiled` compiles it, or has compiled it with others. */
function extract(folder, entryPoint, settings, file, compiled = (config) => CompilerState.create(config)) {
  const temporary = mkdtempSync(join(tmpdir(), "fleetwire-api-"));
  const silent = { default: { logLevel: "none" } };
  try {
    const config = ExtractorConfig.prepare({
      packageJsonFullPath: join(folder, "package.json"),
      configObjectFullPath: undefined,
      configObject: {
        projectFolder: folder,
        mainEntryPointFilePath: entryPoint,
        compiler: {
          overrideTsconfig: {
            compilerOptions: { target: "ES2022", lib: ["ES2023", "DOM"], module: "NodeNext", types: [], skipLibCheck: true, strict: true },
            files: [entryPoint],
          },
        },
        docModel: { enabled: false },
        tsdocMetadata: { enabled: false },
        newlineKind: "lf",
        messages: {
          extractorMessageReporting: silent,
          tsdocMessageReporting: silent,
          compilerMessageReporting: { default: { logLevel: "error" } },
        },
        ...settings(temporary),
      },
    });
    const errors = [];
    const messageCallback = (message) => {
      if (message.logLevel === "error") errors.push(message.text);
      message.handled = true;
    };
    const { succeeded } = Extractor.invoke(config, { compilerState: compiled(config), localBuild: true, messageCallback });
    if (!succeeded) throw new Error(`API Extractor: ${entryPoint}\n${errors.join("\n")}`);
    return readFileSync(join(temporary, file), "utf8");
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Everything that an entry point exports and what its declarations refer to, as one declaration file. */
export const rollUpTypes = (folder, entryPoint) =>
  extract(
    folder,
    entryPoint,
    (temporary) => ({ dtsRollup: { enabled: true, untrimmedFilePath: join(temporary, "index.d.ts") }, apiReport: { enabled: false } }),
    "index.d.ts",
  );

const reports = (temporary) => ({
  dtsRollup: { enabled: false },
  apiReport: {
    enabled: true,
    reportFileName: "entry",
    reportFolder: temporary,
    reportTempFolder: join(temporary, "new"),
    includeForgottenExports: true,
  },
});

/** The exports of each package's entry point with their signatures, for review. All are compiled at once, since they share most declarations. */
export function reportApis(packages) {
  let state;
  const compiled = (config) => {
    state ??= CompilerState.create(config, { additionalEntryPoints: packages.map(({ entryPoint }) => entryPoint) });
    return state;
  };
  return packages.map(({ folder, entryPoint }) => {
    const report = extract(folder, entryPoint, reports, "entry.api.md", compiled);
    return /```ts\n(.*)```/s.exec(report)[1].trim();
  });
}
