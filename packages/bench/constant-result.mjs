/** What the servers that are compared with return for any call. */
export const RESULT = {
  content: [{ type: "text", text: "Truck 12 is at Quai Perrache, Lyon." }],
  structuredContent: { result: "found" },
};
