/** What the servers that are compared with return for any call: a short result, or the one in the environment. */
export const RESULT = process.env.BENCH_RESULT
  ? JSON.parse(process.env.BENCH_RESULT)
  : {
      content: [{ type: "text", text: "Truck 12 is at Quai Perrache, Lyon." }],
      structuredContent: { result: "found" },
    };
