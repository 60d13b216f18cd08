import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import type {
  CheckReport,
  CompositionDiff,
  CompositionInfo,
  MoveInfo,
  OverrideLink,
  PointerInfo,
} from '../../contract/compositions.ts';
import type { ErrorBody } from '../../contract/error-body.ts';
import type { ReleaseDetails, ReleaseSummary } from '../../contract/releases.ts';
import { createCompositionStore } from '../../releases/data/composition-store.ts';
import { publishBuild } from '../../testing/publish-build.ts';
import { createScriptedAnswerer } from '../../testing/scripted-answerer.ts';
import { startTestApi } from '../../testing/start-test-api.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { until } from '../../testing/until.ts';
import { type TestBuild, writeTestBuild } from '../../testing/write-test-build.ts';
import { runCompose } from './run-compose.ts';

const program = fileURLToPath(new URL('compose.ts', import.meta.url));
const opsToken = 'the-token-of-operations';
const chatToken = 'the-token-of-the-chat-team';

interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

const environment = () => ({ DESK_URL: api.url, OPS_TOKEN: opsToken, LANG: 'C' });

/** Runs a command with the ops token, against this file's server unless `env` overrides it. */
async function compose(args: string, env: Record<string, string> = {}): Promise<Ran> {
  const ran: Ran = { code: null, stdout: '', stderr: '' };
  ran.code = await runCompose({
    argv: args.split(' ').filter(Boolean),
    env: { ...environment(), ...env },
    out: (text) => {
      ran.stdout += text;
    },
    err: (text) => {
      ran.stderr += text;
    },
    now: () => new Date(),
  });
  return ran;
}

/** Runs a command as a separate process in this file's folder, as an operator would. */
async function composeAsProcess(args: string, env: Record<string, string> = {}): Promise<Ran> {
  const child = spawn(process.execPath, [program, ...args.split(' ').filter(Boolean)], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...environment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ran: Ran = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    ran.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    ran.stderr += chunk;
  });
  [ran.code] = (await once(child, 'close')) as [number | null];
  return ran;
}

/** Runs a command with --json and returns the parsed output. */
async function json<T>(args: string): Promise<T> {
  const ran = await compose(`${args} --json`);
  expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(ran.stdout) as T;
}

const publish = async (build: TestBuild) =>
  (await publishBuild(api.url, opsToken, await writeTestBuild(folder, build))).id;
const liveChat = async () => {
  const { composition } = await json<PointerInfo>('show');
  return composition.remotes.find(({ name }) => name === 'mfe-chat')?.version;
};

const folder = await temporaryFolder('compose-cli');
const config = {
  opsToken,
  releaseTokens: { 'mfe-chat': chatToken },
  releaseOrigins: ['http://127.0.0.1:3002'],
  webhookOrigins: ['https://hooks.example'],
};
const api = await startTestApi({ answerer: createScriptedAnswerer(), config });
await publish({ name: 'host' });
await publish({ name: 'mfe-auth' });
for (const version of ['1.0.0', '1.4.0']) await publish({ name: 'mfe-chat', version });
await publish({ name: 'mfe-chat', version: '2.0.0', manifest: { shared: { react: '^20.0.0' } } });
afterAll(async () => {
  await api?.end();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  const { pointers, moves, compositions } = createCompositionStore(api.connection);
  await pointers.deleteMany({});
  await moves.deleteMany({});
  await compositions.deleteMany({});
  const releases = ['host@1.0.0', 'mfe-auth@1.0.0', 'mfe-chat@1.0.0'];
  const begun = await fetch(`${api.url}/ops/pointer`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${opsToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ releases, author: 'anna', reason: 'begin' }),
  });
  expect(begun.status).toBe(200);
});

test('as a process: output, streams and exit codes', async () => {
  const set = await composeAsProcess('set mfe-chat@1.4.0');
  expect(set).toMatchObject({ code: 0, stderr: '' });
  expect(set.stdout).toMatch(/mfe-chat 1\.0\.0 → 1\.4\.0\n.*rollback [0-9a-f]{8}\n$/s);
  const show = await composeAsProcess('show --json');
  expect(show).toMatchObject({ code: 0, stderr: '' });
  expect((JSON.parse(show.stdout) as PointerInfo).revision).toBe(2);

  const refused = await composeAsProcess('set mfe-chat@2.0.0 --json');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(JSON.parse(refused.stderr) as ErrorBody).toMatchObject({ code: 422, error: 'check_failed' });
  expect((await composeAsProcess('check mfe-chat@2.0.0')).code).toBe(1);

  const misused = await composeAsProcess('set', { LANG: 'zh_CN.UTF-8' });
  expect(misused).toMatchObject({ code: 2, stdout: '' });
  expect(misused.stderr).toContain('应至少写一个版本');
  const none = await composeAsProcess('show', { OPS_TOKEN: '' });
  expect(none).toMatchObject({ code: 3, stdout: '' });
  expect(none.stderr).toContain(join(folder, 'data', 'ops-token'));
  const help = await composeAsProcess('--help');
  expect(help).toMatchObject({ code: 0, stderr: '' });
  expect(help.stdout).toContain('First steps');
});

