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
/** Any file as text, in tests only. */
declare module '*?raw' {
  const text: string;
  export default text;
}

/** True in development builds, see rspack.shared.js. */
declare const __DEV__: boolean;
