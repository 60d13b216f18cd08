import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import types from './media-types.json' with { type: 'json' };

/** Encodings created when a release is published, in order of preference. */
export const ENCODINGS = ['br', 'gzip'] as const;
export type Encoding = (typeof ENCODINGS)[number];

interface Named {
  name: string;
  version: string;
}

/** Storage key of a release's file. */
export function releaseKey({ name, version }: Named, path: string): string {
  return `releases/${name}/${version}/${path}`;
}

/** The compressed form, outside the folders of releases: it collides with no file of a release. */
export function encodedKey({ name, version }: Named, path: string, encoding: Encoding): string {
  return `encoded/${name}/${version}/${path}.${encoding}`;
}

/** URL path of the files of one release in the built-in store. */
export function releaseBase({ name, version }: Named): string {
  return `/chatbot/releases/${name}/${version}/`;
}

/** A folder for all releases of a remote with files named by content. No version has this name. */
export const SHARED_FOLDER = 'files';

/** The base URL of files that are named by their content: unchanged files keep their URL and are not downloaded again. */
export function sharedBase({ name }: Pick<Named, 'name'>): string {
  return `/chatbot/releases/${name}/${SHARED_FOLDER}/`;
}

/** Whether the release is hosted by its team. */
export function isElsewhere({ base }: { base: string }): boolean {
  return URL.canParse(base);
}

/** Whether the name has 12 or more hex digits of the file's SHA-256, as in our builds. */
export function isNamedByContent(path: string, bytes: Buffer): boolean {
  const digits = /\.([0-9a-f]{12,64})\.[a-z0-9]+$/.exec(path)?.[1];
  return digits !== undefined && createHash('sha256').update(bytes).digest('hex').startsWith(digits);
}

/** The media type of a file, by its name. HTML is sent as plain text: a release's file must never be displayed as a page. */
export function mediaType(path: string): string {
  return (types as Record<string, string>)[extname(path).toLowerCase()] ?? 'application/octet-stream';
}

/** Whether brotli and gzip are worthwhile for this type. */
export function isCompressible(type: string): boolean {
  return /^text\/|json|svg|wasm/.test(type);
}
