/** Radicals, compatibility ideographs, ligatures, presentation forms. */
const compatible =
  /[\u2e9f\u2ef3\u2f00-\u2fd5\uf900-\ufaff\ufb00-\ufdff\ufe70-\ufefc]|\ud87e[\udc00-\ude1d]/gu;

/** Radicals that NFKC does not map, with their characters (Unicode's EquivalentUnifiedIdeograph.txt). */
const radicals = new Map(
  Array.from(
    '⺁厂⺒巳⺓幺⺠民⺶羊⺻聿⻁虎⻄西⻅见⻆角⻉贝⻋车⻑長⻓长⻔门⻗雨⻘青⻙韦⻚页⻛风⻜飞⻝食⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻫斉⻬齐⻭歯⻮齿⻯竜⻰龙'.matchAll(
      /(.)(.)/gu,
    ),
    ([, radical, character]) => [radical!, character!],
  ),
);

/**
 * Replaces characters by those that people type: PDFs contain radicals (⼀ for 一), ligatures (ﬁ) and
 * presentation forms, and Adobe's private codes of old-style figures and small capitals. Full-width punctuation and letters stay.
 */
export function ordinaryCharacters(text: string): string {
  return text
    .replace(/[\uf721-\uf7ff]/g, (character) => String.fromCharCode(character.charCodeAt(0) & 0xff))
    .replace(compatible, (character) => character.normalize('NFKC'))
    .replace(/[\u2e80-\u2eff]/g, (character) => radicals.get(character) ?? character);
}
