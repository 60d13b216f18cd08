/** Encodings that are made once, when a release is published. The order is the order of preference. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

interface Named {
  name: string;
  version: string;
}

/** Where a release's file stands in the file store. */
export function releaseKey({ name, version }: Named, path: string): string {
  return `releases/${name}/${version}/${path}`;
}

/** Where the same file stands compressed: beside the releases, so that no name of a release's own can be in its way. */
export function encodedKey({ name, version }: Named, path: string, encoding: Encoding): string {
  return `encoded/${name}/${version}/${path}.${encoding}`;
}

/** Where a browser finds the built-in release store's files. */
export function releaseBase({ name, version }: Named): string {
  return `/chatbot/releases/${name}/${version}/`;
}
