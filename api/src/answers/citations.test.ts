import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { extractAnswer } from './extract/extract-answer.ts';
import { summarise } from './extract/summarise.ts';
import { passagesOf } from './index/passages-of.ts';
import { analyseQuestion } from './retrieve/analyse-question.ts';
import type { CountedUnit } from './retrieve/find-candidates.ts';

const words = fc.constantFrom(
  '刪除帳號',
  'ＡＰＩ　金鑰',
  '備份與還原',
  '会话',
  '👩‍👩‍👧 家庭',
  'the backup',
  'apt-get install',
  '/etc/fstab',
  '𠮷野家',
  'e.g. this',
  '16:30',
  'ﬁle',
  '见[1]与 [7]',
  '[2]: https://evil.example',
);
const sentence = fc.array(words, { minLength: 1, maxLength: 6 }).map((some) => `${some.join('')}。`);
const block = fc.oneof(
  fc.array(sentence, { minLength: 1, maxLength: 12 }).map((some) => some.join('')),
  fc.array(sentence, { minLength: 1, maxLength: 6 }).map((some) => some.map((one) => `- ${one}`).join('\n')),
  fc
    .array(sentence, { minLength: 1, maxLength: 6 })
    .map((some) => some.map((one, at) => `  ${at + 1}. ${one}`).join('\n')),
  fc
    .array(fc.tuple(words, words), { minLength: 1, maxLength: 9 })
    .map(
      (rows) =>
        `| 名稱 | 說明 |\n|---|---|\n${rows.map(([one, other]) => `| ${one} | ${other} |`).join('\n')}`,
    ),
  sentence.map((one) => `|  | Note |\n| --- | --- |\n|  | ${one} |`),
  sentence.map((one) => `\`\`\`\n# ${one}\n\`\`\``),
  sentence.map((one) => `## ${one}`),
);
const documents = fc.array(block, { minLength: 1, maxLength: 12 }).map((blocks) => blocks.join('\n\n'));

test("quotes are the document's text, in any script and structure", () => {
  fc.assert(
    fc.property(documents, fc.array(words, { minLength: 1, maxLength: 4 }), (text, asked) => {
      const document = {
        _id: 'd',
        owner: '',
        name: 'd',
        title: 'T',
        language: 'zh' as const,
        edition: '',
        text,
      };
      const passages = [...passagesOf({ ...document, asks: new Map() })].map(({ passage }) => passage);
      for (const passage of passages) expect(text.slice(passage.start, passage.end)).toBe(passage.text);
      const units: CountedUnit[] = analyseQuestion(asked.join(' '), 'zh').units.map((unit) => ({
        ...unit,
        passages: 1,
        weight: unit.share,
        lookups: [],
      }));
      const summed = summarise([{ title: 'T', language: 'zh', length: text.length, passages }], 'zh');
      const found = passages.slice(0, 3).filter(({ text: own }) => own.trim() !== '');
      const extracted = found.length > 0 ? extractAnswer(found, units) : { text: '', citations: [] };
      for (const answer of [summed, extracted]) {
        const said = answer.text.replaceAll(/```[\s\S]*?```/g, '');
        const marks = [...said.matchAll(/\[(\d+)\]/g)].map(([, mark]) => Number(mark));
        expect(marks).toEqual(answer.citations.map((_, index) => index + 1));
        for (const { quote, start, end } of answer.citations) expect(text.slice(start, end)).toBe(quote);
      }
    }),
    { numRuns: 150 },
  );
});

test('if only the heading matches, the answer is the beginning of the paragraph', () => {
  const text = `## 備份\n\n${'先停止服務，再複製資料夾。'.repeat(50)}`;
  const document = { _id: 'd', owner: '', name: 'd', title: 'T', language: 'zh' as const, edition: '', text };
  const passages = [...passagesOf({ ...document, asks: new Map() })].map(({ passage }) => passage);
  const answer = extractAnswer(passages.slice(0, 1), []);
  expect(answer.text).toMatch(/^先停止服務/);
  expect(answer.citations).toHaveLength(1);
});
