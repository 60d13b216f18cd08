import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { eachPassage } from './cut-passages.ts';
import { sentencesIn, structureOf } from './structure.ts';

const cutPassages = (text: string) => [...eachPassage(text)];

test('cuts at headings and keeps the heading path', () => {
  const text = '# Desk\n\nIntro.\n\n## Accounts\n\n### Password\n\nEight letters.\n\n## Data\n\nOn disk.';
  const cuts = cutPassages(text).map(({ start, end, headings }) => [
    text.slice(start, end),
    headings.join('/'),
  ]);
  expect(cuts).toEqual([
    ['Intro.', 'Desk'],
    ['Eight letters.', 'Desk/Accounts/Password'],
    ['On disk.', 'Desk/Data'],
  ]);
});

test('a long section is cut between sentences, and the next passage begins with the sentence before', () => {
  const sentences = Array.from({ length: 60 }, (_, index) => `第 ${index} 句话说明了一件需要知道的事情。`);
  const text = `# 长\n\n${sentences.join('')}`;
  const cuts = cutPassages(text).map(({ start, end }) => text.slice(start, end));
  expect(cuts.length).toBeGreaterThan(1);
  for (const [index, cut] of cuts.entries()) {
    expect(cut.endsWith('。')).toBe(true);
    expect(cut.length).toBeLessThanOrEqual(900);
    const last = `第${cut.split('第').at(-1)}`;
    if (index + 1 < cuts.length) expect(cuts[index + 1]!.startsWith(last)).toBe(true);
  }
});

test('each clause is a passage: paragraphs with numbers of clauses, and list items of several sentences', () => {
  const textsOf = (text: string) => cutPassages(text).map(({ start, end }) => text.slice(start, end));
  const rules = ['第一条 会员每年缴纳会费。逾期三个月的视为退会。', '第二条 场地须提前一天预约。'];
  expect(textsOf(`# 章程\n\n${rules.join('\n\n')}`)).toEqual(rules);
  expect(textsOf(rules.join('\n'))).toEqual(rules);
  const contract = ['2.1 The tenant pays on the first. Late payment costs 10 EUR.', '2.2 Keys are returned.'];
  expect(textsOf(contract.join('\n\n'))).toEqual(contract);
  const terms = [
    '1. Boats. Every boat has a number. It is shown on both sides.',
    '2. Mooring. Moor between the posts. Guests moor at the pier.',
  ];
  expect(textsOf(terms.join('\n'))).toEqual(terms);
  expect(textsOf('按照第二条 办理。场地须预约。')).toHaveLength(1);
  expect(textsOf('The ship can carry\n3.5 tonnes of grain.')).toHaveLength(1);
});

test('questions of a list of questions and answers are headings of their answers', () => {
  const sectionsOf = (text: string) =>
    cutPassages(text).map(({ start, end, headings }) => [headings.at(-1), text.slice(start, end)]);
  const lines = ['问：几点开门？', '答：九点。', '问：周日呢？', '答：休息。'];
  const expected = [
    ['几点开门？', '答：九点。'],
    ['周日呢？', '答：休息。'],
  ];
  expect(sectionsOf(lines.join('\n'))).toEqual(expected);
  expect(sectionsOf(`# 须知\n\n${lines.join('\n\n')}`)).toEqual(expected);
  expect(sectionsOf('**Q1: Who may swim?**\nA: Everybody.\n\nQ2. Fees\nA2. None.')).toEqual([
    ['Who may swim?', 'A: Everybody.'],
    ['Fees', 'A2. None.'],
  ]);
  expect(sectionsOf('Q1: 3 million\n\nQ2: 4 million')).toEqual([
    [undefined, 'Q1: 3 million\n\nQ2: 4 million'],
  ]);
});

test('steps stay together, even those of two sentences', () => {
  const steps = '1. Open the lid. Wait a minute.\n2. Fill in the water. Close the lid.';
  expect(cutPassages(steps)).toHaveLength(1);
});

test('an item that does not fit beside the next one is not repeated as a passage of its own', () => {
  const short = '- 第一项说明了一件需要知道的事情。\n- 第二项说明了另一件需要知道的事情。';
  const long = `- ${'很长的一项，'.repeat(148)}到这里才说完。`;
  const text = `${short}\n${long}`;
  expect(cutPassages(text).map(({ start, end }) => text.slice(start, end))).toEqual([short, long]);
});

test('all parts of a cut table have its header row', () => {
  const rows = Array.from({ length: 60 }, (_, index) => `| name${index} | a value that takes some room |`);
  const text = `# T\n\n| Name | Value |\n|---|---|\n${rows.join('\n')}`;
  const cuts = cutPassages(text);
  expect(cuts.length).toBeGreaterThan(1);
  expect(cuts[0]!.tableHead).toBe('');
  expect(cuts[1]!.tableHead).toBe('| Name | Value |');
  expect(structureOf(text.slice(cuts[1]!.start, cuts[1]!.end))[0]).toMatchObject({
    kind: 'table',
    head: null,
  });
});

test('abbreviations and decimals do not end a sentence', () => {
  const text = 'Use e.g. Node 24.1 here. Then go on! 好。再来？';
  const found = sentencesIn(text, { start: 0, end: text.length }).map(({ start, end }) =>
    text.slice(start, end),
  );
  expect(found).toEqual(['Use e.g. Node 24.1 here.', 'Then go on!', '好。', '再来？']);
});

test('for any text, passages are in order and contain all its words outside headings', () => {
  const line = fc.oneof(
    fc.constantFrom(
      '',
      '# 标题',
      '## Part two',
      '- item one',
      '1. 第一步',
      '| a | b |',
      '|---|---|',
      '```',
      '继续。',
    ),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      const text = lines.join('\n');
      let end = 0;
      for (const cut of cutPassages(text)) {
        expect(cut.end).toBeGreaterThan(cut.start);
        expect(text.slice(end, cut.start).replace(/^#.*$/gm, '').trim()).toBe('');
        end = Math.max(end, cut.end);
      }
      expect(text.slice(end).replace(/^#.*$/gm, '').trim()).toBe('');
    }),
  );
});

test('a sentence continues on the next line of a hard-wrapped paragraph', () => {
  const text =
    'The rent rises by 2.5\nper cent every autumn. Paint is free\nof charge.\nKeys: 3\n第一行\n第二行';
  const [block] = structureOf(text);
  const sentences = block!.kind === 'paragraph' ? block!.sentences : [];
  expect(sentences.map(({ start, end }) => text.slice(start, end))).toEqual([
    'The rent rises by 2.5\nper cent every autumn.',
    'Paint is free\nof charge.',
    'Keys: 3',
    '第一行',
    '第二行',
  ]);
});
