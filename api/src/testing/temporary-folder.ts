import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates an empty folder for temporary files, whose name begins with `name`. */
export const temporaryFolder = (name: string): Promise<string> => mkdtemp(join(tmpdir(), `${name}-`));
