// A registry on this machine, which serves the packed packages and passes other packages on from the configured registry.
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { run, start, twoAtATime } from "./steps.mjs";

// An older node-fetch, which Verdaccio depends on, has a known vulnerability.
const MANIFEST = { private: true, dependencies: { verdaccio: "6.10.4" }, overrides: { "node-fetch": "2.7.0" } };

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Starts the registry, which needs Node 22 or later, and returns its address. */
export async function startRegistry(folder, node) {
  await mkdir(folder, { recursive: true });
  const upstream = (await run(["npm", "config", "get", "registry"], folder)).trim();
  await writeFile(join(folder, "package.json"), JSON.stringify(MANIFEST));
  await run(["npm", "install", "--prefer-offline", "--no-audit", "--no-fund", "--loglevel=error"], folder);
  const config = {
    storage: join(folder, "storage"),
    auth: { htpasswd: { file: join(folder, "htpasswd") } },
    uplinks: { upstream: { url: upstream, maxage: "60m", timeout: "60s", max_fails: 10 } },
    packages: {
      "@fleetwire/*": { access: "$all", publish: "$all" },
      "**": { access: "$all", proxy: "upstream" },
    },
    web: { enable: false },
    max_body_size: "100mb",
    log: { type: "stdout", format: "json", level: "warn" },
  };
  const file = join(folder, "config.yaml");
  await writeFile(file, JSON.stringify(config));
  const port = await freePort();
  const program = start([node, "node_modules/verdaccio/bin/verdaccio", "--config", file, "--listen", `127.0.0.1:${port}`], folder);
  const url = `http://127.0.0.1:${port}/`;
  for (let tries = 0; ; tries++) {
    const up = await fetch(`${url}-/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (up) break;
    if (tries > 300 || program.child.exitCode !== null) throw new Error(`The registry did not start:\n${program.output()}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return url;
}

/** The environment of a user who has only this registry, an empty home and an empty cache. */
export async function emptyUser(home, registry) {
  await mkdir(home, { recursive: true });
  const { PATH, NODE_EXTRA_CA_CERTS } = process.env;
  const npmrc = join(home, ".npmrc");
  // Publishing requires a token even where everyone may publish.
  await writeFile(npmrc, `registry=${registry}\n${registry.replace(/^http:/, "")}:_authToken=none\n`);
  return {
    PATH,
    HOME: home,
    NO_COLOR: "1",
    npm_config_userconfig: npmrc,
    npm_config_registry: registry,
    npm_config_cache: join(home, "npm-cache"),
    npm_config_loglevel: "error",
    npm_config_fund: "false",
    npm_config_audit: "false",
    npm_config_update_notifier: "false",
    YARN_CACHE_FOLDER: join(home, "yarn-cache"),
    YARN_NPM_REGISTRY_SERVER: registry,
    YARN_UNSAFE_HTTP_WHITELIST: "127.0.0.1",
    BUN_INSTALL_CACHE_DIR: join(home, "bun-cache"),
    ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }),
  };
}

/** Publishes tarballs to the registry of an environment. */
export async function publish(packed, folder, env, options = []) {
  await twoAtATime(packed, ({ tarball }) =>
    run(["npm", "publish", tarball, "--access", "public", "--ignore-scripts", "--loglevel=error", ...options], folder, { env }),
  );
}
