import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type {
  CheckReport,
  CompositionDiff,
  CompositionInfo,
  MoveInfo,
  NextPage,
  PointerInfo,
} from '../../contract/compositions.ts';
import type { ErrorBody } from '../../contract/error-body.ts';
import type { PageComposition } from '../../contract/pages.ts';
import { createGridFsFileStore } from '../../files/storage/gridfs-file-store.ts';
import { pointerCanary } from '../../testing/pointer-canary.ts';
import { createScriptedAnswerer } from '../../testing/scripted-answerer.ts';
import { startTestApi, type TestApi } from '../../testing/start-test-api.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openTestDatabase, removeTestData } from '../../testing/test-database.ts';
import { createVisitor, signedUp, type Visitor } from '../../testing/visitor.ts';
import { type TestBuild, writeTestBuild } from '../../testing/write-test-build.ts';
import { createCompositionStore } from '../data/composition-store.ts';
import { movePointer, readPointer } from '../data/move-pointer.ts';
import { publishRelease } from '../publish/publish-release.ts';
import { readBuild } from '../publish/read-build.ts';
import { publishBuilds } from './publish-builds.ts';

const opsToken = 'the-token-of-operations';
const chatToken = 'the-token-of-the-chat-team';

const folder = await temporaryFolder('composition-routes');
const database = await openTestDatabase(join(folder, 'store'));
const config = { mongodbUri: database.uri, opsToken, releaseTokens: { 'mfe-chat': chatToken } };
const start = () => startTestApi({ answerer: createScriptedAnswerer(), config });
/** Two complete API processes on one store. */
const one = await start();
const two = await start();
const [ops, opsOfTwo] = [one, two].map(({ url }) => {
  const visitor = createVisitor(url);
  visitor.token = opsToken;
  return visitor;
}) as [Visitor, Visitor];
const store = createCompositionStore(one.connection);
const deps = { store, files: createGridFsFileStore(one.connection), now: () => new Date() };
const builds = ['host', 'mfe-auth', 'mfe-chat'].map((name) => writeTestBuild(folder, { name }));
await publishBuilds(await Promise.all(builds), deps);
/** Published before each test: a host and two remotes. */
const published = await Promise.all(
  [store.releases, store.compositions, store.pointers, store.moves].map(async ({ collection }) => {
    const documents = await one.connection.collection(collection.name).find().toArray();
    return [collection.name, documents] as const;
  }),
);
afterAll(async () => {
  await one?.end();
  await two?.end();
  await database?.close();
  await removeTestData(join(folder, 'store'));
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  for (const [name, documents] of published) {
    await one.connection.collection(name).deleteMany({});
    await one.connection.collection(name).insertMany(documents);
  }
});

const publish = async (build: TestBuild) =>
  (await publishRelease(await readBuild(await writeTestBuild(folder, build)), deps))._id;
const note = { author: 'wang', reason: 'a reason' };

const pointer = async (who = ops) => (await who.call<PointerInfo>('GET', '/ops/pointer')).body;
const set = <T = PointerInfo>(body: object, who = ops) =>
  who.call<T>('POST', '/ops/pointer', { ...note, ...body });
const rollBack = <T = PointerInfo>(body: object = {}, who = ops) =>
  who.call<T>('POST', '/ops/pointer/rollback', { ...note, ...body });
const history = async (query = '', who = ops) =>
  (await who.call<{ moves: MoveInfo[]; nextCursor: string | null }>('GET', `/ops/history${query}`)).body;
const releasesOf = ({ host, remotes }: CompositionInfo) => [host, ...remotes].map(({ release }) => release);

/** The composition that a visitor of `api` is currently served. */
async function servedBy(api: TestApi): Promise<PageComposition> {
  const html = await (await fetch(`${api.url}/chatbot/index`)).text();
  return JSON.parse(/id="composition">(.*?)<\/script>/.exec(html)![1]!);
}
const chatServedBy = async (api: TestApi) => (await servedBy(api)).remotes['mfe-chat']?.version;

