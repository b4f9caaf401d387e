import type { JobType } from "@fleetwire/core";

/** The job types that every customer of the sandbox has; `list_jobs` names them, since the interface has no list of them. */
export const JOB_TYPES: readonly JobType[] = [
  {
    id: "jobtypedelivery",
    key: "delivery",
    label: "Delivery",
    description: "Goods are handed over",
    global: true,
    used: true,
    disabled: false,
  },
  {
    id: "jobtypecollection",
    key: "collection",
    label: "Collection",
    description: "Goods are picked up",
    global: true,
    used: true,
    disabled: false,
  },
  { id: "jobtypeservice", key: "service", label: "Service visit", description: "Work on site", global: false, used: true, disabled: false },
  { id: "jobtypesurvey", key: "survey", label: "Survey", description: "No longer in use", global: false, used: false, disabled: true },
];
