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
  // Every screen that mfe-auth, mfe-chat and mfe-records declare.
  expect(report.looked.mount).toBe(8);

  const set = await compose(desk, ['set', candidate, '--smoke']);
  expect(set.code).toBe(0);
  expect(set.stdout).toContain('→ 5.0.0');
  expect(await liveRelease(desk, 'mfe-chat')).toBe(candidate);
});