test('the first composition goes live on an empty server, and can then be shown', async () => {
  const { pointers, moves } = createCompositionStore(api.connection);
  await pointers.deleteMany({});
  await moves.deleteMany({});
  const nothing = await compose('show');
  expect(nothing).toMatchObject({ code: 1, stdout: '' });
  expect(nothing.stderr).toContain('compose -- set host@');
  const set = await compose('set host@1.0.0 mfe-auth@1.0.0 mfe-chat@1.0.0');
  expect(set).toMatchObject({ code: 0, stderr: '' });
  expect(set.stdout).toContain('mfe-chat 1.0.0 (new)');
});

test('show prints the live composition with author and reason, and how to roll back', async () => {
  await compose('set mfe-chat@1.4.0 --author bo --reason faster');
  const { code, stdout } = await compose('show');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Composition [0-9a-f]{64}\ncreated by bo at .*: faster\n/);
  expect(stdout).toMatch(/mfe-chat {2}1\.4\.0 +1\.0\.0 +\/chatbot\/releases\/mfe-chat\/1\.4\.0\//);
  expect(stdout).toMatch(/To go back: npm run compose -- rollback [0-9a-f]{8}/);
  expect(stdout).toContain('No canary is running.');

  const { composition, previous } = await json<PointerInfo>('show');
  const before = await json<CompositionInfo>(`show ${previous?.slice(0, 10)}`);
  expect(before).toMatchObject({ id: previous, author: 'anna', reason: 'begin' });
  const other = await compose(`show ${before.id}`);
  expect(other.stdout).toContain('Compared with the live composition: mfe-chat 1.4.0 → 1.0.0');
  expect((await compose(`show ${composition.id}`)).stdout).toContain('This composition is live.');
});

test('set prints the new live composition and how to roll back; repeating it changes nothing', async () => {
  const { code, stdout, stderr } = await compose('set mfe-chat@1.4.0 --reason faster');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Live: [0-9a-f]{8} → [0-9a-f]{8} \(revision 2\)\n {2}mfe-chat 1\.0\.0 → 1\.4\.0\n/);
  expect(stdout).toMatch(/To go back: npm run compose -- rollback [0-9a-f]{8}\n$/);
  expect(await liveChat()).toBe('1.4.0');
  const again = await compose('set mfe-chat@1.4.0');
  expect(again).toMatchObject({ code: 0, stdout: 'This is already live; nothing was changed.\n' });
});

test('a dry run prints what would change, and changes nothing', async () => {
  const { code, stdout } = await compose('set mfe-chat@1.4.0 --dry-run');
  expect(code).toBe(0);
  expect(stdout).toMatch(/mfe-chat 1\.0\.0 → 1\.4\.0\n\n✓ [0-9a-f]{8} can go live\nchecked: /);
  expect(await liveChat()).toBe('1.0.0');
});

test('rollback returns to the previous composition, or to any other by id', async () => {
  const first = (await json<PointerInfo>('show')).composition.id;
  await compose('set mfe-chat@1.4.0');
  const back = await compose('rollback');
  expect(back).toMatchObject({ code: 0, stderr: '' });
  expect(back.stdout).toContain('mfe-chat 1.4.0 → 1.0.0');
  const newer = (await json<PointerInfo>('show')).previous!;
  expect((await json<PointerInfo>(`rollback ${newer.slice(0, 8)}`)).composition.id).toBe(newer);
  expect((await json<PointerInfo>(`rollback ${first}`)).composition.id).toBe(first);
});

