const sentenceEnd = /(?<=[。！？!?；;\n]|\.\s)/;
const minLength = 2;

/**
 * The sentences of a quote that the citing answer does not contain, with … for those left out. '' if the
 * answer contains all of them, as extracted answers do. Markdown marks, punctuation and white space are
 * ignored.
 */
export function sentencesBeyond(quote: string, answer: string): string {
  const contained = letters(answer);
  const sentences = quote.split(sentenceEnd).filter((sentence) => letters(sentence).length >= minLength);
  const isContained = sentences.map((sentence) => contained.includes(letters(sentence)));
  if (!isContained.includes(true)) return line(quote);
  return line(
    sentences
      .map((sentence, index) => (!isContained[index] ? sentence : isContained[index - 1] ? '' : ' … '))
      .join(''),
  ).replace(/^…$/, '');
}

function letters(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

function line(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
