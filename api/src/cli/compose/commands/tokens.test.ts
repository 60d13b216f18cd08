import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { CreatedToken } from '../../../contract/tokens.ts';
import { type CanaryServer, opsToken, startCanaryServer } from '../../../testing/canary-server.ts';
import { runCompose } from '../run-compose.ts';

let desk: CanaryServer;
beforeAll(async () => {
  desk = await startCanaryServer();
});
afterAll(() => desk?.end());

async function compose(command: string, token = opsToken) {
  let [out, err] = ['', ''];
  const code = await runCompose({
    argv: [...command.split(' '), '--server', desk.url(), '--lang', 'en'],
    env: { OPS_TOKEN: token },
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    now: () => new Date(),
  });
  return { code, out, err };
}

test('a token is created, used, listed and revoked', async () => {
  const created = await compose('tokens create li --scope compose:production,read --expires 90d');
  expect(created).toMatchObject({ code: 0, err: '' });
  const [token = ''] = created.out.split('\n');
  expect(token).toMatch(/^desk_[0-9a-f]{64}$/);
  expect(created.out).toContain('Created the token li with the scopes compose:production, read.');

  expect(await compose('set mfe-chat@1.1.0 --author wang', token)).toMatchObject({ code: 0 });
  expect(await compose('set mfe-chat@1.2.0 --author li', token)).toMatchObject({ code: 0 });
  const history = (await compose('history', token)).out.split('\n');
  expect(history[1]).toContain('  li  ');
  expect(history[2]).toContain('li (wang)');

  const listed = (await compose('tokens list')).out;
  expect(listed).toMatch(/li +compose:production read +active .* ops /);
  expect(listed).not.toContain(token);
  expect(await compose('tokens revoke li')).toMatchObject({
    code: 0,
    out: expect.stringContaining('Revoked the token li'),
  });
  expect(await compose('show', token)).toMatchObject({
    code: 3,
    err: expect.stringContaining('rejected the token'),
  });
  expect((await compose('tokens list')).out).toContain('revoked by ops');
});

test('with --json the output is that of the API', async () => {
  const { out } = await compose('tokens create ci --scope release:mfe-chat --scope preview --json');
  const { token, scopes } = JSON.parse(out) as CreatedToken;
  expect(scopes).toEqual(['preview', 'release:mfe-chat']);
  expect(await compose('tokens list', token)).toMatchObject({
    code: 3,
    err: expect.stringContaining('does not have the required scope admin'),
  });
  expect(await compose('set mfe-chat@1.1.0', token)).toMatchObject({
    code: 3,
    err: expect.stringContaining('compose:production'),
  });
});

test.each([
  ['tokens create', 2, '--scope <scope> is required'],
  ['tokens create ci2', 2, '--scope'],
  ['tokens create Zhang --scope read', 2, 'must be 1–64 lower-case letters'],
  ['tokens create ci2 --scope root', 2, 'got "root"'],
  ['tokens create ci2 --scope read, --expires 90d', 2, 'got ""'],
  ['tokens create ci2 --scope read --expires soon', 2, 'at most 3650d, got "soon"'],
  ['tokens create ops --scope read', 1, 'There is, or was, a token with this name'],
  ['tokens revoke nobody', 2, 'There is no such token'],
  ['tokens revoke ops', 1, 'the last admin token that does not expire'],
  ['tokens', 2, 'create'],
])('%s exits with %i', async (command, code, message) => {
  const result = await compose(command);
  expect(result.code).toBe(code);
  expect(result.out + result.err).toContain(message);
});

test('a change that needs two tokens is requested, listed, approved and rejected', async () => {
  const strict = await startCanaryServer({ productionApprovals: 2 });
  const first = desk;
  desk = strict;
  try {
    const token = JSON.parse((await compose('tokens create li --scope compose:production --json')).out)
      .token as string;
    expect(await compose('changes')).toMatchObject({ code: 0, out: 'No change waits for approval.\n' });
    const requested = await compose('set mfe-chat@1.1.0 --author wang', token);
    expect(requested).toMatchObject({ code: 4, err: '' });
    const [, id = ''] = /compose -- approve ([0-9a-f]{8})/.exec(requested.out) ?? [];
    expect(requested.out).toContain('Nothing was changed yet');
    expect((await compose('changes')).out).toMatch(
      new RegExp(`${id}  waiting .* set +mfe-chat@1.1.0 +li \\(wang\\)`),
    );
    expect(await compose(`approve ${id}`, token)).toMatchObject({
      code: 3,
      err: expect.stringContaining('another token has to approve it'),
    });
    const approved = await compose(`approve ${id}`);
    expect(approved).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Approved the change ${id}.\nLive: `),
    });
    expect((await compose('history')).out).toContain('li + ops (wang)');
    expect(await compose(`approve ${id}`)).toMatchObject({
      code: 1,
      err: expect.stringContaining('no longer waits for approval\nTo list pending changes'),
    });
    expect(await compose('reject 00000000')).toMatchObject({ code: 2 });
    const { change } = JSON.parse((await compose('set mfe-chat@1.2.0 --json', token)).out);
    expect(change).toMatchObject({ state: 'waiting', token: 'li' });
    expect(await compose(`reject ${change.id}`, token)).toMatchObject({ code: 0 });
    expect((await compose('rollback', token)).out).toContain('Live: ');
  } finally {
    desk = first;
    await strict.end();
  }
});
