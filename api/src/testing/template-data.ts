/**
 * Jest's global setup of the API tests: starts a server twice, with and without an indexed handbook, and
 * keeps the data folders, with all periodic jobs done, as templates. `startTestApi` copies one, which takes a fifth of the time of a first
 * start.
 */
import { cp, mkdir } from 'node:fs/promises';
import module from 'node:module';
import { join } from 'node:path';
import { createJobModel } from '../store/jobs/jobs.ts';
import { createScriptedAnswerer } from './scripted-answerer.ts';
import { startTestApi, TEMPLATE_DATA } from './start-test-api.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { isEmbedded, removeTestData } from './test-database.ts';
import { until } from './until.ts';

/** Jobs that are due within it have not run yet, in ms. */
const soonMs = 10_000;

export default async function makeTemplateData(): Promise<void> {
  if (!isEmbedded) return;
  const template = await temporaryFolder('desk-template');
  const kinds = { handbook: {}, empty: { answerer: createScriptedAnswerer() } };
  for (const [kind, options] of Object.entries(kinds)) {
    const dataDir = await temporaryFolder('desk-api');
    const api = await startTestApi({ ...options, dataDir });
    const jobs = createJobModel(api.connection);
    const waiting = { lease: null, dueAt: { $gt: new Date(Date.now() + soonMs) } };
    await until(async () => (await jobs.exists(waiting)) && !(await jobs.exists({ $nor: [waiting] })));
    await api.end();
    await mkdir(join(template, kind));
    await cp(join(dataDir, 'store.sqlite'), join(template, kind, 'store.sqlite'));
    await removeTestData(dataDir);
  }
  // What was compiled for it is not compiled again in each worker.
  module.flushCompileCache?.();
  process.env[TEMPLATE_DATA] = template;
}
