import { testPerturbations } from "./resolver-perturbations.ts";

testPerturbations(61);
