import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Program, startProgram } from "@fleetwire/packaging/started-program";
import { freePort } from "../../vitest/free-port.ts";

/** The example deployment. */
export const EXAMPLE: string = fileURLToPath(new URL("../../../examples/deployment", import.meta.url));
export const exampleFile = (name: string): string => readFileSync(join(EXAMPLE, name), "utf8");
const NOBODY = 65_534;

/** Fills in `${NAME}`, as envsubst does in the official nginx image. */
function filledIn(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\$\{([A-Z_0-9]+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`nothing for \${${name}}`);
    return value;
  });
}

export interface Nginx {
  port: number;
  /** Its access and error logs so far. */
  logged(): string;
  end: Program["end"];
}

interface NginxOptions {
  path: string;
  /** Folder for its configuration, logs and temporary files. */
  folder: string;
  /** The addresses of three replicas. */
  replicas: readonly string[];
  tls?: { certificate: string; key: string };
}

function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
      .once("connect", () => resolve(true))
      .once("error", () => resolve(false));
    socket.once("close", () => socket.destroy()).unref();
    socket.once("connect", () => socket.end());
  });
}

/** Runs nginx with the example's configuration, without privileges and on loopback. */
export async function startNginx({ path, folder: parent, replicas, tls }: NginxOptions): Promise<Nginx> {
  const folder = join(parent, "nginx");
  mkdirSync(folder);
  const port = await freePort();
  const [REPLICA_1 = "", REPLICA_2 = "", REPLICA_3 = ""] = replicas;
  const tlsFile = join(folder, "tls.conf");
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  if (tls) {
    const paths = { certificate: file("certificate.pem", tls.certificate), key: file("key.pem", tls.key) };
    const text = exampleFile("tls.conf");
    file("tls.conf", text.replace("/run/secrets/certificate_key", paths.key).replace("/run/secrets/certificate", paths.certificate));
  }
  const LISTEN = `127.0.0.1:${port}${tls ? " ssl" : ""}`;
  // nginx ignores a pattern that no file matches.
  const values = { RUN: folder, LOGS: folder, LISTEN, TLS: `${tlsFile}*`, REPLICA_1, REPLICA_2, REPLICA_3 };
  const config = file("nginx.conf", filledIn(exampleFile("nginx.conf.template"), values));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    chownSync(folder, NOBODY, NOBODY);
    chmodSync(parent, 0o711);
  }
  const errors = join(folder, "error.log");
  const common = ["-p", folder, "-c", config, "-e", errors];
  const program = await startProgram("/bin/sh", {
    // It prints nothing once it is ready.
    args: ["-c", `"$0" -t "$@" && echo valid && exec "$0" "$@"`, path, ...common, "-g", "daemon off;"],
    pattern: /^valid$/,
    ...(isRoot && { uid: NOBODY }),
  });
  while (!(await acceptsConnections(port))) await new Promise((resolve) => setTimeout(resolve, 20));
  return {
    port,
    logged: () => ["access.log", "error.log"].map((name) => readFileSync(join(folder, name), "utf8")).join("\n"),
    end: program.end,
  };
}
