import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openEmbeddedStore } from './open-embedded-store.ts';

/** Whether something listens at the store's address. */
async function isOpen(uri: string): Promise<boolean> {
  const path = decodeURIComponent(uri.split('/')[2] ?? '');
  const socket = connect(path);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}

test('closing a store again does not close the store that its thread serves meanwhile', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'desk-stores-'));
  const first = await openEmbeddedStore({ dataDir: join(folder, 'first') });
  await first.close();
  const second = await openEmbeddedStore({ dataDir: join(folder, 'second') });
  await first.close();
  expect(await isOpen(second.uri)).toBe(true);
  await Promise.all([second.close(), second.close()]);
  expect(await isOpen(second.uri)).toBe(false);
  await rm(folder, { recursive: true });
});
