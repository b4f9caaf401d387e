/** A fuel or battery level below this needs attention, in percent. */
export const LOW_PERCENT = 20;

/** Even a stationary vehicle reports at least once a day. */
export const SILENT_HOURS = 24;
