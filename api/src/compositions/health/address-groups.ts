/** Number of address groups, see `CanaryTally`. */
export const SLOTS = 32;
