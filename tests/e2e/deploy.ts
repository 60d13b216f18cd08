import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CompositionInfo, PointerInfo, ReleaseClaim, ReleaseUpload } from '../../api/src/contract.ts';
import type { Desk } from '../start-desk.ts';

/** What a desk is started with, so that a test may deploy to it. */
export const OPS = { OPS_TOKEN: 'a-token-for-tests-alone' };

const root = path.join(import.meta.dirname, '../..');

/** Changes a script of a build; `name` is its file's. */
export type Edit = (text: string, name: string) => string;

/**
 * Publishes the build that stands in a remote's dist/ as another version, with its scripts edited and a chunk registry of its own, as
 * a build of that version would have. Resolves with its id.
 */
export async function publish(desk: Desk, remote: string, version: string, edit: Edit): Promise<string> {
  const folder = path.join(root, remote, 'dist');
  const built = JSON.parse(await readFile(path.join(folder, 'release.json'), 'utf8'));
  const registry = (text: string) => text.replaceAll(`${remote}@${built.version}+`, `${remote}@${version}+`);
  const contents = new Map<string, Buffer>();
  let changed = 0;
  for (const name of await readdir(folder)) {
    if (name === 'release.json') continue;
    const bytes = await readFile(path.join(folder, name));
    if (!name.endsWith('.js')) contents.set(name, bytes);
    else {
      const text = bytes.toString('utf8');
      const edited = edit(text, name);
      if (edited !== text) changed++;
      contents.set(name, Buffer.from(registry(edited)));
    }
  }
  if (!changed) throw new Error(`nothing of ${remote} was changed by the edit for ${version}`);
  const { files: _, ...described } = JSON.parse(registry(JSON.stringify(built)));
  const upload: ReleaseUpload = {
    ...described,
    version,
    routes: {},
    template: '',
    files: [...contents].map(([name, bytes]) => ({
      path: name,
      size: bytes.length,
      integrity: `sha384-${createHash('sha384').update(bytes).digest('base64')}`,
    })),
  };
  const { id, missing } = await call<ReleaseClaim>(desk, 'POST', '/ops/releases', upload);
  const release = `/ops/releases/${encodeURIComponent(id)}`;
  for (const name of missing)
    await call(desk, 'PUT', `${release}/files/${encodeURIComponent(name)}`, contents.get(name)!);
  await call(desk, 'POST', `${release}/publish`);
  return id;
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

export async function call<T>(desk: Desk, method: string, address: string, body?: unknown): Promise<T> {
  const isFile = Buffer.isBuffer(body);
  const answer = await fetch(desk.url + address, {
    method,
    headers: {
      Authorization: `Bearer ${OPS.OPS_TOKEN}`,
      ...(body !== undefined && { 'Content-Type': isFile ? 'application/octet-stream' : 'application/json' }),
    },
    ...(body !== undefined && { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${address} answered ${answer.status}: ${text}`);
  return (text ? JSON.parse(text) : undefined) as T;
}

/** Replaces words that the build must say. */
export const saying =
  (from: string, to: string): Edit =>
  (text) =>
    text.replaceAll(from, to);

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
