import type { CheckFinding, CheckRule, Language } from '../../contract/contract.ts';
import type { Release, ReleaseFile } from '../release.ts';
import type { ParsedModule } from './parse-module.ts';

/** The same in both languages. */
export type Words = readonly [zh: string, en: string];

/** What is to be live together. */
export interface CheckedParts {
  host: Release;
  /** Sorted by name. */
  remotes: readonly Release[];
}

/** What a rule may look at besides the parts themselves. */
export interface CheckContext {
  /** Every file of every part, as a browser would find it. Read once for all rules. */
  files(): Promise<CheckedFile[]>;
  /** Every published release of that name, the newest version first: what could be chosen instead. */
  releasesOf(name: string): Promise<Candidate[]>;
}

export interface CheckedFile {
  release: Release;
  file: ReleaseFile;
  /** null when it is there and as it was published. */
  fault: FileFault | null;
  /** Of a script that pages load as a module, where it is as it was published. */
  module: ParsedModule | null;
}

export interface FileFault {
  rule: 'reachable' | 'integrity';
  why: Words;
}

/** The part of a release that choosing another one is decided by. */
export type Candidate = Pick<
  Release,
  '_id' | 'name' | 'version' | 'contract' | 'shared' | 'exposes' | 'routes'
>;

/** One thing that is wrong with `release` of `remote`; '' where the composition has none. */
export interface Finding {
  remote: string;
  release: string;
  message: Words;
  advice: Words;
}

export interface Ruled {
  findings: Finding[];
  /** How many things were looked at: files, modules, libraries. */
  looked: number;
}

/** Looks at a composition from one side. Never throws for what is wrong with it. */
export type Rule = (parts: CheckedParts, context: CheckContext) => Ruled | Promise<Ruled>;

/** A rule's finding as its caller is told of it. */
export function inLanguage(rule: CheckRule, finding: Finding, language: Language): CheckFinding {
  const choice = language === 'en' ? 1 : 0;
  const { remote, release, message, advice } = finding;
  return { rule, remote, release, message: message[choice], advice: advice[choice] };
}
