export { tableProblems } from "./conformance.ts";
export { ContractTable, loadTable, type TableRow } from "./contract-table.ts";
