import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { type SettingModel, settingModel } from '../../store/setting.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openTestDatabase, removeTestData, type TestDatabase } from '../../testing/test-database.ts';
import { endConfigured, registerOpsToken, renewConfigured } from './open-tokens.ts';
import { createTokenModel, createTokens, type TokenModel, type Tokens } from './tokens.ts';

let folder: string;
let database: TestDatabase;
let connection: mongoose.Connection;
let settings: SettingModel;
let model: TokenModel;
let warnings: number;
/** Added to the time, in ms. */
let later: number;

beforeEach(async () => {
  folder = await temporaryFolder('ops-token');
  database = await openTestDatabase(join(folder, 'store'));
  connection = await mongoose.createConnection(database.uri).asPromise();
  settings = settingModel.create(connection);
  model = createTokenModel(connection);
  await model.createIndexes();
  warnings = 0;
  later = 0;
});
afterEach(async () => {
  await connection.close();
  await database.close();
  await removeTestData(join(folder, 'store'));
  await rm(folder, { recursive: true, force: true });
});

const now = () => new Date(Date.now() + later);
const dataDir = (name: string) => join(folder, name);
const path = (name: string) => join(dataDir(name), 'ops-token');
const written = async (name: string) => (await readFile(path(name), 'utf8')).trim();
/** What one process has, with its own DATA_DIR. */
const processOf = (name: string, opsToken: string | null = null, isAlone = false) => ({
  model,
  settings,
  config: { opsToken, dataDir: dataDir(name) },
  key: Buffer.from('the key of all processes'),
  isAlone,
  log: { info: () => undefined, warn: () => void warnings++ },
  now,
});
const start = (...of: Parameters<typeof processOf>) => registerOpsToken(processOf(...of));
const tokensOf = (configured: string | null = null): Tokens =>
  createTokens({ model, settings, configured, now });
const isValid = async (token: string, configured: string | null = null) =>
  (await tokensOf(configured).find(token))?.scopes.includes('admin') ?? false;
const createAdmin = (name: string) => tokensOf().create({ name, scopes: ['admin'], expiresAt: null }, 'ops');

test('processes on one store have one ops token, and each writes it where the command line looks for it', async () => {
  await Promise.all(['one', 'two', 'three'].map((name) => start(name)));
  const token = await written('one');
  expect(token).toMatch(/^desk_[0-9a-f]{64}$/);
  for (const name of ['one', 'two', 'three']) {
    expect(await written(name)).toBe(token);
    expect((await stat(path(name))).mode & 0o777).toBe(0o600);
  }
  expect(await isValid(token)).toBe(true);
  await start('one');
  expect(await written('one')).toBe(token);
  expect(await model.find().lean()).toMatchObject([{ name: 'ops', scopes: ['admin'], createdBy: 'start' }]);
});

test('the store does not contain the token', async () => {
  await start('one');
  await start('one', 'a-configured-token');
  const stored = JSON.stringify([await model.find().lean(), await settings.find().lean()]);
  expect(stored).not.toContain(await written('one'));
  expect(stored).not.toContain('a-configured-token');
});

test('an existing token file becomes the first token, and other processes get another', async () => {
  await start('other').then(() => model.deleteMany({}));
  const earlier = 'a-token-of-before';
  await start('one').then(() => model.deleteMany({}));
  await writeFile(path('one'), `${earlier}\n`);

  await start('one');
  await start('other');
  expect(await written('one')).toBe(earlier);
  expect(await isValid(earlier)).toBe(true);
  expect(await isValid(await written('other'))).toBe(true);
});

test('the token that an earlier version stored stays valid, and is stored as its hash', async () => {
  await settings.create({ _id: 'ops_token', value: 'a-token-of-an-earlier-version' });
  await start('one');
  await start('one');
  expect(await written('one')).toBe('a-token-of-an-earlier-version');
  expect(await isValid('a-token-of-an-earlier-version')).toBe(true);
  expect(await settings.countDocuments({})).toBe(0);
});

test('a token file of another store is replaced', async () => {
  await start('one');
  await start('two');
  await writeFile(path('two'), 'a-token-of-another-store\n');
  await start('two');
  expect(await written('two')).toBe(await written('one'));
  expect(await isValid('a-token-of-another-store')).toBe(false);
});

test('a revoked ops token stays revoked after a restart', async () => {
  await start('one');
  const token = await written('one');
  await createAdmin('zhang');
  await tokensOf().revoke('ops', 'zhang');
  await start('one');
  await start('two');
  expect(warnings).toBe(2);
  expect(await isValid(token)).toBe(false);
  await expect(written('two')).rejects.toThrow('ENOENT');
  expect(await model.countDocuments({})).toBe(2);
});

test('a start provides a new token if no admin token is left', async () => {
  await start('one');
  const token = await written('one');
  await model.updateMany({}, { $set: { revokedAt: now() } });
  await start('one');
  expect(await written('one')).not.toBe(token);
  expect(await isValid(await written('one'))).toBe(true);
});

test('OPS_TOKEN takes precedence, is not written, and is valid in every process', async () => {
  await start('one', 'a-configured-token');
  await start('two', 'the-token-of-another-process');
  for (const token of ['a-configured-token', 'the-token-of-another-process'])
    expect(await isValid(token)).toBe(true);
  await expect(written('one')).rejects.toThrow('ENOENT');
});

test('the name ops belongs to the token that is used', async () => {
  const nameOf = async (token: string) => (await tokensOf().find(token))?.name;
  await start('one');
  await start('one', 'a-configured-token');
  expect(await nameOf('a-configured-token')).toBe('ops');
  expect(await nameOf(await written('one'))).toMatch(/^ops-[0-9a-f]{12}$/);
  await start('one', 'the-next-configured-token');
  expect(await nameOf('the-next-configured-token')).toMatch(/^ops-[0-9a-f]{12}$/);
  expect(await nameOf('a-configured-token')).toBe('ops');
});

test('OPS_TOKEN stays valid while a process has it, and ends soon after the last one', async () => {
  const running = processOf('one', 'a-configured-token');
  await registerOpsToken(running);
  for (let round = 0; round < 3; round++) {
    later += 60_000;
    await renewConfigured(running);
    expect(await isValid('a-configured-token')).toBe(true);
  }
  later += 180_000;
  expect(await isValid('a-configured-token')).toBe(false);
  expect(await isValid('a-configured-token', 'a-configured-token')).toBe(true);
  await start('one', 'a-configured-token');
  expect(await isValid('a-configured-token')).toBe(true);
  await endConfigured(running);
  expect(await isValid('a-configured-token')).toBe(false);
});

test('with a store for one process a changed OPS_TOKEN replaces the earlier one at once', async () => {
  await start('one', 'a-configured-token', true);
  await start('one', 'the-next-configured-token', true);
  expect(await isValid('a-configured-token')).toBe(false);
  expect(await isValid('the-next-configured-token')).toBe(true);
});

test('a revoked OPS_TOKEN is not valid, and the log says so', async () => {
  await start('one', 'a-configured-token');
  await createAdmin('zhang');
  await tokensOf().revoke('ops', 'zhang');
  await start('one', 'a-configured-token');
  expect(warnings).toBe(1);
  expect(await isValid('a-configured-token', 'a-configured-token')).toBe(false);
});
