import type { CheckFinding, CheckRule } from '../../contract/compositions.ts';
import type { Language } from '../../contract/language.ts';
import { type Text, type TextKey, textsOf, type Values } from '../../i18n/texts-of.ts';
import type { Release, ReleaseFile, Route } from '../data/release.ts';
import type { ParsedModule } from './parse-module.ts';

/** Releases that are to be live together. */
export interface CheckedParts {
  host: Release;
  /** Sorted by name. */
  remotes: readonly Release[];
}

/** Data that rules may read besides the releases themselves. */
export interface CheckContext {
  /** Every file of every release, as a browser would get it. Read once for all rules. */
  files(): Promise<CheckedFile[]>;
  /** The live routes, whose guards must not become weaker; empty if weaker guards are accepted. */
  guardedBy(): Promise<Route[]> | Route[];
  /** Every published release of that name, newest version first: the possible alternatives. */
  releasesOf(name: string): Promise<Candidate[]>;
}

export interface CheckedFile {
  release: Release;
  file: ReleaseFile;
  /** null if the file exists and is as it was published. */
  fault: FileFault | null;
  /** Set for an intact script that pages load first. */
  module: ParsedModule | null;
  /** Reasons why pages would refuse it. */
  refused?: readonly Text[];
}

export interface FileFault {
  rule: 'reachable' | 'integrity';
  why: Text;
}

/** The fields of a release that are needed to recommend it. */
export type Candidate = Pick<
  Release,
  '_id' | 'name' | 'version' | 'contract' | 'shared' | 'standard' | 'facades'
>;

/** One problem with `release` of `remote`; `release` is '' if the composition has none. */
export interface Finding {
  remote: string;
  release: string;
  message: Text;
  advice: Text;
}

const textOf = textsOf('findings');

/** Both texts get the same values: `name` and `release` of the release, and `values`. */
export function findingOn(
  { name, _id }: Pick<Release, 'name' | '_id'>,
  message: TextKey<'findings'>,
  advice: TextKey<'findings'> | Text,
  values: Values = {},
): Finding {
  const all = { name, release: _id, ...values };
  return {
    remote: name,
    release: _id,
    message: textOf(message, all),
    advice: typeof advice === 'string' ? textOf(advice, all) : advice,
  };
}

export interface Ruled {
  findings: Finding[];
  /** Number of things checked: files, modules, libraries. */
  looked: number;
}

/** Checks one aspect of a composition. Never throws because of a problem in it. */
export type Rule = (parts: CheckedParts, context: CheckContext) => Ruled | Promise<Ruled>;

/** Converts a finding to the response format, in one language. */
export function inLanguage(rule: CheckRule, finding: Finding, language: Language): CheckFinding {
  const { remote, release, message, advice } = finding;
  return { rule, remote, release, message: message(language), advice: advice(language) };
}
