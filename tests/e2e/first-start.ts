import { isEmbedded } from '../../api/src/testing/test-database.ts';
import { FIRST_START, startDesk, temporaryDataDir } from '../start-desk.ts';

/**
 * Starts a desk once for every desk of a run: publishing and compressing the builds and indexing the handbook are two thirds of what a
 * first start takes (6 s of a processor). On MongoDB nothing of that is in the data folder.
 */
export default async function startFirst(): Promise<(() => Promise<void>) | undefined> {
  if (!isEmbedded) return undefined;
  const { dataDir, remove } = await temporaryDataDir();
  const desk = await startDesk({ dataDir });
  await desk.stop();
  process.env[FIRST_START] = dataDir;
  return remove;
}
