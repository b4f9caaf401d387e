/** So many activities on 18 November, in UTC. */
export const flood = (count: number): object[] =>
  Array.from({ length: count }, (_, at) => {
    const time = (part: number) => new Date(Date.UTC(2026, 10, 18) + Math.floor((part / count) * 86_400_000)).toISOString();
    return { assetId: "v1", activity: at % 2 === 0 ? "DRIVING" : "WORK", startTime: time(at), endTime: time(at + 1) };
  });
