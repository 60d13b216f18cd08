/** Characters of a conversation's first title, at most. */
const longestTitle = 40;

/** The title that a conversation gets from its first question: one line, cut between characters. */
export function conversationTitle(question: string): string {
  const line = question.replace(/\s+/g, ' ').trim();
  const characters = Array.from(
    new Intl.Segmenter('zh').segment(line.slice(0, 400)),
    ({ segment }) => segment,
  );
  if (characters.length <= longestTitle) return line.slice(0, 200);
  return `${characters.slice(0, longestTitle).join('').trimEnd()}…`;
}
