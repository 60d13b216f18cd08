/** The number of a section or clause at the start of a line: 第六条, 2.1, Article 5, §3. */
export const sectionNumber =
  /^(?:第[\d一二三四五六七八九十百]{1,5}[编篇章节条款]|\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+(?=\p{L})|(?:Article|Section|Chapter|§)\s?\d)/u;
