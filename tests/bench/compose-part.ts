import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { openEmbeddedStore } from 'embedded-store/open-embedded-store.ts';
import mongoose from 'mongoose';
import type { PageComposition } from '../../api/src/contract/pages.ts';
import { createGridFsFileStore } from '../../api/src/files/storage/gridfs-file-store.ts';
import { createCompositionStore } from '../../api/src/releases/data/composition-store.ts';
import { publishRelease } from '../../api/src/releases/publish/publish-release.ts';
import { readBuild } from '../../api/src/releases/publish/read-build.ts';
import { type Desk, startDesk } from '../start-desk.ts';
import type { Figure, PartResult } from './figures.ts';
import { median } from './statistics.ts';

const root = path.join(import.meta.dirname, '../..');
const run = promisify(execFile);
const opsToken = 'the-token-of-the-bench';
const version = '99.0.0';
const CALLS = 15;
const COMMANDS = 5;

/** Two server processes on one store. */
interface Pair {
  /** The server that receives the switch command. */
  asked: Desk;
  /** The server whose page is polled. */
  visited: Desk;
  /** The initial version of mfe-chat. */
  standing: string;
}

/** Time from choosing a release until another API process serves it, and back. */
export async function measureComposing(log: (line: string) => void): Promise<PartResult> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-compose-'));
  const store = await openEmbeddedStore({ dataDir: path.join(folder, 'store'), port: 0 });
  const desks: Desk[] = [];
  try {
    const env = { MONGODB_URI: store.uri, OPS_TOKEN: opsToken, LOG_LEVEL: 'error' };
    log('starting two desks on one store; the first builds and publishes');
    const asked = await startDesk({ dataDir: path.join(folder, 'asked'), env });
    desks.push(asked);
    const visited = await startDesk({ dataDir: path.join(folder, 'visited'), env, isApiAlone: true });
    desks.push(visited);
    await publishNextChat(store.uri, folder);
    const pair = { asked, visited, standing: await chatVersion(visited) };
    const [first, ...calls] = await inTurn(CALLS, () => switchAndBack(pair, byCall));
    log(`${CALLS} calls: ${median(calls.map(({ there }) => there)).toFixed(0)} ms there`);
    const commands = await inTurn(COMMANDS, () => switchAndBack(pair, byCommand));
    return {
      part: 'compose',
      about: `from asking one API process to switch until another one serves it; ${CALLS} calls and ${COMMANDS} commands`,
      figures: [
        ...figuresOf('call', calls),
        { name: 'first call, which reads the files: forward', value: first!.there, unit: 'ms', aim: 1000 },
        ...figuresOf('compose command', commands),
      ],
      details: ['a command is a separate process, which includes starting Node'],
    };
  } finally {
    for (const desk of desks) await desk.stop();
    await store.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function publishNextChat(uri: string, folder: string): Promise<void> {
  const connection = await mongoose.createConnection(uri, { autoIndex: false }).asPromise();
  try {
    const store = createCompositionStore(connection);
    const deps = { store, files: createGridFsFileStore(connection), now: () => new Date() };
    await publishRelease(await readBuild(await writeNextChat(folder)), deps);
  } finally {
    await connection.close();
  }
}

/** The built mfe-chat as another version with different content. */
async function writeNextChat(folder: string): Promise<string> {
  const dist = path.join(folder, 'chat');
  await cp(path.join(root, 'mfe-chat/dist'), dist, { recursive: true });
  const manifest = JSON.parse(await readFile(path.join(dist, 'release.json'), 'utf8'));
  for (const file of manifest.files.filter((name: string) => name.endsWith('.js')))
    await writeFile(path.join(dist, file), `${await readFile(path.join(dist, file), 'utf8')}\n`);
  await writeFile(path.join(dist, 'release.json'), JSON.stringify({ ...manifest, version }));
  return dist;
}

type Switch = (pair: Pair, what: 'set' | 'rollback') => Promise<void>;

/** Milliseconds until the other process serves the other version, and then the first one again. */
async function switchAndBack(pair: Pair, change: Switch): Promise<{ there: number; back: number }> {
  const timed = async (what: 'set' | 'rollback', expected: string) => {
    const start = performance.now();
    await change(pair, what);
    const served = await chatVersion(pair.visited);
    if (served !== expected) throw new Error(`expected mfe-chat ${expected} after ${what}, got ${served}`);
    return performance.now() - start;
  };
  return { there: await timed('set', version), back: await timed('rollback', pair.standing) };
}

const byCall: Switch = async ({ asked }, what) => {
  const response = await fetch(`${asked.url}/ops/pointer${what === 'set' ? '' : '/rollback'}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${opsToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      author: 'bench',
      reason: '',
      ...(what === 'set' ? { releases: [`mfe-chat@${version}`] } : {}),
    }),
  });
  if (!response.ok) throw new Error(`${what}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
};

const byCommand: Switch = async ({ asked }, what) => {
  const words = what === 'set' ? ['set', `mfe-chat@${version}`] : ['rollback'];
  const program = path.join(root, 'api/src/cli/compose/compose.ts');
  await run(process.execPath, [program, '--server', asked.url, ...words], {
    env: { ...process.env, OPS_TOKEN: opsToken },
  });
};

async function chatVersion({ url }: Desk): Promise<string> {
  const html = await (await fetch(`${url}/chatbot/index`)).text();
  const json = /id="composition">(.*?)<\/script>/.exec(html)?.[1];
  if (!json) throw new Error(`${url}/chatbot/index must carry its composition`);
  return (JSON.parse(json) as PageComposition).remotes['mfe-chat']?.version ?? '';
}

async function inTurn<T>(times: number, measure: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  while (results.length < times) results.push(await measure());
  return results;
}

function figuresOf(name: string, times: readonly { there: number; back: number }[]): Figure[] {
  return (['there', 'back'] as const).flatMap((way): Figure[] => {
    const all = times.map((one) => one[way]);
    return [
      { name: `${name}, ${way}, median`, value: median(all), unit: 'ms', aim: 1000 },
      { name: `${name}, ${way}, slowest`, value: Math.max(...all), unit: 'ms' },
    ];
  });
}