test('check and set refuse the same compositions, with remote, rule and advice', async () => {
  const check = await compose('check mfe-chat@2.0.0');
  expect(check).toMatchObject({ code: 1, stderr: '' });
  expect(check.stdout).toMatch(/✗ mfe-chat@2\.0\.0 {2}\[shared: shared libraries\]\n {4}.*20.*\n {4}→ /);
  const set = await compose('set mfe-chat@2.0.0');
  expect(set).toMatchObject({ code: 1, stdout: '' });
  expect(set.stderr).toMatch(/✗ mfe-chat@2\.0\.0 {2}\[shared: shared libraries\]/);
  expect(await liveChat()).toBe('1.0.0');

  const asJson = await compose('check mfe-chat@2.0.0 --json');
  expect(asJson.code).toBe(1);
  expect(JSON.parse(asJson.stdout) as CheckReport).toMatchObject({
    isFine: false,
    findings: [{ rule: 'shared', remote: 'mfe-chat' }],
  });
  expect((await json<CheckReport>('check mfe-chat@1.4.0')).isFine).toBe(true);
});

/** Reports events of the live composition's chat release, as its pages would. */
async function pagesTell(kind: 'load' | 'failure', count: number): Promise<void> {
  const { composition } = await json<PointerInfo>('show');
  const { version } = composition.remotes.find(({ name }) => name === 'mfe-chat')!;
  const about = { remote: 'mfe-chat', version };
  const failure = {
    ...about,
    kind,
    phase: 'load',
    expose: './screen',
    error: 'TypeError: x is not a function',
  };
  for (let page = 0; page < count; page++) {
    const { status } = await fetch(`${api.url}/ops/reports`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        page: `${kind}-page-${page}`,
        composition: composition.id,
        events: [kind === 'load' ? { ...about, kind, ms: 100 } : failure],
      }),
    });
    expect(status).toBe(204);
  }
}

test('show and list report a failing live release, and no working one', async () => {
  await pagesTell('load', 3);
  expect((await compose('show')).stdout).not.toContain('✗');
  await compose('set mfe-chat@1.4.0');
  await pagesTell('failure', 6);

  const show = await compose('show');
  expect(show.code).toBe(0);
  expect(show.stdout).toMatch(
    /✗ mfe-chat@1\.4\.0 fails: 6 failures and 0 loads in the last 60 min\n {2}TypeError: x is not a function/,
  );
  const list = await compose('list');
  expect(list.stdout).toMatch(/^live, failing +[0-9a-f]{8} /m);
  expect(list.stdout).toContain('✗ mfe-chat@1.4.0 fails');
  await api.connection.collection('health_counts').deleteMany({});
});

test('check and a dry run name the composition that set then makes live', async () => {
  const check = await json<CheckReport>('check mfe-chat@1.4.0');
  const dryRun = await json<CheckReport>('set mfe-chat@1.4.0 --dry-run --reason because --author bo');
  const { composition } = await json<PointerInfo>('set mfe-chat@1.4.0 --reason other --author cy');
  expect([check.composition, dryRun.composition]).toEqual([composition.id, composition.id]);
});

test('a remote without routes goes live with a warning', async () => {
  await publish({ name: 'mfe-tickets' });
  const expected = /⚠ mfe-tickets@1\.0\.0 declares no route, so no visitor can open it\n {4}→ Declare/;
  expect((await compose('check mfe-tickets@1.0.0')).stdout).toMatch(expected);
  expect((await compose('set mfe-tickets@1.0.0 --dry-run')).stdout).toMatch(expected);
  const set = await compose('set mfe-tickets@1.0.0');
  expect(set).toMatchObject({ code: 0, stdout: expect.stringMatching(expected) });
  // The warning appears once, and only for remotes that are not shown.
  expect((await compose('set mfe-chat@1.4.0')).stdout).not.toContain('⚠');
});

test('the printed command for the next page returns the next page', async () => {
  const first = await compose('releases mfe-chat --limit 2');
  const [, next = ''] = /npm run compose -- (.*)\n?$/.exec(first.stdout) ?? [];
  expect(next).toMatch(/^releases mfe-chat --limit 2 --cursor \S+$/);
  const second = await compose(next);
  expect(second).toMatchObject({ code: 0, stderr: '' });
  expect(second.stdout).toContain('mfe-chat@');
  await compose('set mfe-chat@1.4.0');
  for (const command of ['list', 'history']) {
    const page = await compose(`${command} --limit 1`);
    const [, more = ''] = /npm run compose -- (.*)\n?$/.exec(page.stdout) ?? [];
    expect(more).toMatch(new RegExp(`^${command} --limit 1 --cursor `));
    expect((await compose(more)).code).toBe(0);
  }
});

