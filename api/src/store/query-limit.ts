/**
 * Longest time that the store may spend on one query, in ms: the default of every query by mongoose, to be given to queries by the driver.
 * Background jobs read in slices, which take far less.
 */
export const maxTimeMS = 10_000;
