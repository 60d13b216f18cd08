import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const PACKAGES = ['debian-reference-en', 'debian-reference-zh-cn'] as const;
/** Not in DATA_DIR: it is no data of a desk, and can be fetched again. */
const CACHE = join(tmpdir(), 'desk-bench', 'debian-reference');

export interface DebianReference {
  /** `2.100`, of the package. */
  version: string;
  /** Where the chapters lie as HTML. */
  folder: string;
}

/** What an earlier run has fetched; null when none has. */
export async function findDebianReference(): Promise<DebianReference | null> {
  const files = await readdir(CACHE).catch(() => []);
  const archives = PACKAGES.map((name) => files.find((file) => file.startsWith(`${name}_`)));
  const folder = join(CACHE, 'usr', 'share', 'debian-reference');
  const chapters = await readdir(folder).catch(() => []);
  if (archives.includes(undefined) || chapters.length === 0) return null;
  return { version: archives[0]!.split('_')[1]!, folder };
}

/**
 * Fetches the packages as apt is configured to, and unpacks them; nothing is installed and no right is needed.
 *
 * @returns null, and says what to do, where there is no apt or it has no such package.
 */
export async function fetchDebianReference(log: (line: string) => void): Promise<DebianReference | null> {
  const found = await findDebianReference();
  if (found) return found;
  await mkdir(CACHE, { recursive: true });
  try {
    log(`fetching ${PACKAGES.join(' and ')}`);
    await run('apt-get', ['download', ...PACKAGES], { cwd: CACHE });
    for (const file of await readdir(CACHE))
      if (file.endsWith('.deb')) await run('dpkg-deb', ['-x', file, '.'], { cwd: CACHE });
  } catch (failure) {
    log(`no Debian Reference, so the handbook alone: ${reasonOf(failure)}`);
    log(
      `to have it, put ${PACKAGES.join('_*.deb and ')}_*.deb into ${CACHE} and unpack them there (dpkg-deb -x)`,
    );
    return null;
  }
  return findDebianReference();
}

function reasonOf(failure: unknown): string {
  const { code, stderr, message } = failure as { code?: string; stderr?: string; message: string };
  if (code === 'ENOENT') return 'apt-get and dpkg-deb are not there';
  return (stderr || message).trim().split('\n').at(-1) ?? '';
}
