import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

test.each(['compose/compose.ts', 'release.ts'])(
  '%s ends without an error when its output pipe is closed',
  async (program) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, program), '--help'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let told = '';
    child.stderr.on('data', (chunk) => {
      told += chunk;
    });
    const [code] = await once(child, 'close');
    expect({ code, told }).toEqual({ code: 0, told: '' });
  },
);
