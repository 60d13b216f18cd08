import { isEmbedded } from '../../api/src/testing/test-database.ts';
import { FIRST_START, startDesk, temporaryDataDir } from '../start-desk.ts';

/**
 * Prepares a data folder that all desks of a run start from: publishing and compressing the builds and indexing the handbook are two
 * thirds of the time of a first start (6 s of CPU). With MongoDB none of this is in the data folder.
 */
export default async function startFirst(): Promise<(() => Promise<void>) | undefined> {
  if (!isEmbedded) return undefined;
  const { dataDir, remove } = await temporaryDataDir();
  const desk = await startDesk({ dataDir });
  await desk.stop();
  process.env[FIRST_START] = dataDir;
  return remove;
}
