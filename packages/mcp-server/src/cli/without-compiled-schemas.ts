import * as z from "zod";

// Compiling the SDK's schemas takes longer than it saves on the few messages over stdio. This must run before the SDK creates them.
z.config({ jitless: true });
