import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import type { MoveInfo, NextPage, PointerInfo } from '../../api/src/contract/compositions.ts';
import { createGridFsFileStore } from '../../api/src/files/storage/gridfs-file-store.ts';
import { createCompositionStore } from '../../api/src/releases/data/composition-store.ts';
import { publishBuilds } from '../../api/src/releases/live/publish-builds.ts';
import { publishRelease } from '../../api/src/releases/publish/publish-release.ts';
import { readBuild } from '../../api/src/releases/publish/read-build.ts';
import { openTestDatabase, removeTestData } from '../../api/src/testing/test-database.ts';
import { createVisitor, type Visitor } from '../../api/src/testing/visitor.ts';
import { writeTestBuild } from '../../api/src/testing/write-test-build.ts';
import { type Desk, startDesk } from '../start-desk.ts';

test('a kill -9 between moves leaves no gap in the history, and the other process continues', () =>
  killBetweenMoves([2, 5, 7]));

const opsToken = 'the-token-of-operations';
const versions = ['1.1.0', '1.2.0', '1.3.0'];

/**
 * Two API processes on one store: one is killed while it sets compositions, the other continues. Each of
 * `rounds` is the number of moves after which the first one is killed.
 */
async function killBetweenMoves(rounds: readonly number[]): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'compose-kill-'));
  const storeFolder = path.join(folder, 'store');
  const database = await openTestDatabase(storeFolder);
  const desks: Desk[] = [];
  const start = async (name: string) => {
    const env = { MONGODB_URI: database.uri, OPS_TOKEN: opsToken, LOG_LEVEL: 'error' };
    const desk = await startDesk({ dataDir: path.join(folder, name), env, isApiAlone: true });
    desks.push(desk);
    return desk;
  };
  try {
    await publishAll(database.uri, folder);
    const [first, other] = await Promise.all([start('dying'), start('other')]);
    let dying = first;
    for (const [round, moves] of rounds.entries()) {
      if (round > 0) dying = await start('dying');
      await killAfter(moves, dying, other);
    }
  } finally {
    await Promise.all(desks.map((desk) => desk.kill()));
    await database.close();
    await removeTestData(storeFolder);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function publishAll(uri: string, folder: string): Promise<void> {
  const connection = await mongoose.createConnection(uri, { autoIndex: false }).asPromise();
  const store = createCompositionStore(connection);
  const deps = { store, files: createGridFsFileStore(connection), now: () => new Date() };
  const builds = ['host', 'mfe-auth', 'mfe-chat'].map((name) => writeTestBuild(folder, { name }));
  await publishBuilds(await Promise.all(builds), deps);
  for (const version of versions)
    await publishRelease(await readBuild(await writeTestBuild(folder, { name: 'mfe-chat', version })), deps);
  await connection.close();
}

async function killAfter(enough: number, dying: Desk, other: Desk): Promise<void> {
  const [opsOfDying, ops] = [dying, other].map(({ url }) => {
    const visitor = createVisitor(url);
    visitor.token = opsToken;
    return visitor;
  }) as [Visitor, Visitor];
  const answers: PointerInfo[] = [];
  await setUntilGone(opsOfDying, (pointer) => {
    answers.push(pointer);
    if (answers.length === enough) void dying.kill();
  });
  expect(answers.length).toBeGreaterThanOrEqual(enough);

  const { body: pointer } = await ops.call<PointerInfo>('GET', '/ops/pointer');
  const live = (await (await fetch(`${other.url}/ops/live`)).json()) as NextPage;
  expect(live.composition).toBe(pointer.composition.id);

  const moves = await allMoves(ops);
  expect(moves.map(({ revision }) => revision)).toEqual(
    Array.from({ length: pointer.revision }, (_, index) => pointer.revision - index),
  );
  for (const [index, move] of moves.entries()) expect(move.from).toBe(moves[index + 1]?.composition ?? null);
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
  const moved = await ops.call<PointerInfo>('POST', '/ops/pointer', next);
  expect(moved.body.revision).toBe(pointer.revision + 1);
}

async function allMoves(ops: Visitor): Promise<MoveInfo[]> {
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

/** Sets one version after the other until the process has ended, and reports each response. */
async function setUntilGone(ops: Visitor, answered: (pointer: PointerInfo) => void): Promise<void> {
  for (let n = 0; ; n++) {
    const request = { releases: [`mfe-chat@${versions[n % 3]}`], author: 'wang', reason: `move ${n}` };
    const reply = await ops.call<PointerInfo>('POST', '/ops/pointer', request).catch(() => undefined);
    if (!reply) return;
    if (reply.status === 200) answered(reply.body);
  }
}
