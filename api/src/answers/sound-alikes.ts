/**
 * Characters that sound alike, for slips of an input method. The first level of GB 2312 is in the order of pinyin: who stands near in it
 * sounds the same or nearly so.
 */
const near = 18;

const ordered = firstLevel();
const places = new Map(ordered.map((character, place) => [character, place]));

function firstLevel(): string[] {
  const decoder = new TextDecoder('gb2312');
  const characters: string[] = [];
  for (let row = 0xb0; row <= 0xd7; row += 1)
    for (let cell = 0xa1; cell <= (row === 0xd7 ? 0xf9 : 0xfe); cell += 1)
      characters.push(decoder.decode(Uint8Array.of(row, cell)));
  return characters;
}

/** Common characters that sound like `character`, or nearly so; none for a rare character. */
export function soundAlikes(character: string): string[] {
  const place = places.get(character);
  if (place === undefined) return [];
  return ordered.slice(Math.max(0, place - near), place + near).filter((other) => other !== character);
}
