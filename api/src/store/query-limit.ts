/** Of one query, in ms: mongoose's default, to be passed to the driver. Jobs read in short slices. */
export const maxTimeMS = 10_000;
