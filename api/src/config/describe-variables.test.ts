import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { describeVariables } from './configure.ts';

const PAGE = path.join(import.meta.dirname, '../../../CONFIGURATION.md');

test('CONFIGURATION.md lists the variables that the code reads', () => {
  const described = describeVariables();
  if (process.env.UPDATE_DOCS === '1') writeFileSync(PAGE, described);
  expect(readFileSync(PAGE, 'utf8')).toBe(described);
});
