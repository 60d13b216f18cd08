import type { ReleaseFileInfo } from './releases.ts';

export interface ChosenRelease {
  name: string;
  /** `mfe-chat@1.4.0`. */
  release: string;
  version: string;
  base: string;
  /** SHA-256 (hex) of the release's content: the same digest means the same build. */
  digest: string;
  /** The release that a tab falls back to. */
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

/** GET /ops/pointer: what this server's environment serves. */
export interface PointerInfo {
  environment: string;
  revision: number;
  composition: CompositionInfo;
  /**
   * Target of a rollback without an explicit one: the previous composition, unless pages reported that its
   * releases fail. null if there is none.
   */
  previous: string | null;
  movedAt: string;
  /** The first of `canaries`, or null. */
  canary: CanaryInfo | null;
  /** Oldest first; no two change the same part. A visitor may be in several. */
  canaries: CanaryInfo[];
  /** Until then nothing else goes live, except by a rollback with `force`; null if there is none. */
  freeze: { until: string; at: string; author: string; reason: string } | null;
  /** Parts whose live release does not change, except by a rollback with `force`. */
  pins: { part: string; at: string; author: string; reason: string }[];
  /** While it lasts, the live composition is rolled back to `from` if its pages fail; null if it is not watched. */
  watch: { startedAt: string; until: string; from: string } | null;
  /** Warnings on the composition or canary that this call has just made live; see `CheckReport`. */
  warnings?: CheckFinding[];
}

/**
 * GET /ops/environments → `{environments}`, production first, then by name: the server's own environment, and all
 * others of its database in which something has been live. A server changes only its own.
 */
export interface EnvironmentInfo {
  name: string;
  isOwn: boolean;
  /** The pointer's revision; 0 if nothing has been live. */
  revision: number;
  /** The live composition; null if nothing has been live. */
  composition: CompositionInfo | null;
  movedAt: string | null;
}

export interface CanaryInfo {
  /** Stays the same when another canary goes live, unlike the id of `composition`. */
  id: string;
  composition: CompositionInfo;
  /** Percentage of visitors, 0 to 100. */
  share: number;
  author: string;
  reason: string;
  startedAt: string;
  /**
   * Set if it was halted automatically: visitors get the live composition until its share is set again or it
   * is aborted.
   */
  halted: { at: string; reason: string } | null;
  /** Set while its plan is suspended. */
  paused: { at: string; author: string; reason: string } | null;
  /** How its share increases automatically; null if it keeps its share. */
  plan: (Required<StepPlan> & { since: string }) | null;
}

/**
 * Increases the share of a canary step by step. A step ends after `everySeconds` (1 to 30 days), once at least
 * `minPages` pages (default 20) have loaded each changed release during it, unless the canary is halted or
 * paused.
 */
export interface StepPlan {
  /** At most 20 increasing shares; the first is below 100. 100 makes the canary live; without it, the last is kept. */
  steps: number[];
  everySeconds: number;
  minPages?: number;
}

/** GET /ops/canary → `{canaries}`: the progress of each canary. */
export interface CanaryProgress extends CanaryInfo {
  /** Pages that have loaded each changed part in this step, or since the canary started if it has no plan. */
  pages: Record<string, number>;
  /** What the next step waits for; null if there is no further step. */
  waitsFor: 'time' | 'pages' | 'resume' | 'restart' | 'freeze' | 'pin' | null;
  /** The next share; null if there is no further step. */
  nextShare: number | null;
  /** Earliest time of the next step. */
  nextAt: string | null;
}

/**
 * The composition to make live: releases that replace those of the same remotes in the live composition, or
 * an existing composition.
 */
export type CompositionChoice = ({ releases: string[]; without?: string[] } | { composition: string }) & {
  /** Accepts a route with a weaker guard than the live route of the same path has. Default false. */
  allowWeakerGuard?: boolean;
};

/**
 * Part of every change. `author` is a name of at most 100 characters; `reason` at most 500. `revision` is the
 * pointer's revision that the change is based on.
 */
export interface ChangeNote {
  author: string;
  reason: string;
  revision?: number;
}

/**
 * POST /ops/compositions: stores a composition without making it live; 201 `CompositionInfo`, or 200 if it
 * existed. POST /ops/pointer makes it live → `PointerInfo`, and ends a canary, which was based on the
 * previous composition. Choosing what is already live does not move the pointer.
 */
export type SetComposition = CompositionChoice & ChangeNote;

/**
 * Optional field of POST /ops/pointer: for this long (1 to 1440) the server rolls back by itself if pages of the new
 * composition fail as those of a canary that is halted.
 */
export interface WatchRequest {
  watchMinutes?: number;
}

/**
 * Optional field of POST /ops/pointer: the releases were live in another environment, and the move is recorded as
 * a promotion. Within one database the server verifies this, and returns 409 `conflict` with the field
 * `promotedFrom` if something else is live there by now.
 */
export interface PromotedFrom {
  environment: string;
  /** Origin of the other server; missing for another environment of the same database. */
  server?: string;
  /** The composition that was live there, and the revision of its pointer. */
  composition: string;
  revision: number;
}

/**
 * POST /ops/pointer/rollback → `PointerInfo`: exactly that composition goes live again, and a canary ends.
 * Default of `to`: the previous composition.
 */
export interface RollBack extends ChangeNote {
  to?: string;
  /** Also during a freeze, and for pinned parts. Default false. */
  force?: boolean;
}

/**
 * POST /ops/freeze → `PointerInfo`; POST /ops/unfreeze takes a ChangeNote. While frozen, changes get 409 with the
 * author and the reason, and canaries take no step; ending and halting one is possible.
 */
export interface FreezeRequest extends ChangeNote {
  /** ISO 8601 with an offset, at most 366 days from now. */
  until: string;
}

/** POST /ops/pin and /ops/unpin → `PointerInfo`. The reason of a freeze and of a pin must not be empty. */
export interface PinRequest extends ChangeNote {
  /** A part of the live composition: a remote, or `host`. */
  remote: string;
}

/** POST /ops/canary starts a canary → `PointerInfo`, with either a share or a plan. */
export type StartCanary = SetComposition & { share?: number; plan?: StepPlan };

/**
 * POST /ops/canary/promote, /abort, /pause and /resume → `PointerInfo`. `canary` is a part that it changes or the
 * first digits of its id; it may be omitted if there is only one.
 */
export interface CanaryChange extends ChangeNote {
  canary?: string;
}

/** PATCH /ops/canary → `PointerInfo`. A halted canary restarts. */
export interface ShareCanary extends CanaryChange {
  share: number;
}

/**
 * `start` is a move by `npm start`; `step` and `halt` are automatic moves of a canary; `promote` is a canary that went
 * live for everyone, or a promotion from another environment.
 */
export type MoveKind =
  | 'start'
  | 'set'
  | 'rollback'
  | 'canary'
  | 'share'
  | 'step'
  | 'pause'
  | 'resume'
  | 'promote'
  | 'abort'
  | 'halt'
  | 'freeze'
  | 'unfreeze'
  | 'pin'
  | 'unpin'
  | 'yank'
  | 'unyank';

/**
 * With PRODUCTION_APPROVALS=2, calls that change what visitors get in production return 202 `{change: PendingChange}`
 * instead of `PointerInfo`: setting, promoting, rolling back to a composition of choice, and starting, resizing,
 * resuming or promoting a canary. A rollback to the default target and the end of a canary take effect at once.
 * GET /ops/changes `?cursor=&limit=` → `{changes, nextCursor}`, newest first. POST /ops/changes/:id/approve, with
 * another token that existed when the change was requested, → `PointerInfo`; 409 `conflict` if the pointer has moved
 * since. POST /ops/changes/:id/reject, also with the same token, → `PendingChange`.
 */
export interface PendingChange {
  /** 8 hex digits. */
  id: string;
  kind: 'set' | 'rollback' | 'canary' | 'share' | 'resume' | 'promote';
  /** The body of the call, without the fields of `ChangeNote`. */
  request: Record<string, unknown>;
  /** What it names, for display: `mfe-chat@1.5.0`, `−mfe-records` for one taken out, `4f2a91c0`, `25%`. */
  names: string[];
  author: string;
  reason: string;
  /** Name of the token that requested it. */
  token: string;
  /** The pointer's revision that it is based on. */
  revision: number;
  /** `outdated`: the pointer has moved since. */
  state: 'waiting' | 'applied' | 'rejected' | 'expired' | 'outdated';
  requestedAt: string;
  /** A day later. */
  expiresAt: string;
  approvedBy: string | null;
  rejectedBy: string | null;
}

/** GET /ops/history `?cursor=&limit=` → `{moves, nextCursor}`, newest first. Append-only. */
export interface MoveInfo {
  /** The pointer's revision after the move. */
  revision: number;
  kind: MoveKind;
  at: string;
  author: string;
  reason: string;
  /** Name of the token that requested it. Missing for automatic moves and for those of earlier versions. */
  token?: string;
  /** Name of the second token, if the change had to be approved. */
  approvedBy?: string;
  /** The live composition after the move. */
  composition: string;
  /** The live composition before the move; null at first. */
  from: string | null;
  /**
   * The canary that the move concerns, and its share after the move; for a `set` or `rollback` that ended
   * canaries, the first of them.
   */
  canary: string | null;
  share: number | null;
  /** Set for a promotion from another environment. */
  promotedFrom?: PromotedFrom;
  /**
   * Changes of `canary` relative to the live composition, otherwise of the new live composition relative to
   * the previous one.
   */
  changes: ReleaseChange[];
}

/** Versions; null if there was, or is, none. */
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
  /** Difference of the total size in bytes. */
  bytes: number;
}