describe('going live and rolling back', () => {
  test('every process serves the new composition and its files with its next page, without a restart', async () => {
    await publish({ name: 'mfe-chat', version: '1.4.0' });
    expect([await chatServedBy(one), await chatServedBy(two)]).toEqual(['1.0.0', '1.0.0']);

    const { status, body } = await set({ releases: ['mfe-chat@1.4.0'] });

    expect(status).toBe(200);
    expect([await chatServedBy(one), await chatServedBy(two)]).toEqual(['1.4.0', '1.4.0']);
    const { entry } = (await servedBy(two)).remotes['mfe-chat']!;
    expect((await fetch(two.url + entry)).status).toBe(200);
    expect(body).toMatchObject({
      revision: 2,
      composition: { author: 'wang', reason: 'a reason', parent: body.previous },
      canary: null,
    });
    const live = await (await fetch(`${two.url}/ops/live`)).json();
    expect(live).toEqual({ composition: body.composition.id } satisfies NextPage);

    const back = await rollBack({}, opsOfTwo);
    expect(back.body).toMatchObject({
      revision: 3,
      composition: { id: body.previous },
      previous: body.composition.id,
    });
    expect([await chatServedBy(one), await chatServedBy(two)]).toEqual(['1.0.0', '1.0.0']);
  });

  test('several remotes go live in one step, and the others stay unchanged', async () => {
    const chosen = [
      await publish({ name: 'mfe-chat', version: '1.4.0' }),
      await publish({ name: 'mfe-auth', version: '2.0.0' }),
      await publish({ name: 'mfe-records', version: '0.1.0' }),
    ];
    const { body } = await set({ releases: chosen });
    expect(body.revision).toBe(2);
    expect(releasesOf(body.composition)).toEqual([
      'host@1.0.0',
      'mfe-auth@2.0.0',
      'mfe-chat@1.4.0',
      'mfe-records@0.1.0',
    ]);
    expect(body.composition.remotes.map(({ previous }) => previous)).toEqual([
      'mfe-auth@1.0.0',
      'mfe-chat@1.0.0',
      null,
    ]);

    const without = await set({ releases: [], without: ['mfe-records'] });
    expect(releasesOf(without.body.composition)).toEqual(['host@1.0.0', 'mfe-auth@2.0.0', 'mfe-chat@1.4.0']);
  });

  test('choosing the live composition does not move the pointer', async () => {
    const before = await pointer();
    const { status, body } = await set({ releases: ['mfe-chat@1.0.0', 'mfe-auth@1.0.0'] });
    expect([status, body]).toEqual([200, before]);
    expect((await set({ composition: before.composition.id })).body).toEqual(before);
    expect((await rollBack({ to: before.composition.id })).body).toEqual(before);
    expect((await history()).moves).toHaveLength(1);
  });

  test('an earlier composition goes live again unchanged, addressed by the first digits of its id', async () => {
    const first = (await pointer()).composition;
    for (const version of ['1.1.0', '1.2.0'])
      await set({ releases: [await publish({ name: 'mfe-chat', version })] });
    const { body } = await rollBack({ to: first.id.slice(0, 12).toUpperCase() });
    expect(body.composition).toEqual(first);
    expect((await history()).moves.map(({ kind, changes }) => [kind, changes])).toEqual([
      ['rollback', [{ name: 'mfe-chat', from: '1.2.0', to: '1.0.0' }]],
      ['set', [{ name: 'mfe-chat', from: '1.1.0', to: '1.2.0' }]],
      ['set', [{ name: 'mfe-chat', from: '1.0.0', to: '1.1.0' }]],
      [
        'start',
        [
          { name: 'host', from: null, to: '1.0.0' },
          { name: 'mfe-auth', from: null, to: '1.0.0' },
          { name: 'mfe-chat', from: null, to: '1.0.0' },
        ],
      ],
    ]);
  });

  test('with no previous live composition there is nothing to roll back to', async () => {
    const { status, body } = await rollBack<ErrorBody>();
    expect([status, body.error, body.msg]).toEqual([404, 'not_found', '在此之前没有别的组合，无法退回']);
  });

  test('going live ends a canary, and the history names it', async () => {
    const before = (await readPointer(store))!;
    const { body: next } = await ops.call<CompositionInfo>('POST', '/ops/compositions', {
      ...note,
      releases: [await publish({ name: 'mfe-auth', version: '3.0.0' })],
    });
    await movePointer(
      store,
      before,
      { canaries: [pointerCanary(next.id)] },
      { ...note, kind: 'canary', canary: pointerCanary(next.id, { share: 10 }) },
      new Date(),
    );

    const { body } = await set({ releases: [await publish({ name: 'mfe-chat', version: '1.4.0' })] });

    expect(body).toMatchObject({ revision: 3, canary: null });
    expect((await history()).moves.slice(0, 2)).toMatchObject([
      { kind: 'set', canary: next.id, changes: [{ name: 'mfe-chat', from: '1.0.0', to: '1.4.0' }] },
      {
        kind: 'canary',
        canary: next.id,
        share: 10,
        changes: [{ name: 'mfe-auth', from: '1.0.0', to: '3.0.0' }],
      },
    ]);
  });

  test('the very first composition consists of releases only', async () => {
    await store.pointers.deleteMany({});
    await store.moves.deleteMany({});
    expect((await ops.call('GET', '/ops/pointer')).status).toBe(404);
    const partly = await set<ErrorBody>({ releases: ['mfe-chat@1.0.0'] });
    expect([partly.status, partly.body.field, partly.body.msg]).toEqual([
      400,
      'releases',
      '组合中必须有主机（host）',
    ]);
    const { body } = await set({ releases: ['host@1.0.0', 'mfe-chat@1.0.0'], revision: 0 });
    expect(body).toMatchObject({ revision: 1, previous: null, composition: { parent: null } });
    expect(await chatServedBy(two)).toBe('1.0.0');
  });
});

