/** Acknowledged once no database file has the removed data. Costly: once per removal. */
export const secureDelete = { w: 'majority', j: true } as const;
/** Maximum time to wait for it, in ms; it continues in the background. */
export const secureDeleteTimeoutMs = 25_000;
