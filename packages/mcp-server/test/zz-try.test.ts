import { it } from "vitest";
import { resolveName } from "../src/resolver/resolve-name.ts";
import { thousandVehicles } from "./thousand-vehicles.ts";

it("try", async () => {
  const view = await thousandVehicles();
  for (const q of ["N19 KNP", "1-LAS-020", "GK 762 NA7", "eTruck 9"]) {
    const r = resolveName(q, view.vehicles());
    const show = (p: any) => `${p.assetName} ${p.assetRegistration} ${p.driverName} ${p.assetVin} ${p.assetId}`;
    console.log(
      q,
      "=>",
      r.result,
      r.result === "found"
        ? show(r.match.value) + " by " + r.match.matchedBy + (r.match.respelt ? " respelt" : "")
        : r.result === "ambiguous"
          ? r.matches.length + " " + r.matches.slice(0, 4).map((m) => show(m.value))
          : r.nearest.map(show),
    );
  }
});