test('listing releases of a remote without any exits with 1, and builds with uncommitted changes are marked', async () => {
  expect(await compose('releases mfe-nope')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('No release of mfe-nope was found'),
  });
  const commit = `${'ab12cd34'.repeat(5)}-dirty`;
  await publish({ name: 'mfe-notes', manifest: { commit } });
  expect((await compose('releases mfe-notes')).stdout).toMatch(/ab12cd34-dirty/);
});

test('a single finding is reported in the singular', async () => {
  expect((await compose('check mfe-chat@2.0.0')).stdout).toMatch(/cannot go live, 1 finding:/);
});

test('list, history, diff and releases print their data', async () => {
  await compose('set mfe-chat@1.4.0 --reason faster --author bo');
  const list = await compose('list');
  expect(list.stdout).toMatch(/^live +[0-9a-f]{8} +\d+ s ago +bo +mfe-chat 1\.0\.0 → 1\.4\.0 +faster$/m);
  expect(list.stdout).toMatch(/^previous +[0-9a-f]{8} .* begin$/m);
  expect((await json<{ compositions: CompositionInfo[] }>('list')).compositions).toHaveLength(2);

  const history = await compose('history');
  expect(history.stdout).toMatch(
    /^ +2 .* set +[0-9a-f]{8} +ops \(bo\) +mfe-chat 1\.0\.0 → 1\.4\.0 +faster$/m,
  );
  const first = await json<{ moves: MoveInfo[]; nextCursor: string }>('history --limit 1');
  expect(first.moves).toMatchObject([{ revision: 2, kind: 'set' }]);
  const rest = await json<{ moves: MoveInfo[] }>(`history --cursor ${first.nextCursor}`);
  expect(rest.moves).toMatchObject([{ revision: 1 }]);

  const diff = await compose('diff');
  expect(diff.stdout).toMatch(/mfe-chat 1\.0\.0 → 1\.4\.0/);
  expect(diff.stdout).toContain('unchanged: host, mfe-auth');
  const difference = await json<CompositionDiff>('diff');
  const back = await json<CompositionDiff>(`diff ${difference.from}`);
  expect(back).toMatchObject({ from: difference.to, to: difference.from });

  const releases = await compose('releases mfe-chat');
  expect(releases.stdout).toMatch(/^live +mfe-chat@1\.4\.0 +\d+ \w+ ago +ops +1\.0\.0 +3 /m);
  const page = await json<{ releases: ReleaseSummary[] }>('releases');
  expect(page.releases.map(({ id }) => id)).toContain('host@1.0.0');
  expect(await json<ReleaseDetails>('releases mfe-chat@1.4.0')).toMatchObject({ id: 'mfe-chat@1.4.0' });
  expect((await compose('releases mfe-chat@1.4.0')).stdout).toContain('remoteEntry.dddd4444.js');
});

test('set --watch waits for the server, and exits with 1 if the composition was replaced', async () => {
  const watching = compose('set mfe-chat@1.4.0 --watch');
  await until(async () => (await liveChat()) === '1.4.0');
  expect((await compose('show')).stdout).toMatch(/Watched until .*; rolled back to [0-9a-f]{8} if it fails/);
  await compose('rollback --author bo --reason slow');
  const { code, stdout, stderr } = await watching;
  expect([code, stdout]).toEqual([
    1,
    expect.stringMatching(/^✗ bo replaced [0-9a-f]{8} by [0-9a-f]{8}: slow\n$/),
  ]);
  expect(stderr).toContain('This terminal may be closed');
});

test('a canary with steps shows its progress, is paused and resumed, and waits during a freeze', async () => {
  const begun = await compose('canary start mfe-chat@1.4.0 --steps 5,25,100 --every 10m --min-pages 30');
  expect(begun.stdout).toContain('Steps 5 %, 25 %, 100 %, each for at least 10m and 30 pages');
  const status = await compose('canary status');
  expect(status.stdout).toContain('Loaded in this step: mfe-chat in 0 pages');
  expect(status.stdout).toMatch(/Next step: 25 %, at (?:\d{4}-\d\d-\d\d )?\d\d:\d\d at the earliest/);
  expect((await compose('canary pause mfe-chat --author bo --reason lunch')).stdout).toMatch(
    /Paused by bo .*: lunch/,
  );
  expect((await compose('canary status')).stdout).toContain('after canary resume');
  expect((await compose('canary resume')).code).toBe(0);

  const frozen = await compose('freeze --until 36h --reason holidays --author anna');
  expect(frozen.stdout).toMatch(/^Frozen until .* by anna: holidays/);
  expect((await compose('canary status')).stdout).toContain('when changes are no longer frozen');
  const refused = await compose('set mfe-chat@1.4.0');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/frozen by anna until .*holidays/),
  ]);
  expect((await compose('rollback --force')).code).not.toBe(3);
  const { revision } = await json<PointerInfo>('unfreeze');
  expect((await compose(`canary abort --if-revision ${revision - 1}`)).code).toBe(1);
  expect((await compose(`canary abort --if-revision ${revision}`)).code).toBe(0);
});

