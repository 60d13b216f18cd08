declare module 'opencc-js/dict/TSCharacters' {
  /** Pairs `traditional simplified`, separated by `|`. */
  const pairs: string;
  export default pairs;
}

declare module 'opencc-js/dict/TWPhrasesRev' {
  /** Entries `word other…`, separated by `|`: words of Taiwan and the mainland for the same thing, in traditional characters. */
  const pairs: string;
  export default pairs;
}
