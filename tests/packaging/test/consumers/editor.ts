// A file open in a user's editor; tarballs.test.ts checks what the editor shows.
import { createFleetClient, type LivePosition, type QueryTachoActivityInput } from "@fleetwire/core";

const fleet = createFleetClient({ customerId: "c42", credentials: { clientId: "id", clientSecret: "secret" }, servers: {} });

export const positions: LivePosition[] = await fleet.listLivePositions({ fromDateTime: new Date(0) });
export const [first] = positions;
export const speed = first?.speed;
export const job = await fleet.createJob({ address: "Quai Perrache 10, Lyon", jobRadius: 50 });
export const group = await fleet.updateGroup({ id: "northdepot" });
export const input: QueryTachoActivityInput = { startTime: "2026-11-19T00:00:00", endTime: new Date(), dataContent: "DDD" };
export const kind = [input.startTime, input.dataContent];
