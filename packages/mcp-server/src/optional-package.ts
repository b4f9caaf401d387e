import { FleetError } from "@fleetwire/core";

interface OptionalPackage {
  name: string;
  /** What needs it, as the beginning of a sentence: "configuration: FLEET_REDIS_URL needs". */
  neededBy: string;
  /** Says how to install it. */
  advice: string;
}

/** Loads a module that imports an optional peer dependency. Throws a `config` error if that is not installed. */
export async function withPackage<Module>({ name, neededBy, advice }: OptionalPackage, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.endsWith("MODULE_NOT_FOUND") || !message.includes(name)) throw error;
    throw new FleetError("config", `${neededBy} ${name}, which is not installed`, { advice });
  }
}
