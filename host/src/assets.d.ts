/** What the bundler makes of files that are no scripts, in the host and in every remote. */
declare module '*.module.css' {
  const classNames: Readonly<Record<string, string>>;
  export default classNames;
}
declare module '*.css';
declare module '*.svg' {
  const url: string;
  export default url;
}
/** Any file as its text, in tests alone. */
declare module '*?raw' {
  const text: string;
  export default text;
}

/** Of this build, see rspack.shared.js. */
declare const __DEV__: boolean;
