import { findMongod } from './find-mongod.ts';
import { type MongodOptions, type RunningMongod, startMongod } from './start-mongod.ts';

/**
 * Runs `work` with the variables that make the tests use a MongoDB: a replica set with one member, started
 * for it and removed afterwards.
 * @returns null, or why there is no mongod, in which case `work` was not run.
 */
export async function withMongod(
  work: (env: Record<string, string>, mongod: RunningMongod) => unknown,
  options: Pick<MongodOptions, 'logsQueries'> = {},
): Promise<string | null> {
  const { path, missing } = findMongod();
  if (missing !== undefined) return missing;
  const mongod = await startMongod({ binary: path, ...options });
  try {
    await work({ MONGODB_URI_TEST: mongod.uri }, mongod);
  } finally {
    await mongod.end();
  }
  return null;
}
