declare module 'opencc-js/dict/TSCharacters' {
  /** Pairs `traditional simplified`, separated by `|`. */
  const pairs: string;
  export default pairs;
}

declare module 'opencc-js/dict/TWPhrasesRev' {
  /** Lines `word other…`, separated by `|`: what Taiwan and the mainland call the same thing, in traditional characters. */
  const pairs: string;
  export default pairs;
}
