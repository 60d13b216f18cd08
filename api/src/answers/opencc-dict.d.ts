declare module 'opencc-js/dict/TSCharacters' {
  /** Pairs `traditional simplified`, separated by `|`. */
  const pairs: string;
  export default pairs;
}