test('health shows every release, and webhooks are added, listed and removed', async () => {
  const health = await compose('health');
  expect([health.code, health.stdout]).toEqual([0, expect.stringContaining('No page has reported.')]);
  const refused = await compose('webhooks add http://127.0.0.1:1/hook');
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('WEBHOOK_ORIGINS')]);
  const added = await compose('webhooks add https://hooks.example/desk --events canary.halt');
  expect(added.stdout).toMatch(/whsec_[\w+/]{43}=/);
  const list = await compose('webhooks list');
  expect(list.stdout).toMatch(/https:\/\/hooks\.example\/desk +canary\.halt/);
  const id = /^[0-9a-f]{12}/m.exec(list.stdout)![0];
  expect((await compose(`webhooks remove ${id}`)).code).toBe(0);
  expect((await compose('webhooks list')).stdout).toContain('There are no webhooks.');
  expect((await compose('webhooks deliveries')).code).toBe(0);
});

test('a canary starts, grows, and is promoted or aborted', async () => {
  const none = await compose('canary abort');
  expect(none).toMatchObject({ code: 1, stdout: '' });
  expect(none.stderr).toContain('canary start');
  const liveSince = async () => /revision \d+/.exec((await compose('show')).stdout)?.[0];
  const since = await liveSince();
  const begun = await compose('canary start mfe-chat@1.4.0 --share 10 --reason try');
  expect(begun).toMatchObject({ code: 0, stderr: '' });
  expect(begun.stdout).toMatch(/^Canary [0-9a-f]{8} for 10 % of visitors: mfe-chat 1\.0\.0 → 1\.4\.0/);
  expect((await json<PointerInfo>('canary share 15%')).canary?.share).toBe(15);
  expect((await json<PointerInfo>('canary share 12.5')).canary?.share).toBe(12.5);
  expect(await liveSince()).toBe(since);
  const status = await compose('canary status');
  expect(status.stdout).toMatch(/12\.5 % of visitors.*LOADS.*mfe-chat@1\.0\.0 +0.*mfe-chat@1\.4\.0 +0/s);
  expect(await liveChat()).toBe('1.0.0');
  expect((await compose('canary abort')).stdout).toContain('The canary has ended');
  await compose('canary start mfe-chat@1.4.0 --share 10');
  expect((await compose('canary promote')).stdout).toContain('mfe-chat 1.0.0 → 1.4.0');
  expect(await liveChat()).toBe('1.4.0');
  await compose('canary start mfe-chat@1.0.0 --share 10');
  expect((await compose('rollback')).stdout).toMatch(/The canary [0-9a-f]{8} ended as well\./);
});

test('an override is a link for one browser', async () => {
  const { code, stdout } = await compose(
    'override mfe-chat http://127.0.0.1:3002/remoteEntry.js --minutes 5',
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/chatbot\/override\/\S+\n/);
  const { composition } = await json<PointerInfo>('show');
  const link = await json<OverrideLink>(`override --composition ${composition.id.slice(0, 8)}`);
  expect(Date.parse(link.expiresAt) - Date.now()).toBeGreaterThan(59 * 60_000);
  const elsewhere = await compose('override mfe-chat http://evil.example/remoteEntry.js');
  expect(elsewhere).toMatchObject({ code: 2, stdout: '' });
  expect(elsewhere.stderr).toContain('RELEASE_ORIGINS');
});

test('invalid usage has its own exit code', async () => {
  for (const args of ['', 'show --colour', 'canary start mfe-chat@1.4.0'])
    expect({ args, ...(await compose(args)) }).toMatchObject({ code: 2, stdout: '' });
});

