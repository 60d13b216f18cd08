/**
 * Splits texts into words for `distil.py`, with the code that splits questions and passages.
 *
 *     node tokens.ts FOLDER
 *
 * Reads `forms.txt` (words of both languages, frequent ones first) and `sentences.txt` of the folder; writes `words.txt` (the vocabulary), and `forms.ids`
 * and `sentences.ids`: for each line the places of its words in the vocabulary.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wordsOf } from '../../../../api/src/answers/embeddings/words-of.ts';
import { fold } from '../../../../api/src/text/fold.ts';
import { stemOf } from '../../../../api/src/text/terms.ts';

const folder = process.argv[2] ?? '.';
const linesOf = (name: string) => readFileSync(join(folder, name), 'utf8').split('\n');

const forms = linesOf('forms.txt').map((form) => (/^[a-z]/.test(form) ? stemOf(form) : fold(form)));
const words = [...new Set(forms)];
const placeOf = new Map(words.map((word, at) => [word, at]));
const idsOf = (texts: readonly string[]) => texts.map((word) => placeOf.get(word)).join(' ');

writeFileSync(join(folder, 'words.txt'), words.join('\n'));
writeFileSync(join(folder, 'forms.ids'), forms.map((word) => placeOf.get(word)).join('\n'));
writeFileSync(
  join(folder, 'sentences.ids'),
  linesOf('sentences.txt')
    .map((line) => idsOf(wordsOf(line, placeOf)))
    .join('\n'),
);
