import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { openEmbeddedStore } from 'embedded-store/open-embedded-store.ts';
import { embeddedOnly } from '../../api/src/testing/embedded-only.ts';
import { killStoreWriter } from './kill-store-writer.ts';

embeddedOnly('loses no acknowledged write to kill -9, and keeps the file whole', () =>
  killStoreWriter([100, 300]),
);

embeddedOnly('names the process that has the folder, and takes it over from a dead one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'desk-locked-'));
  try {
    const first = await openEmbeddedStore({ dataDir: folder });
    await expect(openEmbeddedStore({ dataDir: folder })).rejects.toThrow(
      `is in use by process ${process.pid}`,
    );
    await first.close();
    const second = await openEmbeddedStore({ dataDir: folder });
    await second.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