export interface PartDiff extends ReleaseChange {
  added: ReleaseFileInfo[];
  removed: ReleaseFileInfo[];
  /** Number of files in both. */
  kept: number;
  bytes: number;
  exposesAdded: string[];
  exposesRemoved: string[];
  /** Ranges that differ, `{library, from, to}`. */
  shared: { library: string; from: string | null; to: string | null }[];
  contract: { from: string | null; to: string | null };
}

export type CheckRule =
  | 'reachable'
  | 'integrity'
  | 'exposes'
  | 'shared'
  | 'contract'
  | 'names'
  | 'routes'
  | 'yanked'
  | 'mount';

/**
 * One reason why a composition cannot go live: where, which rule, the problem and advice, in the caller's
 * language.
 */
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
 * POST /ops/check takes a `CompositionChoice`, with the ops token or a release token; with `author` and
 * `reason`, `composition` is exactly the id that setting it would create. Files of releases that are already
 * live are not checked, unless nothing else was chosen. The same check is part of every call that makes
 * something live, which returns 422 `check_failed` with `findings` in the error body.
 */
export interface CheckReport {
  /** The id that the choice has or would have. */
  composition: string;
  isFine: boolean;
  findings: CheckFinding[];
  /** Findings that do not prevent going live but may be unintended. Missing if there are none. */
  warnings?: CheckFinding[];
  /** Number of items checked by rule: files, modules, libraries … */
  looked: Partial<Record<CheckRule, number>>;
  tookMs: number;
}

