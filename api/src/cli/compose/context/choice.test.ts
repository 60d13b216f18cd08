import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createSay } from '../../../i18n/texts-of.ts';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import { serverOf } from '../../desk-settings.ts';
import { CommandFailure } from '../../failure.ts';
import { languageOf } from '../../program.ts';
import { formatChoice, readChoice, readCompositionId } from './command-context.ts';
import { authorOf, tokenOf } from './ops-client.ts';

const say = createSay('cli-compose', 'en');
const local = 'http://127.0.0.1:8080';

test('releases or a single composition are valid choices', () => {
  expect(readChoice(['mfe-chat@1.4.0', 'host@2.0.0+0a1b2c3d'], [], say)).toEqual({
    releases: ['mfe-chat@1.4.0', 'host@2.0.0+0a1b2c3d'],
  });
  expect(readChoice([], ['mfe-old'], say)).toEqual({ releases: [], without: ['mfe-old'] });
  expect(readChoice(['4f2a91c0'], [], say)).toEqual({ composition: '4f2a91c0' });
  expect(formatChoice(readChoice(['mfe-chat@1.4.0'], ['mfe-old'], say))).toBe(
    'mfe-chat@1.4.0 --without mfe-old',
  );
});

test.each([
  [[], [], /at least one release/],
  [['mfe-chat'], [], /name@version.*got "mfe-chat"/s],
  [['4f2a'], [], /got "4f2a"/],
  [['4f2a91c0', 'mfe-chat@1.0.0'], [], /cannot be combined with anything else/],
  [['mfe-chat@1.0.0', 'mfe-chat@2.0.0'], [], /mfe-chat is given twice/],
  [['mfe-chat@1.0.0'], ['mfe-chat'], /mfe-chat is given twice/],
])('%j without %j reports what was expected', (named, without, expected) => {
  expect(() => readChoice(named, without, say)).toThrow(expected);
  expect(() => readChoice(named, without, say)).toThrow(CommandFailure);
});

test('a composition id has 6 to 64 digits', () => {
  expect(readCompositionId('4f2a91', say)).toBe('4f2a91');
  expect(() => readCompositionId('latest', say)).toThrow(/got "latest"/);
});

test('the server comes from the option, then the environment, then defaults to this machine', () => {
  const env = { DESK_URL: 'https://desk.example/chatbot/', PORT: '9000' };
  expect(serverOf({ server: 'http://127.0.0.1:8081/' }, env, say)).toBe('http://127.0.0.1:8081');
  expect(serverOf({}, env, say)).toBe('https://desk.example');
  expect(serverOf({}, { PORT: '9000' }, say)).toBe('http://127.0.0.1:9000');
  expect(serverOf({}, {}, say)).toBe('http://127.0.0.1:8080');
  expect(() => serverOf({ server: 'desk' }, {}, say)).toThrow(/--server must give .* got "desk"/);
  expect(() => serverOf({}, { DESK_URL: 'ftp://desk' }, say)).toThrow(/DESK_URL must give/);
});

test('the token comes from the option, then OPS_TOKEN, then a file; if missing, all three are named', async () => {
  expect((await tokenOf(local, { token: ' a ' }, { OPS_TOKEN: 'b' }, say)).value).toBe('a');
  expect((await tokenOf(local, {}, { OPS_TOKEN: 'b' }, say)).value).toBe('b');
  const failure = await tokenOf(local, {}, { DATA_DIR: '/nowhere/at/all' }, say).catch((cause) => cause);
  expect(failure).toMatchObject({ exitCode: 3 });
  expect(failure.message).toMatch(
    /--token, OPS_TOKEN, and the file \/nowhere\/at\/all\/ops-token \(not there\)/,
  );
});

test('the token file of a local server is sent to no other server', async () => {
  const folder = await temporaryFolder('ops-token');
  await writeFile(join(folder, 'ops-token'), 'the-token-of-this-machine\n');
  const env = { DATA_DIR: folder };
  expect((await tokenOf(local, {}, env, say)).value).toBe('the-token-of-this-machine');
  await expect(tokenOf('https://desk.example', {}, env, say)).rejects.toThrow(
    /only used for a desk on this machine/,
  );
  await rm(folder, { recursive: true });
});

test('the author is the option, or the user of this machine', () => {
  expect(authorOf({ author: ' Anna ' }, {})).toBe('Anna');
  expect(authorOf({}, {})).not.toBe('');
  expect(authorOf({ author: 'x'.repeat(200) }, {})).toHaveLength(100);
});

test.each([
  [['list'], {}, 'en'],
  [['list'], { LANG: 'zh_CN.UTF-8' }, 'zh'],
  [['list'], { LANG: 'zh_CN.UTF-8', LC_ALL: 'C' }, 'en'],
  [['list', '--lang', 'zh'], {}, 'zh'],
  [['--lang=en', 'list'], { LANG: 'zh_CN.UTF-8' }, 'en'],
])('%j with %j is reported in %s', (argv, env, language) => {
  expect(languageOf(argv, env)).toBe(language);
});
