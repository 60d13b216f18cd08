import type { ReleaseFileInfo } from './releases.ts';

export interface ChosenRelease {
  name: string;
  /** `mfe-chat@1.4.0`. */
  release: string;
  version: string;
  base: string;
  /** What a tab falls back to. */
  previous: string | null;
}

/** GET /ops/compositions/:id; GET /ops/compositions `?cursor=&limit=` → `{compositions, nextCursor}`, newest first. */
export interface CompositionInfo {
  id: string;
  host: ChosenRelease;
  remotes: ChosenRelease[];
  parent: string | null;
  author: string;
  reason: string;
  createdAt: string;
}

/** GET /ops/pointer: what this environment serves. One store is one environment. */
export interface PointerInfo {
  revision: number;
  composition: CompositionInfo;
  /**
   * What a roll back without an aim leads to: what was live before, unless pages have seen its releases failing. null where there is
   * nothing to go back to.
   */
  previous: string | null;
  movedAt: string;
  canary: CanaryInfo | null;
  /** Of what the call has just made live, or a canary; see `CheckReport`. */
  warnings?: CheckFinding[];
}

export interface CanaryInfo {
  composition: CompositionInfo;
  /** Percent of visitors, 0 to 100. */
  share: number;
  author: string;
  reason: string;
  startedAt: string;
  /** Set when it stopped by itself: visitors get what is live, until its share is set anew or it is aborted. */
  halted: { at: string; reason: string } | null;
}

/** What is to be live: releases put in the place of those of the same remotes in what is live now, or a composition that is there. */
export type CompositionChoice = { releases: string[]; without?: string[] } | { composition: string };

/** Said with every change. `author` is a name, ≤ 100; `reason` ≤ 500. `revision` is the pointer's that the change was decided on. */
export interface ChangeNote {
  author: string;
  reason: string;
  revision?: number;
}

/**
 * POST /ops/compositions: keeps it without making it live; 201 `CompositionInfo`, 200 when it stood already. POST /ops/pointer makes
 * it live → `PointerInfo`, and ends a canary, which was chosen upon what is live no more. What is live already is no move.
 */
export type SetComposition = CompositionChoice & ChangeNote;

/** POST /ops/pointer/rollback → `PointerInfo`: that very composition goes live again, and a canary ends. Without `to`: what was live before. */
export interface RollBack extends ChangeNote {
  to?: string;
}

/** POST /ops/canary begins one → `PointerInfo`; PATCH /ops/canary `{share}`; POST /ops/canary/promote and /abort take a ChangeNote. */
export type StartCanary = SetComposition & { share: number };

export type MoveKind = 'start' | 'set' | 'rollback' | 'canary' | 'share' | 'promote' | 'abort' | 'halt';

/** GET /ops/history `?cursor=&limit=` → `{moves, nextCursor}`, newest first. Only ever added to. */
export interface MoveInfo {
  /** The pointer's after the move. */
  revision: number;
  kind: MoveKind;
  at: string;
  author: string;
  reason: string;
  /** Live after the move. */
  composition: string;
  /** Live before; null at first. */
  from: string | null;
  /** The canary after the move, and its share; of `promote`, `abort` and `halt`, and of a `set` or `rollback` that ended one, the one that ended. */
  canary: string | null;
  share: number | null;
  /** Of `canary` against what is live, else of what became live against what was. */
  changes: ReleaseChange[];
}

/** Versions; null where there was, or is, none. */
export interface ReleaseChange {
  name: string;
  from: string | null;
  to: string | null;
}

/** GET /ops/diff `?from=&to=`, ids of compositions. */
export interface CompositionDiff {
  from: string;
  to: string;
  /** Host first, then by name; equal parts have no lists. */
  parts: PartDiff[];
  /** Bytes more (or less) in all. */
  bytes: number;
}

export interface PartDiff extends ReleaseChange {
  added: ReleaseFileInfo[];
  removed: ReleaseFileInfo[];
  /** Files that both have. */
  kept: number;
  bytes: number;
  exposesAdded: string[];
  exposesRemoved: string[];
  /** Ranges that differ, `{library, from, to}`. */
  shared: { library: string; from: string | null; to: string | null }[];
  contract: { from: string | null; to: string | null };
}

export type CheckRule = 'reachable' | 'integrity' | 'exposes' | 'shared' | 'contract' | 'names' | 'mount';

/** One thing that keeps a composition from going live: where, which rule, what is wrong and what to do, in the caller's language. */
export interface CheckFinding {
  rule: CheckRule;
  /** 'mfe-chat'. */
  remote: string;
  /** 'mfe-chat@1.4.0'. */
  release: string;
  message: string;
  advice: string;
}

/**
 * POST /ops/check takes a `CompositionChoice`, by the ops token or a release token; with `author` and `reason` too, `composition` is the
 * very id that setting it would make. Files of what is live already are not looked at, unless it is all that was chosen. The same
 * check is made by every call that would make something live, which answers 422 `check_failed` with `findings` in the error's body.
 */
export interface CheckReport {
  /** The id that the choice has or would have. */
  composition: string;
  isFine: boolean;
  findings: CheckFinding[];
  /** What keeps nothing from going live, and may not be meant. Left out where there is nothing. */
  warnings?: CheckFinding[];
  /** How much was looked at, by rule: files, modules, libraries … */
  looked: Partial<Record<CheckRule, number>>;
  tookMs: number;
}

/**
 * POST /ops/override → `OverrideLink`. `remote` and `address` (of a remote entry, within RELEASE_ORIGINS), or `composition`, for a
 * page of a composition that is not live. `minutes` 1–480 (60).
 */
export type OverrideRequest = { minutes?: number; author: string } & (
  | { remote: string; address: string }
  | { composition: string }
);

/** `url` is to be opened in the browser that shall see it; /chatbot/override/leave ends it there. */
export interface OverrideLink {
  url: string;
  expiresAt: string;
}

/** GET /ops/live, for anyone: the composition that this visitor's next page would be rendered with. */
export interface NextPage {
  composition: string;
}
