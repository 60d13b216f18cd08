import { stat } from 'node:fs/promises';
import type { Logger } from 'pino';

/** Logs a warning when other users of this machine may enter DATA_DIR, where they could read names of files and the ops token's folder. */
export async function warnOfSharedFolder(dataDir: string, log: Pick<Logger, 'warn'>): Promise<void> {
  const mode = (await stat(dataDir).catch(() => undefined))?.mode ?? 0;
  if (mode & 0o077)
    log.warn(
      { dataDir, mode: (mode & 0o777).toString(8) },
      'DATA_DIR is open to other users of this machine; chmod 700 keeps them out',
    );
}
