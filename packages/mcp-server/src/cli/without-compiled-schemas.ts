import * as z from "zod";

// Compiling the SDK's schemas takes longer than the few messages over stdio would gain. It must be set before the SDK creates them.
z.config({ jitless: true });
