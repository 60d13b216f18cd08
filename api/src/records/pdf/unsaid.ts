const sentenceEnd = /(?<=[。！？!?；;\n]|\.\s)/;
const shortest = 2;

/**
 * What a quote says beyond the answer that cites it: the sentences that the answer does not have, with … for those left out. '' when the
 * answer says everything, as extracted answers do. Marks of Markdown, punctuation and white space do not count.
 */
export function unsaid(quote: string, answer: string): string {
  const said = letters(answer);
  const sentences = quote.split(sentenceEnd).filter((sentence) => letters(sentence).length >= shortest);
  const isSaid = sentences.map((sentence) => said.includes(letters(sentence)));
  if (!isSaid.includes(true)) return line(quote);
  return line(
    sentences.map((sentence, index) => (!isSaid[index] ? sentence : isSaid[index - 1] ? '' : ' … ')).join(''),
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
