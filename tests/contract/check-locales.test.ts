import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';

test('passes texts that agree, with plural forms and keys composed at run time', () => {
  const source = `t('hello'); t(\`range.\${range}\`); t("records");`;
  const text = { hello: 'Hello {name}', 'range.day': '24 hours' };
  const records = { one: 'One record', other: '{count} records' };
  expect(
    check({
      'src/screen.ts': source,
      'locales/en/a.json': JSON.stringify({ ...text, records }),
      'locales/zh/a.json': JSON.stringify({ ...text, records: { other: '{count} 条' } }),
    }),
  ).toEqual([]);
});

test('reports missing, unknown and unused keys, other placeholders and plural forms, and unknown languages', () => {
  expect(
    check({
      'src/screen.ts': "t('hello'); t('records'); // unused",
      'src/screen.test.ts': "t('unused')",
      'locales/en/a.json': '{"hello":"Hello {name}","records":{"one":"One","other":"{count}"},"unused":"x"}',
      'locales/zh/a.json': '{"hello":"{title}","records":{"one":"1","other":"{count}"},"more":"y"}',
      'locales/en/b.json': '{}',
      'locales/xx/a.json': '{}',
    }),
  ).toEqual([
    'web/locales/xx: register it in api/src/contract/language.ts',
    'web/locales/zh/a.json: "unused" is missing',
    'web/locales/zh/a.json: "hello" has the placeholders {title}, en has {name}',
    'web/locales/zh/a.json: "records" has the plural forms one, other, zh has other',
    'web/locales/zh/a.json: en has no "more"',
    'web/locales/zh/b.json is missing',
    'web/locales/en/a.json: "unused" is unused',
  ]);
});

/** What the check says about a workspace of these files. */
function check(files: Record<string, string>): string[] {
  const root = mkdtempSync(path.join(tmpdir(), 'locales-'));
  writeFileSync(path.join(root, 'package.json'), '{"workspaces":["web"]}');
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, 'web', name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  const program = path.join(import.meta.dirname, '../check-locales.ts');
  const { stderr, status } = spawnSync(process.execPath, [program, root], { encoding: 'utf8' });
  rmSync(root, { recursive: true });
  const lines = stderr.split('\n').filter(Boolean);
  expect(status).toBe(lines.length > 0 ? 1 : 0);
  return lines;
}
