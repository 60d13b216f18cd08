import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { printTypes } from './print-types.ts';
import { readContract } from './read-contract.ts';

const contract = await readContract(join(import.meta.dirname, '../../../..'));

test('every type of the contract is printed without the library of its schema', () => {
  const files = new Set(contract.types.map(({ file }) => file));
  const printed = [...files].map((file) => printTypes(contract, file)).join('\n');
  expect(printed).not.toMatch(/\bzod\b|\bz\./);
  for (const { name } of contract.types)
    expect(printed).toMatch(new RegExp(`^export (interface|type) ${name}\\b`, 'm'));
});

test('a request may omit fields with a default, and a field keeps the comment of its type', () => {
  const printed = printTypes(contract, 'search');
  const [, request] = /interface SearchRequest (\{[\s\S]*?\n\})/.exec(printed) ?? [];
  expect(request).toContain('limit?: number;');
  expect(request).toContain("/** IANA name of a time zone; default 'UTC'. */\n  tz?: string;");
  expect(printed).toMatch(/^import type \{ .*\bOutcome\b.* \} from '\.\/answers\.js';$/m);
});