/** The file that `compose export` prints. */
export interface ExportedComposition extends CompositionInfo {
  format: 'desk-composition/1';
}

/**
 * POST /ops/compositions/import → `ImportedComposition`: stores an exported composition under its own id, if that is
 * the hash of its content and this server has each release with the same digest. 404 `not_found` or 409
 * `version_taken` with the field `releases` name those that it does not have. Nothing goes live.
 */
export type ImportComposition = ExportedComposition;

export interface ImportedComposition {
  composition: CompositionInfo;
  /** Whether it did not exist before. */
  isNew: boolean;
  /** Fallback releases that this server does not have. */
  missingFallbacks: string[];
}

/**
 * POST /ops/override → `OverrideLink`. `remote` and `address` (of a remote entry, within RELEASE_ORIGINS), or
 * `composition`, for a page of a composition that is not live. `minutes` 1–480 (default 60).
 */
export type OverrideRequest = { minutes?: number; author: string } & (
  | { remote: string; address: string }
  | { composition: string }
);

/**
 * POST /ops/previews → 201 `PreviewInfo`, with a token of scope `preview`: a link that shows a composition, or
 * releases in place of those in the live composition, to whoever opens it. Nothing is checked, and what is live does
 * not change. With a `name`, such as that of a branch, the link stays the same whenever another composition is given
 * to it. `hours` 1–24 (default 24).
 */
export type PreviewRequest = CompositionChoice & { author: string; name?: string; hours?: number };

export interface PreviewInfo extends OverrideLink {
  name: string | null;
  composition: CompositionInfo;
}

/** Open `url` in the browser that is to see it; /chatbot/override/leave ends it there. */
export interface OverrideLink {
  url: string;
  expiresAt: string;
}

/** GET /ops/live, for anyone: the composition of this visitor's next page. */
export interface NextPage {
  composition: string;
}
