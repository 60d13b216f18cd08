import { expect, test } from '@jest/globals';
import { runCompose } from './run-compose.ts';

/** Runs a command that fails before it contacts a server; none is running. */
async function run(args: string[], env: Record<string, string> = {}) {
  let stdout = '';
  let stderr = '';
  const code = await runCompose({
    argv: args,
    env: { DESK_URL: 'http://127.0.0.1:1', OPS_TOKEN: 'the-token-of-operations', ...env },
    out: (text) => {
      stdout += text;
    },
    err: (text) => {
      stderr += text;
    },
    now: () => new Date(),
  });
  return { code, stdout, stderr };
}

test.each([
  ['', /Usage: compose/],
  ['frobnicate', /no command frobnicate/],
  ['hystory', /no command hystory\n\(Did you mean history\?\)/],
  ['show --colour', /no option --colour/],
  ['show a b', /too many arguments/],
  ['set', /at least one release/],
  ['set mfe-chat', /name@version.*got "mfe-chat"/],
  ['set mfe-chat@1.0.0 mfe-chat@1.1.0', /mfe-chat is given twice/],
  ['canary', /Usage: compose canary/],
  ['canary start mfe-chat@1.4.0', /--share/],
  ['canary start mfe-chat@1.4.0 --share 101', /--share must be 0–100, got "101"/],
  ['canary start mfe-chat@1.4.0 --steps 1,100', /--steps also requires --every/],
  ['canary start mfe-chat@1.4.0 --steps 25,5 --every 10m', /increasing percentages.*got "25,5"/],
  ['canary start mfe-chat@1.4.0 --steps 100 --every 10m', /the first below 100.*got "100"/],
  ['canary start mfe-chat@1.4.0 --steps 1,5 --every 10', /--every must be a duration.*got "10"/],
  ['canary start mfe-chat@1.4.0 --steps 1,5 --every 31d', /at most 30d/],
  ['canary start mfe-chat@1.4.0 --steps 1,5 --every 1m --share 5', /cannot be combined/],
  ['canary start mfe-chat@1.4.0 --share 5 --every 1m', /--every requires --steps/],
  ['set mfe-chat@1.4.0 --if-revision -1', /--if-revision must be 0–999999999, got "-1"/],
  ['freeze --reason x', /--until <time> is required/],
  ['freeze --until 36h', /--reason <text> is required/],
  ['freeze --until 2020-01-01 --reason x', /--until must be a time in the future.*got "2020-01-01"/],
  ['freeze --until tomorrow --reason x', /got "tomorrow"/],
  ['pin mfe-chat', /--reason <text> is required/],
  ['health --minutes 4', /--minutes must be 5–10080, got "4"/],
  ['webhooks', /Usage: compose webhooks/],
  ['webhooks add https://x.example --events canary.stop', /there is no event "canary.stop".*canary\.halt/],
  ['canary share', /percent/],
  ['canary share half', /got "half"/],
  ['list --limit 0', /--limit must be 1–100, got "0"/],
  ['list --limit', /--limit/],
  ['override', /a remote and the address/],
  ['override mfe-chat', /a remote and the address/],
  ['override mfe-chat localhost', /got "localhost"/],
  ['override mfe-chat http://127.0.0.1:3002/e.js --composition 4f2a91c0', /--composition alone/],
  ['override mfe-chat http://127.0.0.1:3002/e.js --minutes 481', /--minutes must be 1–480, got "481"/],
  ['diff latest', /got "latest"/],
  ['rollback mfe-chat@1.0.0', /got "mfe-chat@1.0.0"/],
  ['show --server desk', /--server must give/],
  ['show --lang fr', /--lang must be zh or en, got "fr"/],
  ['', /First steps:[\s\S]*Exit codes:/],
  ['canary start mfe-chat@1.4.0', /--share <percent> is required\n.*-- canary start --help/],
  ['canary strat', /no command strat\n\(Did you mean start\?\)\n.*-- canary --help/],
  ['--author Anna list --limit 0', /-- list --help/],
])('"%s" is invalid usage, and the message says what was expected', async (args, expected) => {
  const { code, stdout, stderr } = await run(args.split(' ').filter(Boolean));
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(expected);
});

test.each([
  ['frobnicate', /没有命令 frobnicate/],
  ['set', /应至少写一个版本/],
  ['list --limit 0', /^--limit 应是 1–100/],
  ['canary share half', /^percent 应是 0–100/],
  ['hystory', /（是否想写 history？）\n用法：/],
  ['canary start mfe-chat@1.4.0', /必须给出选项 --share/],
  ['show', /127\.0\.0\.1:1 没有回应/],
])('"%s" is reported in Chinese on a Chinese terminal', async (args, expected) => {
  expect((await run(args.split(' '), { LANG: 'zh_CN.UTF-8' })).stderr).toMatch(expected);
});

test('with --json errors are JSON too, on stderr only', async () => {
  const { code, stdout, stderr } = await run(['show', '--json']);
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(JSON.parse(stderr)).toMatchObject({ error: 'unavailable' });
});

test.each(['show --colour', 'hystory', 'list --limit 0', 'set', 'diff latest'])(
  'with --json "%s" is reported as JSON, too',
  async (args) => {
    const { code, stderr } = await run([...args.split(' '), '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toEqual({ msg: expect.any(String), error: 'invalid_request' });
  },
);

test.each(['two\nlines-of-a-token', '密码密码密码密码', 'a token of words'])(
  'a token that cannot be sent in a header is not printed: %j',
  async (token) => {
    const { code, stdout, stderr } = await run(['show'], { OPS_TOKEN: token });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^The token from OPS_TOKEN contains/);
    expect(stderr).not.toContain(token.slice(0, 3));
  },
);

test.each(['list', 'show', 'releases', 'check', 'set', 'diff', 'rollback', 'history', 'override'])(
  '%s prints help without a server',
  async (command) => {
    const { code, stdout, stderr } = await run([command, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: compose ${command}`);
    expect(stdout).toContain('Options of every command:');
  },
);
