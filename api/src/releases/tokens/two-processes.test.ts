import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import type { ErrorBody } from '../../contract/error-body.ts';
import type { ReleaseClaim } from '../../contract/releases.ts';
import type { CreatedToken } from '../../contract/tokens.ts';
import { createScriptedAnswerer } from '../../testing/scripted-answerer.ts';
import { startTestApi, type TestApi } from '../../testing/start-test-api.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openTestDatabase, removeTestData } from '../../testing/test-database.ts';
import { createVisitor } from '../../testing/visitor.ts';
import { writeTestBuild } from '../../testing/write-test-build.ts';
import { readBuildToSend } from '../publish/read-build.ts';

const folder = await temporaryFolder('two-processes');
const database = await openTestDatabase(join(folder, 'store'));
const start = (name: string) =>
  startTestApi({
    answerer: createScriptedAnswerer(),
    dataDir: join(folder, name),
    config: { mongodbUri: database.uri, dataDir: join(folder, name) },
  });
const first = await start('first');
const second = await start('second');
afterAll(async () => {
  await first?.end();
  await second?.end();
  await database?.close();
  await removeTestData(join(folder, 'store'));
  await rm(folder, { recursive: true, force: true });
});

const call = <T>(api: TestApi, token: string, method: string, path: string, body?: object) =>
  createVisitor(api.url).call<T & ErrorBody>(method, `/ops/${path}`, body, {
    Authorization: `Bearer ${token}`,
  });
const opsTokenOf = async ({ dataDir }: TestApi) =>
  (await readFile(join(dataDir, 'ops-token'), 'utf8')).trim();

test('the ops token of one process is valid in the other', async () => {
  const token = await opsTokenOf(first);
  expect(await opsTokenOf(second)).toBe(token);
  for (const api of [first, second]) expect((await call(api, token, 'GET', 'tokens')).status).toBe(200);
});

test('a token that is revoked during an upload to another process stops the upload', async () => {
  const ops = await opsTokenOf(first);
  const wanted = { name: 'ci-chat', scopes: ['release:mfe-chat'] };
  const { token } = (await call<CreatedToken>(first, ops, 'POST', 'tokens', wanted)).body;
  const { upload, contents } = await readBuildToSend(
    await writeTestBuild(folder, { name: 'mfe-chat', version: '1.0.0' }),
  );
  const put = (path: string) =>
    createVisitor(second.url).fetch('PUT', `/ops/releases/mfe-chat@1.0.0/files/${path}`, {
      headers: { Authorization: `Bearer ${token}` },
      body: new Uint8Array(contents.get(path)!),
    });
  const { missing } = (await call<ReleaseClaim>(second, token, 'POST', 'releases', upload)).body;
  const last = missing.pop()!;
  for (const path of missing) expect((await put(path)).status).toBe(204);

  await call(first, ops, 'POST', 'tokens/ci-chat/revoke');
  expect((await put(last)).status).toBe(401);
  const finished = await call(second, token, 'POST', 'releases/mfe-chat@1.0.0/publish');
  expect(finished).toMatchObject({ status: 401, body: { error: 'ops_token_wrong' } });
  expect((await call(second, ops, 'GET', 'releases/mfe-chat@1.0.0')).status).toBe(404);
});

test('a publication that is running when its token is revoked does not finish', async () => {
  const ops = await opsTokenOf(first);
  const wanted = { name: 'ci-auth', scopes: ['release:*'] };
  const { token } = (await call<CreatedToken>(first, ops, 'POST', 'tokens', wanted)).body;
  const { upload, contents } = await readBuildToSend(
    await writeTestBuild(folder, { name: 'mfe-auth', version: '1.0.0' }),
  );
  await call(second, token, 'POST', 'releases', upload);
  for (const [path, bytes] of contents)
    await createVisitor(second.url).fetch('PUT', `/ops/releases/mfe-auth@1.0.0/files/${path}`, {
      headers: { Authorization: `Bearer ${token}` },
      body: new Uint8Array(bytes),
    });
  const [finished] = await Promise.all([
    call(second, token, 'POST', 'releases/mfe-auth@1.0.0/publish'),
    call(first, ops, 'POST', 'tokens/ci-auth/revoke'),
  ]);
  // Whichever was faster: a release is visible only if its publication was confirmed.
  const found = await call(second, ops, 'GET', 'releases/mfe-auth@1.0.0');
  expect([finished.status, found.status]).toEqual(finished.status === 200 ? [200, 200] : [401, 404]);
});
