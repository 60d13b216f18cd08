import type { CheckFinding } from '../../api/src/contract/compositions.ts';
import type { Health } from '../../api/src/contract/reports.ts';
import { compose } from './compose-run.ts';
import { editing, wrapping } from './copy-build.ts';
import { call, liveRelease, publish } from './deploy.ts';
import { expect, test } from './deployed-desk.ts';

// That a candidate without trouble goes live: compose-smoke.long.spec.ts.
test('a candidate that throws at render is found by opening its screens, and does not go live', async ({
  desk,
}) => {
  const version = '5.1.0';
  const throwing = wrapping('./chat', (run) => {
    run();
    const Broken = () => {
      throw new Error('broken at render');
    };
    return { default: Broken };
  });
  await publish(desk, 'mfe-chat', version, throwing);
  const live = await liveRelease(desk, 'mfe-chat');

  const set = await compose(desk, ['set', `mfe-chat@${version}`, '--smoke', '--json']);

  expect(set).toMatchObject({ code: 1, stdout: '' });
  const failure = JSON.parse(set.stderr) as { error: string; findings: CheckFinding[] };
  expect(failure.error).toBe('check_failed');
  // The screens of the other remotes were opened as well, and nothing was found there.
  expect(failure.findings.length).toBeGreaterThan(0);
  for (const finding of failure.findings)
    expect(finding).toMatchObject({ rule: 'mount', remote: 'mfe-chat', release: `mfe-chat@${version}` });
  expect(failure.findings.map(({ message }) => message).join('\n')).toContain('broken at render');
  expect(await liveRelease(desk, 'mfe-chat')).toBe(live);
  // The desk never hears of the visitor of a smoke run.
  const { rows } = await call<Health>(desk, 'GET', '/ops/health');
  expect(rows.filter((row) => row.version === version)).toEqual([]);
});

test('a host that does not start is found at its first screen, and no remote is blamed', async ({ desk }) => {
  const version = '5.2.0';
  const throwing = editing(/^main\./, (text) => `throw new Error('broken at the start');\n${text}`);
  await publish(desk, 'host', version, throwing);

  const set = await compose(desk, ['set', `host@${version}`, '--smoke', '--json']);

  expect(set).toMatchObject({ code: 1, stdout: '' });
  const { findings } = JSON.parse(set.stderr) as { findings: CheckFinding[] };
  expect(findings[0]?.message).toContain('the host shows nothing');
  expect(findings.map(({ message }) => message).join('\n')).toContain('broken at the start');
  for (const finding of findings)
    expect(finding).toMatchObject({ rule: 'mount', release: `host@${version}` });
});

test('without a browser it says so, and switches nothing', async ({ desk }) => {
  const live = await liveRelease(desk, 'mfe-chat');
  const none = await compose(desk, ['set', 'mfe-chat@0.9.0', '--smoke'], {
    CHROMIUM_PATH: '/nowhere/chromium',
  });
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toContain('/nowhere/chromium');
  expect(await liveRelease(desk, 'mfe-chat')).toBe(live);
});
