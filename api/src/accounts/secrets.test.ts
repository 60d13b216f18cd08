import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { createSettingModel, type SettingModel } from '../store/setting.ts';
import { openTestDatabase, removeTestData, type TestDatabase } from '../testing/test-database.ts';
import { loadOpsToken } from './secrets.ts';

let folder: string;
let database: TestDatabase;
let connection: mongoose.Connection;
let settings: SettingModel;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-'));
  database = await openTestDatabase(join(folder, 'store'));
  connection = await mongoose.createConnection(database.uri).asPromise();
  settings = createSettingModel(connection);
});
afterEach(async () => {
  await connection.close();
  await database.close();
  await removeTestData(join(folder, 'store'));
  await rm(folder, { recursive: true, force: true });
});

const dataDir = (name: string) => join(folder, name);
const load = (name: string, opsToken: string | null = null) =>
  loadOpsToken({ opsToken, dataDir: dataDir(name) }, settings);
const written = (name: string) => readFile(join(dataDir(name), 'ops-token'), 'utf8');

test('processes on one store have one ops token, and each writes it where the command line looks for it', async () => {
  const tokens = await Promise.all(['one', 'two', 'three'].map((name) => load(name)));
  expect(tokens[0]).toMatch(/^[\w-]{43}$/);
  expect(new Set(tokens).size).toBe(1);
  for (const name of ['one', 'two', 'three']) {
    expect(await written(name)).toBe(`${tokens[0]}\n`);
    expect((await stat(join(dataDir(name), 'ops-token'))).mode & 0o777).toBe(0o600);
  }
  expect(await load('one')).toBe(tokens[0]);
});

test('an existing token file becomes the shared token, and replaces those of other processes', async () => {
  await load('other').then(() => settings.deleteMany({}));
  await load('one').then(() => settings.deleteMany({}));
  await writeFile(join(dataDir('one'), 'ops-token'), 'a-token-of-before\n');

  expect(await load('one')).toBe('a-token-of-before');
  expect(await load('other')).toBe('a-token-of-before');
  expect(await written('other')).toBe('a-token-of-before\n');
});

test('a configured token takes precedence and is not stored', async () => {
  expect(await load('one', 'a-configured-token')).toBe('a-configured-token');
  expect(await settings.countDocuments({})).toBe(0);
  await expect(written('one')).rejects.toThrow('ENOENT');
});
