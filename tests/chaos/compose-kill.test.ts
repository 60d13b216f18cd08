import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';
import { createCompositionStore } from '../../api/src/compositions/composition-store.ts';
import { publishBuilds } from '../../api/src/compositions/publish-builds.ts';
import { publishRelease } from '../../api/src/compositions/publish-release.ts';
import { readBuild } from '../../api/src/compositions/read-build.ts';
import { writeTestBuild } from '../../api/src/compositions/write-test-build.ts';
import type { MoveInfo, NextPage, PointerInfo } from '../../api/src/contract.ts';
import { type EmbeddedStore, openEmbeddedStore } from '../../api/src/embedded/open-embedded-store.ts';
import { createGridFsFileStore } from '../../api/src/files/gridfs-file-store.ts';
import { createVisitor, type Visitor } from '../../api/src/testing/visitor.ts';
import { type Desk, startDesk } from '../start-desk.ts';

jest.setTimeout(180_000);

const opsToken = 'the-token-of-operations';
const versions = ['1.1.0', '1.2.0', '1.3.0'];

let folder: string;
let embedded: EmbeddedStore;
let connection: Connection;
/** Two API processes on one store: the one that is killed, and the one that goes on. */
let dying: Desk;
let other: Desk;
let opsOfDying: Visitor;
let ops: Visitor;

const start = (name: string) =>
  startDesk({
    dataDir: path.join(folder, name),
    env: { MONGODB_URI: embedded.uri, OPS_TOKEN: opsToken, LOG_LEVEL: 'error' },
    isApiAlone: true,
  });

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'compose-kill-'));
  embedded = await openEmbeddedStore({ dataDir: path.join(folder, 'store'), port: 0 });
  connection = await mongoose.createConnection(embedded.uri, { autoIndex: false }).asPromise();
  const store = createCompositionStore(connection);
  const deps = { store, files: createGridFsFileStore(connection), now: () => new Date() };
  const builds = ['host', 'mfe-auth', 'mfe-chat'].map((name) => writeTestBuild(folder, { name }));
  await publishBuilds(await Promise.all(builds), deps);
  for (const version of versions)
    await publishRelease(await readBuild(await writeTestBuild(folder, { name: 'mfe-chat', version })), deps);
  [dying, other] = await Promise.all([start('dying'), start('other')]);
  opsOfDying = createVisitor(() => dying.url);
  ops = createVisitor(other.url);
  for (const visitor of [opsOfDying, ops]) visitor.token = opsToken;
});
afterAll(async () => {
  await dying?.kill();
  await other?.kill();
  await connection?.close();
  await embedded?.close();
  if (folder) await rm(folder, { recursive: true, force: true, maxRetries: 3 });
});

async function allMoves(): Promise<MoveInfo[]> {
  const moves: MoveInfo[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const address: string = `/ops/history?limit=100${cursor && `&cursor=${cursor}`}`;
    type Page = { moves: MoveInfo[]; nextCursor: string | null };
    const { body }: { body: Page } = await ops.call<Page>('GET', address);
    moves.push(...body.moves);
    cursor = body.nextCursor;
  }
  return moves;
}

/** Sets one version after the other until the process is gone; what was answered. */
async function setUntilGone(answered: (pointer: PointerInfo) => void): Promise<void> {
  for (let n = 0; ; n++) {
    const request = { releases: [`mfe-chat@${versions[n % 3]}`], author: 'wang', reason: `move ${n}` };
    const reply = await opsOfDying.call<PointerInfo>('POST', '/ops/pointer', request).catch(() => undefined);
    if (!reply) return;
    if (reply.status === 200) answered(reply.body);
  }
}

test('a kill -9 between moves leaves no move out of the history, and the other process goes on', async () => {
  for (const enough of [2, 5, 7]) {
    const answers: PointerInfo[] = [];
    const setting = setUntilGone((pointer) => {
      answers.push(pointer);
      if (answers.length === enough) dying.kill();
    });
    await setting;
    expect(answers.length).toBeGreaterThanOrEqual(enough);

    const { body: pointer } = await ops.call<PointerInfo>('GET', '/ops/pointer');
    const live = (await (await fetch(`${other.url}/ops/live`)).json()) as NextPage;
    expect(live.composition).toBe(pointer.composition.id);

    const moves = await allMoves();
    expect(moves.map(({ revision }) => revision)).toEqual(
      Array.from({ length: pointer.revision }, (_, index) => pointer.revision - index),
    );
    for (const [index, move] of moves.entries())
      expect(move.from).toBe(moves[index + 1]?.composition ?? null);
    for (const { revision, composition } of answers)
      expect(moves.find((move) => move.revision === revision)).toMatchObject({
        composition: composition.id,
        author: 'wang',
      });

    const before = Number(pointer.composition.remotes[1]?.version.split('.')[1] ?? 0);
    const next = {
      releases: [`mfe-chat@${versions[before % 3]}`],
      author: 'li',
      reason: '',
      revision: pointer.revision,
    };
    expect((await ops.call<PointerInfo>('POST', '/ops/pointer', next)).body.revision).toBe(
      pointer.revision + 1,
    );
    dying = await start('dying');
  }
});
