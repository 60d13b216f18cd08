import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { CompositionInfo, PointerInfo } from '../../api/src/contract.ts';
import { publishBuild } from '../../api/src/testing/publish-build.ts';
import type { Desk } from '../start-desk.ts';
import { copyBuild, type Edit } from './copy-build.ts';

/** What a desk is started with, so that a test may deploy to it. */
export const OPS = { OPS_TOKEN: 'a-token-for-tests-alone' };

/**
 * Publishes the build that stands in a remote's dist/ as another version, with its scripts edited, as its team would. Resolves with
 * its id.
 */
export async function publish(desk: Desk, remote: string, version: string, edit: Edit): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), `${remote}-`));
  try {
    await copyBuild(remote, folder, version, edit);
    return (await publishBuild(desk.url, OPS.OPS_TOKEN, folder)).id;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Puts releases in the place of those of the same remotes in what is live. */
export async function goLive(desk: Desk, ...releases: string[]): Promise<CompositionInfo> {
  const change = { releases, author: 'e2e', reason: 'a test' };
  return (await call<PointerInfo>(desk, 'POST', '/ops/pointer', change)).composition;
}

/** The id of what is live of a remote. */
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

/**
 * Puts other code in the place of the function that runs the exposed module: `run` gets the expression that would run it. Only the
 * remote's entry has it.
 */
export const running =
  (expose: string, run: (original: string) => string): Edit =>
  (text, name) => {
    if (!name.startsWith('remoteEntry')) return text;
    const start = text.indexOf(`"${expose}":()=>`);
    if (start < 0) return text;
    const found = /\.then\(\(\)=>\(\)=>(\w+\(\d+\))\)/.exec(text.slice(start));
    if (!found) throw new Error(`${name} does not run ${expose} as it used to`);
    const from = start + found.index;
    return `${text.slice(0, from)}.then(()=>()=>${run(found[1]!)})${text.slice(from + found[0].length)}`;
  };
