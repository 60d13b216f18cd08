import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { type DebianReference, findDebianReference } from './corpus/debian-reference.ts';
import { readChapters } from './corpus/read-chapters.ts';
import { foldQuote } from './fold-quote.ts';
import { readQuestions, type SetName } from './read-questions.ts';

const sets: SetName[] = ['dev', 'test'];
const handbook = new URL('../../../api/handbook/', import.meta.url);

const reference = await findDebianReference();
/** Only with what the bench has fetched, and only of the release that the questions were written on. */
const ifFetched = reference?.version === '2.100' ? test : test.skip;

ifFetched('every quote stands in the Debian Reference or in the handbook', async () => {
  const chapters = await readChapters(reference as DebianReference);
  const folded = new Map(chapters.map(({ name, text }) => [name, foldQuote(text)]));
  for (const language of ['zh', 'en'])
    for (const page of await readdir(new URL(`${language}/`, handbook)))
      folded.set(
        `handbook/${language}/${page}`,
        foldQuote(await readFile(new URL(`${language}/${page}`, handbook), 'utf8')),
      );
  const all = [...folded.values()].join('\n');
  for (const name of sets) {
    for (const { question, document, quotes } of (await readQuestions(name)).answerable) {
      const inDocument = quotes.filter((quote) => folded.get(document)?.includes(foldQuote(quote)));
      const nowhere = quotes.filter((quote) => !all.includes(foldQuote(quote)));
      expect({ question, isInDocument: inDocument.length > 0, nowhere }).toEqual({
        question,
        isInDocument: true,
        nowhere: [],
      });
    }
  }
  // 28 chapters are read anew, and the machine may be busy.
});
