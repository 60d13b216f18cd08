import { expect, test } from '@jest/globals';
import { extractAnswer } from './extract/extract-answer.ts';
import { extractRelated } from './extract/extract-related.ts';
import { passagesOf } from './index/passages-of.ts';
import { analyseQuestion } from './retrieve/analyse-question.ts';

/** The answer out of all passages of one document, those whose heading is named first. */
function answer(asked: string, text: string, first: string, language: 'zh' | 'en' = 'en') {
  const { passages, units } = sorted(asked, text, first, language);
  const answered = extractAnswer(passages.slice(0, 3), units, asked);
  for (const { quote, start, end } of answered.citations) expect(text.slice(start, end)).toBe(quote);
  return answered;
}

function sorted(asked: string, text: string, first: string, language: 'zh' | 'en' = 'en') {
  const document = { _id: 'd', owner: '', name: 'd', title: 'T', language, edition: '', text };
  const passages = [...passagesOf({ ...document, asks: new Map() })].map(({ passage }) => passage);
  const isFirst = ({ place }: { place: string }) => place.endsWith(first);
  const units = analyseQuestion(asked, language).units.map((unit) => ({
    ...unit,
    passages: 1,
    weight: unit.share,
    lookups: [],
  }));
  return { passages: [...passages.filter(isFirst), ...passages.filter((one) => !isFirst(one))], units };
}

const locker = `# Lockers

## Changing the code

1. Enter the current code and press #.
2. Choose Change code.
3. Enter the new code twice.

## Changing the owner

1. Ask the porter for form L4.
2. Both owners sign it.

## Deleting a locker

1. Choose Locker, then Delete locker.
2. Everything in it is thrown away. This cannot be undone.
`;

test('the steps of two procedures are two lists, each under its heading', () => {
  const { text, citations } = answer('How do I change the code or the owner?', locker, 'Changing the code');
  expect(text).toBe(`**Changing the code**

1. Enter the current code and press #.
2. Choose Change code.
3. Enter the new code twice.[1]

**Changing the owner**

1. Ask the porter for form L4.
2. Both owners sign it.[2]`);
  expect(citations).toHaveLength(2);
});

test('instructions for deletion are only shown on request', () => {
  const asked = answer('How do I delete my locker?', locker, 'Deleting a locker').text;
  expect(asked).toContain('cannot be undone');
  for (const question of ['How do I change the code?', 'How do I open a locker?'])
    for (const first of ['Changing the code', 'Deleting a locker'])
      expect(answer(question, locker, first).text).not.toMatch(/Delete|undone/);
});

test('steps of permanent deletion are left out of a list with the answer', () => {
  const text = `## Your account

1. Open Settings › Account.
2. To change the password, choose Password and enter a new one.
3. To leave for good, choose Delete account.
4. Type your password to confirm. This cannot be undone.

Passwords have at least 12 characters.
`;
  const { text: said, citations } = answer('How do I change my password?', text, 'Your account');
  expect(said).toContain('choose Password');
  expect(said).toContain('12 characters');
  expect(said).not.toMatch(/Delete account|undone/);
  for (const { quote } of citations) expect(quote).not.toMatch(/Delete account|undone/);
  expect(answer('How do I delete my account?', text, 'Your account').text).toContain('Delete account');
  const chinese = `## 账户

1. 打开「设置」。
2. 修改手机号：点「手机号」，输入新号码。
3. 注销账户：点「删除账户」，无法恢复。
`;
  expect(answer('怎么修改手机号？', chinese, '账户', 'zh').text).not.toContain('删除账户');
  expect(answer('怎么注销账户？', chinese, '账户', 'zh').text).toContain('删除账户');
});

test('statements about deletion, and steps that delete the very thing asked about, are not left out', () => {
  const text = `## Recordings

Recordings are deleted after 30 days.

1. Open the recorder.
2. Delete the old tape entry from the list.
3. Insert the new tape.
`;
  const { text: said, citations } = answer('How do I replace the tape of the recorder?', text, '');
  expect(citations[0]!.restOfSection).toContain('deleted after 30 days');
  expect(said).toContain('Delete the old tape');
});

test('rows of one table from several passages have one header', () => {
  const rows = Array.from(
    { length: 60 },
    (_, at) => `| Model ${at} | ${at % 30 === 7 ? 'walnut desk' : 'oak bed'} | ${at}0 |`,
  );
  const text = `| Name | Kind | Price |\n|---|---|---|\n${rows.join('\n')}\n`;
  const document = { _id: 'd', owner: '', name: 'd', title: 'T', language: 'en' as const, edition: '', text };
  const passages = [...passagesOf({ ...document, asks: new Map() })].map(({ passage }) => passage);
  const units = analyseQuestion('price of the walnut desk', 'en').units.map((unit) => ({
    ...unit,
    passages: 1,
    weight: unit.share,
    lookups: [],
  }));
  expect(extractAnswer(passages.slice(0, 3), units, '').text).toBe(`| Name | Kind | Price |
|---|---|---|
| Model 7 | walnut desk | **70** [1] |
| Model 37 | walnut desk | **370** [2] |`);
});

test('related passages are quoted in a sentence, item or row each, with their place, and never instructions to delete', () => {
  const long = `The porter ${'kindly '.repeat(60)}opens a locker.`;
  const text = `${locker}\n## Opening hours\n\n${long}\n\n## Sizes\n\n| Locker | Width |\n|---|---|\n| small locker | 30 cm |\n| large locker | 60 cm |\n`;
  for (const first of ['Deleting a locker', 'Opening hours', 'Sizes', 'Changing the owner']) {
    const asked = 'delete the locker of both owners';
    const { passages, units } = sorted(asked, text, first);
    const related = extractRelated(passages, units, asked);
    expect(related.citations).toHaveLength(2);
    for (const { quote, start, end } of related.citations) {
      expect(text.slice(start, end)).toBe(quote);
      expect(quote.length).toBeLessThanOrEqual(200);
    }
    expect(related.text).not.toMatch(/Delete locker|undone/);
    expect(related.text.match(/^> — T › /gm)).toHaveLength(2);
  }
});
