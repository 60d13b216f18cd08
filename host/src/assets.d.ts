/** Types of the non-script files that the bundler handles, in the host and in every remote. */
declare module '*.module.css' {
  const classNames: Readonly<Record<string, string>>;
  export default classNames;
}
declare module '*.css';
declare module '*.svg' {
  const url: string;
  export default url;
}
/** Any file as text; for tests only. */
declare module '*?raw' {
  const text: string;
  export default text;
}
/** Code of the worker of pdf.js, see host/ui/src/documents/worker-code.cjs. */
declare module '*?worker-code' {
  const code: string;
  export default code;
}
/** Character maps of pdf.js in base64, by file name, see host/ui/src/documents/character-maps.cjs. */
declare module '*?character-maps' {
  const maps: Readonly<Record<string, string>>;
  export default maps;
}

/** True in development builds, see rspack.shared.js. */
declare const __DEV__: boolean;
