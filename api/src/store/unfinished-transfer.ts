import type { Connection } from 'mongoose';

/** Collection with the progress of a restore or a migration into this database, until it has finished. */
export const transfersCollection = 'transfers';

/** @throws Error if a restore or a migration into this database was interrupted: some data is missing. */
export async function refuseUnfinishedTransfer(connection: Connection): Promise<void> {
  const found = await connection.collection<{ _id: string; from: string }>(transfersCollection).findOne({});
  if (!found) return;
  throw new Error(
    `The data is incomplete: copying it from ${found.from} was interrupted. Run the same command of "npm run db" again, without --force: it continues.`,
  );
}
