import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { CheckReport, CompositionInfo, PointerInfo } from '../../api/src/contract/compositions.ts';
import type { Health, PageReport } from '../../api/src/contract/reports.ts';
import { compose } from './compose-run.ts';
import { replacingText } from './copy-build.ts';
import { call, liveRelease, publish } from './deploy.ts';
import { expect, HINT, test } from './deployed-desk.ts';

test('makes a candidate live if all its screens open', async ({ desk }) => {
  const candidate = await publish(desk, 'mfe-chat', '5.0.0', replacingText(HINT, '新版在此'));

  const check = await compose(desk, ['check', candidate, '--smoke', '--json']);
  expect(check).toMatchObject({ code: 0, stderr: '' });
  const report = JSON.parse(check.stdout) as CheckReport;
  expect(report).toMatchObject({ isFine: true, findings: [] });
  const declared = ['mfe-auth', 'mfe-chat', 'mfe-records'].flatMap((remote) => {
    const desk = readFileSync(new URL(`../../${remote}/desk.json`, import.meta.url), 'utf8');
    return (JSON.parse(desk) as { routes: unknown[] }).routes;
  });
  expect(report.looked.mount).toBe(declared.length);

  const set = await compose(desk, ['set', candidate, '--smoke']);
  expect(set.code).toBe(0);
  expect(set.stdout).toContain('→ 5.0.0');
  expect(await liveRelease(desk, 'mfe-chat')).toBe(candidate);
});

test('leaves no trace in the health figures of a composition that was live', async ({ desk }) => {
  const { composition } = await call<PointerInfo>(desk, 'GET', '/ops/pointer');
  const figures = async () => {
    const { rows } = await call<Health>(desk, 'GET', '/ops/health?minutes=60');
    return rows.map(({ remote, version, loads, errors, vitals }) => [remote, version, loads, errors, vitals]);
  };
  const before = await figures();
  expect(await compose(desk, ['check', composition.id, '--smoke'])).toMatchObject({ code: 0 });
  // Counts are written every second: those of a page opened afterwards come after those of the smoke run.
  const page = newPageReport(composition);
  await fetch(`${desk.url}/ops/reports`, page);
  await expect.poll(figures).not.toEqual(before);
  const counted = (await figures()).filter((row) => !before.some((old) => isDeepStrictEqual(old, row)));
  expect(counted).toMatchObject([['mfe-chat', expect.anything(), expect.anything(), 0, expect.anything()]]);
});

/** The request of a page that has loaded the chat. */
function newPageReport({ id, remotes }: CompositionInfo): RequestInit {
  const version = remotes.find(({ name }) => name === 'mfe-chat')?.version ?? '';
  const report: PageReport = {
    page: randomBytes(16).toString('hex'),
    composition: id,
    events: [{ kind: 'load', remote: 'mfe-chat', version, ms: 100 }],
  };
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(report) };
}
