import { generate } from "selfsigned";

/** A certificate for a host name or an IPv4 address of this machine. */
export const selfSigned = (host: string): Promise<{ private: string; cert: string }> =>
  generate([{ name: "commonName", value: host }], {
    extensions: [
      { name: "basicConstraints", cA: true },
      { name: "subjectAltName", altNames: [/^[\d.]+$/.test(host) ? { type: 7, ip: host } : { type: 2, value: host }] },
    ],
  });
