/** Words of other scripts whole, Han characters by overlapping pairs; one of its own stays one. Width and case are folded. */
export function bigramsOf(text: string): string[] {
  const tokens: string[] = [];
  for (const [run] of text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/\p{Script=Han}+|[\p{L}\p{N}]+?(?=\p{Script=Han}|[^\p{L}\p{N}]|$)/gu)) {
    const characters = [...run];
    if (!/\p{Script=Han}/u.test(run) || characters.length === 1) tokens.push(run);
    else
      for (let at = 0; at + 1 < characters.length; at++) tokens.push(characters[at]! + characters[at + 1]!);
  }
  return tokens;
}
