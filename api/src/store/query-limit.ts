/**
 * Time limit of the store for one query in ms: the default of all mongoose queries, to be passed explicitly
 * to driver queries. Background jobs read in slices, which take far less.
 */
export const maxTimeMS = 10_000;
