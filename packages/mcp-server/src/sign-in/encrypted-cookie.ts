import { EncryptJWT, jwtDecrypt } from "jose";

/** Browsers drop longer cookies without a word. */
const MAX_LENGTH = 4_000;

interface EncryptedCookieOptions {
  name: string;
  /** Encrypts the value: 32 bytes, used for this cookie only. */
  key: Uint8Array;
  path: string;
  sameSite: "Strict" | "Lax";
  /** Whether it is only ever sent over HTTPS. */
  isSecure: boolean;
}

/** A cookie whose value neither scripts in the page nor anyone who reads it can see or change. */
export interface EncryptedCookie<Value> {
  /** Returns the header that sets it, or undefined if it would be too long. */
  set: (value: Value, seconds: number) => Promise<string | undefined>;
  /** Returns the value that a request brings, if it was set here and has not expired. Of several cookies of this name, one may be of another account: they count as none. */
  read: (request: Request) => Promise<Value | undefined>;
  /** The header that removes it. */
  cleared: string;
}

export function encryptedCookie<Value extends object>(options: EncryptedCookieOptions): EncryptedCookie<Value> {
  const { key, path, sameSite, isSecure } = options;
  const name = isSecure ? `__Secure-${options.name}` : options.name;
  const attributes = `Path=${path}; HttpOnly; SameSite=${sameSite}${isSecure ? "; Secure" : ""}`;
  return {
    set: async (value, seconds) => {
      const encrypted = await new EncryptJWT({ value })
        .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
        .setExpirationTime(Math.floor(Date.now() / 1_000) + seconds)
        .encrypt(key);
      const header = `${name}=${encrypted}; Max-Age=${seconds}; ${attributes}`;
      return header.length > MAX_LENGTH ? undefined : header;
    },
    read: async (request) => {
      const [sent, another] = (request.headers.get("cookie") ?? "").split(/[;,] */).filter((pair) => pair.trim().startsWith(`${name}=`));
      if (sent === undefined || another !== undefined) return undefined;
      try {
        const { payload } = await jwtDecrypt(sent.trim().slice(name.length + 1), key, {
          keyManagementAlgorithms: ["dir"],
          contentEncryptionAlgorithms: ["A256GCM"],
          requiredClaims: ["exp"],
        });
        return payload["value"] as Value;
      } catch {
        return undefined;
      }
    },
    cleared: `${name}=; Max-Age=0; ${attributes}`,
  };
}
