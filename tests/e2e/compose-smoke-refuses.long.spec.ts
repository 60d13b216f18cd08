import type { CheckFinding } from '../../api/src/contract/compositions.ts';
import type { Health } from '../../api/src/contract/reports.ts';
import { compose } from './compose-run.ts';
import { editingScripts, wrappingModule } from './copy-build.ts';
import { call, liveRelease, publish } from './deploy.ts';
import { expect, test } from './deployed-desk.ts';

// A working candidate: compose-smoke.long.spec.ts.
test('finds a candidate that throws while rendering, and does not make it live', async ({ desk }) => {
  const version = '5.1.0';
  const throwing = wrappingModule('./chat', (run) => {
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
  // The screens of the other remotes were opened, too, without findings.
  expect(failure.findings.length).toBeGreaterThan(0);
  for (const finding of failure.findings)
    expect(finding).toMatchObject({ rule: 'mount', remote: 'mfe-chat', release: `mfe-chat@${version}` });
  expect(failure.findings.map(({ message }) => message).join('\n')).toContain('broken at render');
  expect(await liveRelease(desk, 'mfe-chat')).toBe(live);
  // The visits of a smoke test are not reported to the server.
  const { rows } = await call<Health>(desk, 'GET', '/ops/health');
  expect(rows.filter((row) => row.version === version)).toEqual([]);
});

test('finds a host that does not start, and reports no remote', async ({ desk }) => {
  const version = '5.2.0';
  const throwing = editingScripts(/^main\./, (text) => `throw new Error('broken at the start');\n${text}`);
  await publish(desk, 'host', version, throwing);

  const set = await compose(desk, ['set', `host@${version}`, '--smoke', '--json']);

  expect(set).toMatchObject({ code: 1, stdout: '' });
  const { findings } = JSON.parse(set.stderr) as { findings: CheckFinding[] };
  expect(findings[0]?.message).toContain('the host shows nothing');
  expect(findings.map(({ message }) => message).join('\n')).toContain('broken at the start');
  for (const finding of findings)
    expect(finding).toMatchObject({ rule: 'mount', release: `host@${version}` });
});

test('finds a candidate that covers the page', async ({ desk }) => {
  const version = '5.3.0';
  const covering = wrappingModule('./chat', (run) => {
    const cover = document.createElement('div');
    cover.style.cssText = 'position: fixed; inset: 0; z-index: 9999; background: white';
    document.body.append(cover);
    return run();
  });
  await publish(desk, 'mfe-chat', version, covering);

  const set = await compose(desk, ['set', `mfe-chat@${version}`, '--smoke', '--json']);

  expect(set).toMatchObject({ code: 1, stdout: '' });
  const { findings } = JSON.parse(set.stderr) as { findings: CheckFinding[] };
  expect(findings.map(({ message }) => message).join('\n')).toContain('cannot be seen');
});

test('reports a missing browser, and changes nothing', async ({ desk }) => {
  const live = await liveRelease(desk, 'mfe-chat');
  const none = await compose(desk, ['set', 'mfe-chat@0.9.0', '--smoke'], {
    CHROMIUM_PATH: '/nowhere/chromium',
  });
  expect(none).toMatchObject({ code: 2, stdout: '' });
  expect(none.stderr).toContain('/nowhere/chromium');
  expect(await liveRelease(desk, 'mfe-chat')).toBe(live);
});
