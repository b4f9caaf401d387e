import type { JobType } from "@fleetwire/core";

/** The job types of every customer. `list_jobs` returns them, since the interface has no operation for them. */
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
