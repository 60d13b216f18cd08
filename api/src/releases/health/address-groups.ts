/** Number of address groups, see `CanaryTally`. */
export const ADDRESS_GROUPS = 32;
