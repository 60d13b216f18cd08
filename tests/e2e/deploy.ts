import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { CompositionInfo, PointerInfo } from '../../api/src/contract/compositions.ts';
import { publishBuild } from '../../api/src/testing/publish-build.ts';
import type { Desk } from '../start-desk.ts';
import { type Change, copyBuild, replacingText } from './copy-build.ts';

/** Environment of a desk to which tests may deploy. */
export const OPS = { OPS_TOKEN: 'a-token-for-tests-alone' };

/** Publishes a changed copy of a remote's build as another version, as its team would. Resolves with its id. */
export async function publish(
  desk: Desk,
  remote: string,
  version: string,
  ...changes: Change[]
): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `${remote}-`));
  try {
    await copyBuild(remote, folder, version, ...changes);
    return (await publishBuild(desk.url, OPS.OPS_TOKEN, folder)).id;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Makes releases live in place of the current ones of the same remotes. */
export async function goLive(desk: Desk, ...releases: string[]): Promise<CompositionInfo> {
  const change = { releases, author: 'e2e', reason: 'a test' };
  return (await call<PointerInfo>(desk, 'POST', '/ops/pointer', change)).composition;
}

/**
 * Publishes an older release of a remote, which shows `to` instead of `from`, and makes it the fallback of the live release. The live
 * release does not change.
 */
export async function publishPrevious(
  desk: Desk,
  remote: string,
  version: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const live = await liveRelease(desk, remote);
  await goLive(desk, await publish(desk, remote, version, replacingText(from, to)));
  await goLive(desk, live);
}

/** The id of a remote's live release. */
export async function liveRelease(desk: Desk, remote: string): Promise<string> {
  const { composition } = await call<PointerInfo>(desk, 'GET', '/ops/pointer');
  return composition.remotes.find(({ name }) => name === remote)!.release;
}

export async function call<T>(desk: Desk, method: string, address: string, body?: object): Promise<T> {
  const answer = await fetch(desk.url + address, {
    method,
    headers: {
      Authorization: `Bearer ${OPS.OPS_TOKEN}`,
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${address} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}
