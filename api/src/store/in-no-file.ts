/** A write with it answers when what was removed before is in no file any more. Once, at the end of a removal: it is costly. */
export const inNoFile = { w: 'majority', j: true } as const;
/** Whoever waits for it waits so long at most, in ms; it goes on behind. */
export const inNoFileWithinMs = 25_000;
