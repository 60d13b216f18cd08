import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { ACCUMULATORS, EXPRESSIONS } from './aggregate/group.ts';
import { STAGES } from './aggregate/pipeline.ts';
import { CURSOR_FIELDS } from './commands/cursors.ts';
import { type Fields, GENERIC_FIELDS } from './commands/fields.ts';
import { INDEX_FIELDS } from './commands/indexes.ts';
import { COMMANDS } from './commands/run-command.ts';
import { DELETE_STATEMENT_FIELDS, UPDATE_STATEMENT_FIELDS } from './commands/write.ts';
import { FIELD_OPERATORS, LOGICAL_OPERATORS } from './query/matcher.ts';
import { UPDATE_OPERATORS } from './update/operators.ts';

const README = path.join(import.meta.dirname, '../README.md');
const BEGIN =
  '<!-- The list is generated: UPDATE_README=1 npm run unit -- api/embedded-store/src/supported -->\n';
const END = '<!-- end of the list -->';

test('README.md lists what the code supports', () => {
  const readme = readFileSync(README, 'utf8');
  const [before, rest] = readme.split(BEGIN) as [string, string];
  const after = rest.slice(rest.indexOf(END));
  const expected = before + BEGIN + list() + after;
  if (process.env.UPDATE_README === '1') writeFileSync(README, expected);
  else expect(readme).toBe(expected);
});

function list(): string {
  const commands = [...COMMANDS].map(([name, { fields = {} }]) => [
    code(name),
    fields === 'any' ? 'any' : namesOf(fields),
  ]);
  const parts = [
    [`each of ${code('updates')}`, namesOf(UPDATE_STATEMENT_FIELDS)],
    [`each of ${code('deletes')}`, namesOf(DELETE_STATEMENT_FIELDS)],
    [`each of ${code('indexes')}`, namesOf(INDEX_FIELDS)],
    [code('cursor'), namesOf(CURSOR_FIELDS)],
    ['every command', Object.keys(GENERIC_FIELDS).join(', ')],
  ];
  const operators = [
    ['filters', namesIn({ ...LOGICAL_OPERATORS, ...FIELD_OPERATORS })],
    ['updates', namesIn(UPDATE_OPERATORS)],
    ['stages', namesIn(STAGES)],
    ['accumulators', namesIn(ACCUMULATORS)],
    ['expressions', namesIn(EXPRESSIONS)],
  ];
  return `\n${table('command', 'options', [...commands, ...parts])}\n${table('', 'operators', operators)}\n`;
}

const code = (name: string) => `\`${name}\``;
const namesIn = (operators: object) => Object.keys(operators).map(code).join(' ');
const namesOf = ({ required = {}, optional = {} }: Fields) =>
  [...Object.keys(required), ...Object.keys(optional)].join(', ');

function table(first: string, second: string, rows: string[][]): string {
  return [[first, second], ['---', '---'], ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