test('an unknown name is reported with similar ones', async () => {
  const remote = await compose('set mfe-chta@1.4.0');
  expect(remote.code).toBe(2);
  expect(remote.stderr).toContain('Did you mean mfe-chat');
  const version = await compose('check mfe-chat@1.4.1');
  expect(version.code).toBe(2);
  expect(version.stderr).toMatch(
    /mfe-chat@1\.4\.1 does not exist\. The newest of mfe-chat:\n.*\n +mfe-chat@1\.4\.0 /,
  );
  const composition = await compose('rollback abcdef');
  expect(composition.code).toBe(2);
  expect(composition.stderr).toContain('abcdef');
});

test('an unreachable server and an invalid token are reported with their origin', async () => {
  const nobody = await compose('show --server http://127.0.0.1:1');
  expect(nobody).toMatchObject({ code: 3, stdout: '' });
  expect(nobody.stderr).toMatch(/http:\/\/127\.0\.0\.1:1 does not answer \(.+\).*--server.*DESK_URL/s);
  const none = await compose('show', { OPS_TOKEN: '', DATA_DIR: join(folder, 'elsewhere') });
  expect(none).toMatchObject({ code: 3, stdout: '' });
  expect(none.stderr).toContain(join(folder, 'elsewhere', 'ops-token'));
  const wrong = await compose('set mfe-chat@1.4.0 --token not-the-right-one');
  expect(wrong).toMatchObject({ code: 3, stdout: '' });
  expect(wrong.stderr).toMatch(/rejected the token from --token/);
  const release = await compose('set mfe-chat@1.4.0', { OPS_TOKEN: chatToken });
  expect(release.code).toBe(3);
  expect(release.stderr).toMatch(
    /scope compose:production\nThe token came from OPS_TOKEN\. To see what scopes permit/,
  );
  expect(await liveChat()).toBe('1.0.0');
});

test('a concurrent move of another remote is combined with the change', async () => {
  await publish({ name: 'mfe-auth', version: '1.2.0' });
  const between = await startProxy(async () => {
    await compose('set mfe-auth@1.2.0 --author bo --reason first');
  });
  try {
    const late = await compose(`set mfe-chat@1.4.0 --server ${between.url}`);
    expect(late).toMatchObject({ code: 0, stderr: '' });
    expect(late.stdout).toContain('mfe-chat 1.0.0 → 1.4.0');
    expect(late.stdout).not.toContain('mfe-auth');
    expect((await compose('show')).stdout).toMatch(/mfe-auth\s+1\.2\.0/);
  } finally {
    between.server.close();
  }
});

test('a concurrent move of the pointer is reported with its author, and nothing is changed', async () => {
  const between = await startProxy(async () => {
    await compose('set mfe-chat@1.4.0 --author bo --reason first');
  });
  try {
    const late = await compose(`set mfe-auth@1.0.0 --without mfe-chat --server ${between.url}`);
    expect(late).toMatchObject({ code: 1, stdout: '' });
    expect(late.stderr).toMatch(
      /by bo [^(]*\(set\): mfe-chat 1\.0\.0 → 1\.4\.0\. Composition [0-9a-f]{8} is live now/,
    );
    expect(late.stderr).toContain('repeat the command');
  } finally {
    between.server.close();
  }
  expect(await liveChat()).toBe('1.4.0');
});

test('help is in the language of the terminal, and sufficient to get started', async () => {
  const help = await compose('--help');
  expect(help).toMatchObject({ code: 0, stderr: '' });
  for (const expected of ['First steps', 'OPS_TOKEN', 'Exit codes', 'canary start', '--dry-run', 'rollback'])
    expect(help.stdout).toContain(expected);
  const inChinese = await compose('--help', { LANG: 'zh_CN.UTF-8' });
  expect(inChinese.stdout).toContain('第一次使用');
  expect((await compose('set --help --lang zh')).stdout).toContain('用法：');
  expect((await compose('set mfe-chat@2.0.0 --lang zh')).stderr).toMatch(
    /检查未通过.*\n\n✗ mfe-chat@2\.0\.0/,
  );
});

/** A proxy in front of the server that runs `before` ahead of the first change. */
async function startProxy(before: () => Promise<void>): Promise<{ url: string; server: Server }> {
  let isDone = false;
  const server = createServer(async (request, response) => {
    if (request.method === 'POST' && !isDone) {
      isDone = true;
      await before();
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const answer = await fetch(api.url + request.url, {
      method: request.method ?? 'GET',
      headers: {
        Authorization: request.headers.authorization ?? '',
        'Accept-Language': 'en',
        'Content-Type': 'application/json',
      },
      ...(body.length > 0 ? { body } : {}),
    });
    response.writeHead(answer.status, { 'Content-Type': 'application/json' });
    response.end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