describe('concurrent changes', () => {
  test('of ten changes based on one revision exactly one succeeds, and the history has no gap', async () => {
    const releases = await Promise.all(
      Array.from({ length: 11 }, (_, index) => publish({ name: 'mfe-chat', version: `1.0.${index + 1}` })),
    );
    for (const round of [1, 2, 3]) {
      const { revision, composition } = await pointer();
      const others = releases.filter((release) => !releasesOf(composition).includes(release)).slice(0, 10);
      const answers = await Promise.all(
        others.map((release, index) =>
          set<PointerInfo & ErrorBody>(
            { releases: [release], revision, reason: `round ${round}` },
            index % 2 ? ops : opsOfTwo,
          ),
        ),
      );
      const won = answers.filter(({ status }) => status === 200);
      const lost = answers.filter(({ status }) => status !== 200);
      expect(won).toHaveLength(1);
      expect(new Set(lost.map(({ status, body }) => `${status} ${body.error} ${body.field}`))).toEqual(
        new Set(['409 conflict revision']),
      );
      expect(won[0]!.body.revision).toBe(revision + 1);
      const served = [await servedBy(one), await servedBy(two)].map(({ id }) => id);
      expect(served).toEqual([won[0]!.body.composition.id, won[0]!.body.composition.id]);
    }
    const { moves } = await history();
    expect(moves.map(({ revision }) => revision)).toEqual([4, 3, 2, 1]);
    for (const [index, move] of moves.entries())
      expect(move.from).toBe(moves[index + 1]?.composition ?? null);
  });

  test('without a revision, a change based on an outdated state is refused', async () => {
    const releases = await Promise.all(
      ['mfe-chat', 'mfe-auth'].flatMap((name) =>
        ['2.0.1', '2.0.2', '2.0.3'].map((version) => publish({ name, version })),
      ),
    );
    const answers = await Promise.all(
      releases.map((release, index) => set({ releases: [release] }, index % 2 ? ops : opsOfTwo)),
    );
    const won = answers.filter(({ status }) => status === 200).length;
    expect(won).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(6 - won);
    const { moves } = await history();
    expect(moves.map(({ revision }) => revision)).toEqual(
      Array.from({ length: won + 1 }, (_, index) => won + 1 - index),
    );
    for (const { kind, changes } of moves) if (kind === 'set') expect(changes).toHaveLength(1);
  });

  test('without a revision, changes of different remotes at the same moment all succeed', async () => {
    const releases = await Promise.all(
      ['mfe-chat', 'mfe-auth', 'host'].map((name) => publish({ name, version: '3.0.0' })),
    );
    const answers = await Promise.all(
      releases.map((release, index) => set({ releases: [release] }, index % 2 ? ops : opsOfTwo)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(releasesOf((await pointer()).composition)).toEqual(expect.arrayContaining(releases));
  });

  test('a crash between the move and its history entry loses no entry', async () => {
    const from = (await readPointer(store))!;
    const { body: next } = await ops.call<CompositionInfo>('POST', '/ops/compositions', {
      ...note,
      releases: [await publish({ name: 'mfe-chat', version: '1.4.0' })],
    });
    let writes = 0;
    const dying = new Proxy(store.moves, {
      get(target, key, receiver) {
        const value = Reflect.get(target, key, receiver);
        if (key !== 'updateOne') return value;
        return (...given: unknown[]) => {
          if (writes++ > 0) throw new Error('killed');
          return value.apply(target, given);
        };
      },
    });
    const move = movePointer(
      { ...store, moves: dying },
      from,
      { composition: next.id },
      { ...note, kind: 'set' },
      new Date(),
    );
    await expect(move).rejects.toThrow('killed');
    expect(await store.moves.countDocuments({})).toBe(1);

    expect((await history('', opsOfTwo)).moves).toMatchObject([
      { revision: 2, kind: 'set', author: 'wang', composition: next.id, from: from.composition },
      { revision: 1, kind: 'start' },
    ]);

    // Also if the next move happens before the history is read.
    await store.moves.deleteMany({ _id: 2 });
    await rollBack();
    expect((await history()).moves.map(({ revision, kind }) => [revision, kind])).toEqual([
      [3, 'rollback'],
      [2, 'set'],
      [1, 'start'],
    ]);
  });
});

describe('check before going live', () => {
  const needsNewer = { name: 'mfe-chat', version: '2.0.0', manifest: { shared: { react: '^20.0.0' } } };

  test('set and rollback refuse what check refuses, and the pointer does not move', async () => {
    const before = await pointer();
    const release = await publish(needsNewer);
    const report = await ops.call<CheckReport>('POST', '/ops/check', { releases: [release] });
    expect(report.body).toMatchObject({ isFine: false, findings: [{ rule: 'shared', release }] });

    const refused = await set<ErrorBody>({ releases: [release] });
    expect([refused.status, refused.body.error]).toEqual([422, 'check_failed']);
    expect(refused.body.findings).toEqual(report.body.findings);
    expect(refused.body.findings?.[0]?.message).toBe(
      'mfe-chat@2.0.0 需要 react ^20.0.0，而 host@1.0.0 提供的是 19.3.1',
    );
    expect(refused.body.findings?.[0]?.advice).toContain('选用 mfe-chat@1.0.0');

    const { body: kept } = await ops.call<CompositionInfo>('POST', '/ops/compositions', {
      ...note,
      releases: [release],
    });
    const back = await rollBack<ErrorBody>({ to: kept.id });
    expect([back.status, back.body.error]).toEqual([422, 'check_failed']);
    expect(await pointer()).toEqual(before);
    expect(await store.compositions.countDocuments({})).toBe(2);
  });

  test('a release with a file missing from the store does not go live', async () => {
    const release = await publish({ name: 'mfe-chat', version: '1.4.0' });
    await deps.files.remove('releases/mfe-chat/1.4.0/remoteEntry.dddd4444.js');
    const { status, body } = await ops.call<ErrorBody>(
      'POST',
      '/ops/pointer',
      { ...note, releases: [release] },
      { 'Accept-Language': 'en' },
    );
    expect(status).toBe(422);
    expect(body.findings).toMatchObject([{ rule: 'reachable', remote: 'mfe-chat', release }]);
    expect(body.findings?.[0]?.message).toMatch(/remoteEntry\.dddd4444\.js is not in the release store/);
  });

  test('with the same note as the later change, the report names the resulting composition', async () => {
    const releases = [await publish({ name: 'mfe-chat', version: '1.4.0' })];
    const checking = createVisitor(two.url);
    checking.token = chatToken;
    const { body } = await checking.call<CheckReport>('POST', '/ops/check', { ...note, releases });
    expect(body).toMatchObject({ isFine: true, findings: [], looked: { contract: 2 } });
    expect((await set({ releases })).body.composition.id).toBe(body.composition);
    const again = await ops.call<CheckReport>('POST', '/ops/check', { composition: body.composition });
    expect(again.body.composition).toBe(body.composition);
  });
});

describe('reading', () => {
  test('a composition is stored without going live, and storing it twice creates one', async () => {
    const before = await pointer();
    const releases = [await publish({ name: 'mfe-chat', version: '1.4.0' })];
    const keep = () => ops.call<CompositionInfo>('POST', '/ops/compositions', { ...note, releases });
    const [first, second] = [await keep(), await keep()];
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
    expect(await pointer()).toEqual(before);
    expect((await ops.call('GET', `/ops/compositions/${first.body.id}`)).body).toEqual(first.body);
  });

  test('an id may be abbreviated as long as it is unambiguous', async () => {
    const { composition } = await pointer();
    const { _id: id, ...rest } = (await store.compositions.findById(composition.id).lean())!;
    const twin = `${id.slice(0, 10)}${id[10] === '0' ? '1' : '0'}${id.slice(11)}`;
    await store.compositions.create({ ...rest, _id: twin });
    const read = (prefix: string) =>
      ops.call<CompositionInfo & ErrorBody>('GET', `/ops/compositions/${prefix}`);
    expect((await read(id.slice(0, 11))).body.id).toBe(id);
    expect((await read(id)).body.id).toBe(id);
    const ambiguous = await read(id.slice(0, 10));
    expect([ambiguous.status, ambiguous.body.error]).toEqual([409, 'conflict']);
    for (const none of [id.slice(0, 5), `${id}0`, 'nothing-like-that', '%24ne', '0'.repeat(64)])
      expect((await read(none)).status).toBe(404);
  });

  test('compositions and moves are paged, newest first', async () => {
    for (const version of ['1.1.0', '1.2.0', '1.3.0', '1.4.0'])
      await set({ releases: [await publish({ name: 'mfe-chat', version })] });
    type Page = { compositions: CompositionInfo[]; nextCursor: string | null };
    const versions: (string | undefined)[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const path: string = `/ops/compositions?limit=2${cursor && `&cursor=${cursor}`}`;
      const { body }: { body: Page } = await ops.call<Page>('GET', path);
      versions.push(...body.compositions.map(({ remotes }) => remotes[1]?.version));
      cursor = body.nextCursor;
    }
    expect(versions).toEqual(['1.4.0', '1.3.0', '1.2.0', '1.1.0', '1.0.0']);
    const revisions: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await history(`?limit=2${cursor && `&cursor=${cursor}`}`);
      revisions.push(...page.moves.map(({ revision }) => revision));
      cursor = page.nextCursor;
    }
    expect(revisions).toEqual([5, 4, 3, 2, 1]);
    const forged = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64');
    for (const path of ['/ops/compositions', '/ops/history'])
      for (const wrong of [
        'x',
        forged('moves', 'xy'),
        forged('moves', -1),
        forged('moves', 1),
        forged('moves'),
      ])
        expect((await ops.call<ErrorBody>('GET', `${path}?cursor=${wrong}`)).body.field).toBe('cursor');
  });

  test('two compositions are compared file by file', async () => {
    const from = (await pointer()).composition.id;
    const release = await publish({ name: 'mfe-chat', version: '1.4.0', words: 'others' });
    const to = (await set({ releases: [release] })).body.composition.id;
    const { body } = await ops.call<CompositionDiff>('GET', `/ops/diff?from=${from.slice(0, 8)}&to=${to}`);
    expect([body.from, body.to]).toEqual([from, to]);
    expect(body.parts.map(({ name, kept }) => [name, kept])).toEqual([
      ['host', 4],
      ['mfe-auth', 3],
      ['mfe-chat', 1],
    ]);
    expect(body.parts[2]).toMatchObject({ from: '1.0.0', to: '1.4.0', exposesAdded: [], shared: [] });
    expect(body.parts[2]!.added.map(({ path }) => path)).toEqual([
      'chunks/screen.6f746865.js',
      'remoteEntry.dddd4444.js',
    ]);
    const missing = await ops.call<ErrorBody>('GET', `/ops/diff?from=${from}`);
    expect([missing.status, missing.body.field]).toEqual([400, 'to']);
  });
});

describe('permissions', () => {
  test('any signed-in user can read; only the ops role can change', async () => {
    const visitor = await signedUp(one.url, `reader-${Date.now()}`, 'password-1');
    const guest = createVisitor(one.url);
    for (const path of ['/ops/compositions', '/ops/pointer', '/ops/history']) {
      expect((await visitor.call('GET', path)).status).toBe(200);
      expect((await guest.call<ErrorBody>('GET', path)).body.error).toBe('sign_in_required');
    }
    const before = await pointer();
    for (const path of ['/ops/pointer', '/ops/pointer/rollback', '/ops/compositions', '/ops/check'])
      for (const who of [visitor, guest]) {
        const { status, body } = await who.call<ErrorBody>('POST', path, { ...note, releases: [] });
        expect([status, body.error]).toEqual([401, 'ops_token_wrong']);
      }
    const team = createVisitor(one.url);
    team.token = chatToken;
    expect((await set({ releases: ['mfe-chat@1.0.0'] }, team)).status).toBe(403);
    expect(await pointer()).toEqual(before);
  });

  test.each<[object, number, string | undefined]>([
    [{}, 400, 'releases'],
    [{ releases: [] }, 400, 'releases'],
    [{ releases: ['mfe-chat@1.0.0'], composition: '0'.repeat(64) }, 400, 'composition'],
    [{ composition: 'nothing' }, 400, 'composition'],
    [{ composition: '0'.repeat(64) }, 404, undefined],
    [{ releases: ['mfe-chat@9.9.9'] }, 404, undefined],
    [{ releases: ['mfe-chat'] }, 404, undefined],
    [{ releases: [{ $ne: null }] }, 400, 'releases.0'],
    [{ releases: ['mfe-chat@1.0.0', 'mfe-chat@1.4.0'] }, 400, 'releases'],
    [{ without: ['host'] }, 400, 'without'],
    [{ without: ['mfe-none'] }, 400, 'without'],
    [{ releases: ['mfe-chat@1.0.0'], without: ['mfe-chat'] }, 400, 'without'],
    [{ releases: ['mfe-chat@1.0.0'], author: ' ' }, 400, 'author'],
    [{ releases: ['mfe-chat@1.0.0'], author: 'x'.repeat(101) }, 400, 'author'],
    [{ releases: ['mfe-chat@1.0.0'], reason: 'x'.repeat(501) }, 400, 'reason'],
    [{ releases: ['mfe-chat@1.0.0'], author: '\u001b[2Jroot' }, 400, 'author'],
    [{ releases: ['mfe-chat@1.0.0'], reason: 'half of \ud83d' }, 400, 'reason'],
    [{ releases: ['mfe-chat@1.0.0'], revision: 1.5 }, 400, 'revision'],
    [{ releases: ['mfe-chat@1.0.0'], revision: 99 }, 409, 'revision'],
    [{ releases: ['mfe-chat@1.0.0'], force: true }, 400, 'force'],
  ])('%j is %d %s', async (body, status, field) => {
    await publish({ name: 'mfe-chat', version: '1.4.0' });
    const answer = await set<ErrorBody>(body);
    expect([answer.status, answer.body.field]).toEqual([status, field]);
    expect((await pointer()).revision).toBe(1);
  });

  test('author and reason are stored as a single line', async () => {
    const release = await publish({ name: 'mfe-chat', version: '1.4.0' });
    const said = { author: ' 王 小明 ', reason: 'faster\r\n\tand 🙂 smaller ' };
    const { body } = await set({ releases: [release], ...said });
    expect(body.composition).toMatchObject({ author: '王 小明', reason: 'faster and 🙂 smaller' });
    expect((await history()).moves[0]).toMatchObject({ author: '王 小明', reason: 'faster and 🙂 smaller' });
  });

  test('an unknown release is named in the error', async () => {
    const { body } = await set<ErrorBody>({ releases: ['mfe-auth@1.0.0', 'mfe-chat@9.9.9'] });
    expect(body.msg).toBe('mfe-chat@9.9.9：没有找到这个发布版本');
  });
});
