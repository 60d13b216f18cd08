/**
 * Jest's global setup of the API tests: starts a server twice, with and without an indexed handbook, and
 * keeps the data folders as templates. `startTestApi` copies one, which takes a fifth of the time of a first
 * start.
 */
import { cp, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createScriptedAnswerer } from './scripted-answerer.ts';
import { startTestApi, TEMPLATE_DATA } from './start-test-api.ts';
import { isEmbedded, removeTestData } from './test-database.ts';

export default async function makeTemplateData(): Promise<void> {
  if (!isEmbedded) return;
  const template = await mkdtemp(join(tmpdir(), 'desk-template-'));
  const kinds = { handbook: {}, empty: { answerer: createScriptedAnswerer() } };
  for (const [kind, options] of Object.entries(kinds)) {
    const dataDir = await mkdtemp(join(tmpdir(), 'desk-api-'));
    const api = await startTestApi({ ...options, dataDir });
    await api.end();
    await mkdir(join(template, kind));
    await cp(join(dataDir, 'store.sqlite'), join(template, kind, 'store.sqlite'));
    await removeTestData(dataDir);
  }
  process.env[TEMPLATE_DATA] = template;
}
