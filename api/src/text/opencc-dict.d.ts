declare module 'opencc-js/dict/TSCharacters' {
  /** Pairs `traditional simplified`, separated by `|`. */
  const pairs: string;
  export default pairs;
}

declare module 'opencc-js/dict/TWPhrasesRev' {
  /** Entries `word other…` of Taiwan and the mainland, in traditional characters, separated by `|`. */
  const pairs: string;
  export default pairs;
}
