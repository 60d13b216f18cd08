import { readFileSync } from 'node:fs';
import type { CheckReport } from '../../api/src/contract/compositions.ts';
import { compose } from './compose-run.ts';
import { replacingText } from './copy-build.ts';
import { liveRelease, publish } from './deploy.ts';
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
