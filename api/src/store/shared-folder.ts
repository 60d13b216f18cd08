import { stat } from 'node:fs/promises';
import type { Logger } from 'pino';

/**
 * Logs a warning if other users of this machine can enter DATA_DIR, where they could see file names and the
 * location of the ops token.
 */
export async function warnOfSharedFolder(dataDir: string, log: Pick<Logger, 'warn'>): Promise<void> {
  const mode = (await stat(dataDir).catch(() => undefined))?.mode ?? 0;
  if (mode & 0o077)
    log.warn(
      { dataDir, mode: (mode & 0o777).toString(8) },
      'DATA_DIR is accessible to other users of this machine; restrict it with chmod 700',
    );
}
