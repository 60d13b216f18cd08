import { createHash } from 'node:crypto';

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

/** Where a browser finds the files of one release of the built-in store, whatever their names. */
export function releaseBase({ name, version }: Named): string {
  return `/chatbot/releases/${name}/${version}/`;
}

/** In the place of a version: the files of all releases of a remote, each of which is named by its content. No version is called so. */
export const SHARED_FOLDER = 'files';

/**
 * Where a browser finds the files of all releases of a remote whose files are all named by their content: one that did not change
 * keeps its address from release to release, so that a returning visitor does not fetch it again.
 */
export function sharedBase({ name }: Pick<Named, 'name'>): string {
  return `/chatbot/releases/${name}/${SHARED_FOLDER}/`;
}

/** Whether a team hosts the release itself. */
export function isElsewhere({ base }: { base: string }): boolean {
  return URL.canParse(base);
}

/** Whether 12 hex digits or more of the file's SHA-256 are a part of its name, as the builds of rspack.shared.js have it. */
export function isNamedByContent(path: string, bytes: Buffer): boolean {
  const digits = /\.([0-9a-f]{12,64})\.[a-z0-9]+$/.exec(path)?.[1];
  return digits !== undefined && createHash('sha256').update(bytes).digest('hex').startsWith(digits);
}
