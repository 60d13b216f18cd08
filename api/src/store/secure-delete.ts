/**
 * Write concern of a final write after a removal: it is acknowledged once the removed data is no longer in
 * any database file. Costly, so used once per removal.
 */
export const secureDelete = { w: 'majority', j: true } as const;
/** Maximum time to wait for it, in ms; it continues in the background. */
export const secureDeleteTimeoutMs = 25_000;
