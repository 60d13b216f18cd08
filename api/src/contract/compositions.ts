import { z } from 'zod';
import { exactPartial, line } from './fields.ts';
import { ReleaseFileInfo } from './releases.ts';

export const ChosenRelease = z.object({
  name: z.string(),
  /** `mfe-chat@1.4.0`. */
  release: z.string(),
  version: z.string(),
  base: z.string(),
  /** SHA-256 (hex) of the release's content: the same digest means the same build. */
  digest: z.string(),
  /** The release that a tab falls back to. */
  previous: z.string().nullable(),
});
export type ChosenRelease = z.infer<typeof ChosenRelease>;

/** GET /ops/compositions/:id; GET /ops/compositions `?cursor=&limit=` → `{compositions, nextCursor}`, newest first. */
export const CompositionInfo = z.object({
  id: z.string(),
  host: ChosenRelease,
  remotes: z.array(ChosenRelease),
  parent: z.string().nullable(),
  author: z.string(),
  reason: z.string(),
  createdAt: z.string(),
});
export type CompositionInfo = z.infer<typeof CompositionInfo>;

/** Percentage of visitors. */
const Share = z.number().min(0).max(100);

const planFields = {
  /** At most 20 increasing shares; the first is below 100. 100 makes the canary live; without it, the last is kept. */
  steps: z.array(Share.gt(0)).min(1).max(20),
  /** 1 to 30 days. */
  everySeconds: z.int().min(1).max(2_592_000),
  /** Default 20. */
  minPages: z.int().min(1).max(1_000_000),
};

/**
 * Increases the share of a canary step by step. A step ends after `everySeconds`, once at least `minPages` pages have
 * loaded each changed release during it, unless the canary is halted or paused.
 */
export const StepPlan = z
  .strictObject({ ...planFields, minPages: planFields.minPages.exactOptional() })
  .refine(({ steps }) => steps[0]! < 100 && steps.every((share, at) => at === 0 || share > steps[at - 1]!), {
    path: ['steps'],
  });
export type StepPlan = z.infer<typeof StepPlan>;

export const CanaryInfo = z.object({
  /** Stays the same when another canary goes live, unlike the id of `composition`. */
  id: z.string(),
  composition: CompositionInfo,
  /** Percentage of visitors, 0 to 100. */
  share: z.number(),
  author: z.string(),
  reason: z.string(),
  startedAt: z.string(),
  /**
   * Set if it was halted automatically: visitors get the live composition until its share is set again or it
   * is aborted.
   */
  halted: z.object({ at: z.string(), reason: z.string() }).nullable(),
  /** Set while its plan is suspended. */
  paused: z.object({ at: z.string(), author: z.string(), reason: z.string() }).nullable(),
  /** How its share increases automatically; null if it keeps its share. */
  plan: z.object({ ...planFields, since: z.string() }).nullable(),
});
export type CanaryInfo = z.infer<typeof CanaryInfo>;

export const CheckRule = z.enum([
  'reachable',
  'integrity',
  'exposes',
  'shared',
  'contract',
  'names',
  'routes',
  'yanked',
  'mount',
]);
export type CheckRule = z.infer<typeof CheckRule>;

/**
 * One reason why a composition cannot go live: where, which rule, the problem and advice, in the caller's
 * language.
 */
export const CheckFinding = z.object({
  rule: CheckRule,
  /** 'mfe-chat'. */
  remote: z.string(),
  /** 'mfe-chat@1.4.0'. */
  release: z.string(),
  message: z.string(),
  advice: z.string(),
});
export type CheckFinding = z.infer<typeof CheckFinding>;

/** GET /ops/pointer: what this server's environment serves. */
export const PointerInfo = z.object({
  environment: z.string(),
  revision: z.number(),
  composition: CompositionInfo,
  /**
   * Target of a rollback without an explicit one: the previous composition, unless pages reported that its
   * releases fail. null if there is none.
   */
  previous: z.string().nullable(),
  movedAt: z.string(),
  /** The first of `canaries`, or null. */
  canary: CanaryInfo.nullable(),
  /** Oldest first; no two change the same part. A visitor may be in several. */
  canaries: z.array(CanaryInfo),
  /** Until then nothing else goes live, except by a rollback with `force`; null if there is none. */
  freeze: z.object({ until: z.string(), at: z.string(), author: z.string(), reason: z.string() }).nullable(),
  /** Parts whose live release does not change, except by a rollback with `force`. */
  pins: z.array(z.object({ part: z.string(), at: z.string(), author: z.string(), reason: z.string() })),
  /** While it lasts, the live composition is rolled back to `from` if its pages fail; null if it is not watched. */
  watch: z.object({ startedAt: z.string(), until: z.string(), from: z.string() }).nullable(),
  /** Warnings on the composition or canary that this call has just made live; see `CheckReport`. */
  warnings: z.array(CheckFinding).exactOptional(),
});
export type PointerInfo = z.infer<typeof PointerInfo>;

/**
 * GET /ops/environments → `{environments}`, production first, then by name: the server's own environment, and all
 * others of its database in which something has been live. A server changes only its own.
 */
export const EnvironmentInfo = z.object({
  name: z.string(),
  isOwn: z.boolean(),
  /** The pointer's revision; 0 if nothing has been live. */
  revision: z.number(),
  /** The live composition; null if nothing has been live. */
  composition: CompositionInfo.nullable(),
  movedAt: z.string().nullable(),
});
export type EnvironmentInfo = z.infer<typeof EnvironmentInfo>;

/** GET /ops/canary → `{canaries}`: the progress of each canary. */
export const CanaryProgress = CanaryInfo.extend({
  /** Pages that have loaded each changed part in this step, or since the canary started if it has no plan. */
  pages: z.record(z.string(), z.number()),
  /** What the next step waits for; null if there is no further step. */
  waitsFor: z.enum(['time', 'pages', 'resume', 'restart', 'freeze', 'pin']).nullable(),
  /** The next share; null if there is no further step. */
  nextShare: z.number().nullable(),
  /** Earliest time of the next step. */
  nextAt: z.string().nullable(),
});
export type CanaryProgress = z.infer<typeof CanaryProgress>;

/** The first digits of a composition's id, or all of them. */
export const CompositionId = z
  .string()
  .toLowerCase()
  .regex(/^[0-9a-f]{6,64}$/);
const FullId = z.string().regex(/^[0-9a-f]{64}$/);
const RemoteName = z.string().min(1).max(100);
/** Limit of names per request: more than the parts of any composition. */
const maxNames = 100;

/**
 * The composition to make live: releases that replace those of the same remotes in the live composition, and remotes
 * that it is `without`; or an existing composition.
 */
export const CompositionChoice = z
  .strictObject({
    releases: z.array(z.string().min(1).max(300)).max(maxNames).exactOptional(),
    without: z.array(RemoteName).max(maxNames).exactOptional(),
    composition: CompositionId.exactOptional(),
    /** Accepts a route with a weaker guard than the live route of the same path has. Default false. */
    allowWeakerGuard: z.boolean().exactOptional(),
  })
  .check(({ value: { releases = [], without = [], composition }, issues }) => {
    const isUpon = releases.length + without.length > 0;
    if (isUpon !== (composition !== undefined)) return;
    const message = 'expected either releases and without, or a composition';
    const path = [isUpon ? 'composition' : 'releases'];
    issues.push({ code: 'custom', message, path, input: composition });
  });
export type CompositionChoice = z.infer<typeof CompositionChoice>;

const Author = line(1, 100);
const Reason = line(0, 500);
/** Refused changes show the reason, so there must be one. */
const GivenReason = line(1, 500);

/** Part of every change. `revision` is the pointer's revision that the change is based on. */
export const ChangeNote = z.strictObject({
  author: Author,
  reason: Reason,
  revision: z.int().min(0).exactOptional(),
});
export type ChangeNote = z.infer<typeof ChangeNote>;

/**
 * POST /ops/compositions: stores a composition without making it live; 201 `CompositionInfo`, or 200 if it
 * existed.
 */
export const SetComposition = CompositionChoice.safeExtend(ChangeNote.shape);
export type SetComposition = z.infer<typeof SetComposition>;

/**
 * The releases were live in another environment, and the move is recorded as a promotion. Within one database the
 * server verifies this, and returns 409 `conflict` with the field `promotedFrom` if something else is live there by
 * now.
 */
export const PromotedFrom = z.strictObject({
  environment: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
  /** Origin of the other server; missing for another environment of the same database. */
  server: z
    .url({ protocol: /^https?$/ })
    .max(300)
    .exactOptional(),
  /** The composition that was live there, and the revision of its pointer. */
  composition: FullId,
  revision: z.int().min(1),
});
export type PromotedFrom = z.infer<typeof PromotedFrom>;

/**
 * POST /ops/pointer makes it live → `PointerInfo`, and ends a canary, which was based on the previous composition.
 * Choosing what is already live does not move the pointer.
 */
export const SetPointer = SetComposition.safeExtend({
  promotedFrom: PromotedFrom.exactOptional(),
  /**
   * For this long the server rolls back by itself if pages of the new composition fail as those of a canary that is
   * halted.
   */
  watchMinutes: z.int().min(1).max(1440).exactOptional(),
});
export type SetPointer = z.infer<typeof SetPointer>;

/** POST /ops/check → `CheckReport`. Default of `author`: `check`. */
export const CheckRequest = CompositionChoice.safeExtend(exactPartial(ChangeNote).shape);

/**
 * POST /ops/pointer/rollback → `PointerInfo`: exactly that composition goes live again, and a canary ends.
 * Default of `to`: the previous composition.
 */
export const RollBack = ChangeNote.extend({
  to: CompositionId.exactOptional(),
  /** Also during a freeze, and for pinned parts. Default false. */
  force: z.boolean().exactOptional(),
});
export type RollBack = z.infer<typeof RollBack>;

/**
 * POST /ops/freeze → `PointerInfo`; POST /ops/unfreeze takes a ChangeNote. While frozen, changes get 409 with the
 * author and the reason, and canaries take no step; ending and halting one is possible.
 */
export const FreezeRequest = ChangeNote.extend({
  reason: GivenReason,
  /** With an offset, at most 366 days from now. */
  until: z.iso.datetime({ offset: true }),
});
export type FreezeRequest = z.infer<typeof FreezeRequest>;

/** POST /ops/unpin → `PointerInfo`. `remote`: a part of the live composition, which may be `host`. */
export const UnpinRequest = ChangeNote.extend({ remote: RemoteName });

/** POST /ops/pin → `PointerInfo`. */
export const PinRequest = UnpinRequest.extend({ reason: GivenReason });
export type PinRequest = z.infer<typeof PinRequest>;

/** POST /ops/releases/:id/yank → `YankedRelease`. */
export const YankRequest = ChangeNote.pick({ author: true }).extend({ reason: GivenReason });
/** POST /ops/releases/:id/unyank → `YankedRelease`. */
export const UnyankRequest = ChangeNote.omit({ revision: true });

/** POST /ops/canary starts a canary → `PointerInfo`, with either a share or a plan. */
export const StartCanary = SetComposition.safeExtend({
  share: Share.exactOptional(),
  plan: StepPlan.exactOptional(),
}).refine(({ share, plan }) => (share === undefined) !== (plan === undefined), { path: ['share'] });
export type StartCanary = z.infer<typeof StartCanary>;

/**
 * POST /ops/canary/promote, /abort, /pause and /resume → `PointerInfo`. `canary` is a part that it changes or the
 * first digits of its id; it may be omitted if there is only one.
 */
export const CanaryChange = ChangeNote.extend({ canary: z.string().min(1).max(100).exactOptional() });
export type CanaryChange = z.infer<typeof CanaryChange>;

/** PATCH /ops/canary → `PointerInfo`. A halted canary restarts. */
export const ShareCanary = CanaryChange.extend({ share: Share });
export type ShareCanary = z.infer<typeof ShareCanary>;

/**
 * `start` is a move by `npm start`; `step` and `halt` are automatic moves of a canary; `promote` is a canary that went
 * live for everyone, or a promotion from another environment.
 */
export const MoveKind = z.enum([
  'start',
  'set',
  'rollback',
  'canary',
  'share',
  'step',
  'pause',
  'resume',
  'promote',
  'abort',
  'halt',
  'freeze',
  'unfreeze',
  'pin',
  'unpin',
  'yank',
  'unyank',
]);
export type MoveKind = z.infer<typeof MoveKind>;

/**
 * With PRODUCTION_APPROVALS=2, calls that change what visitors get in production return 202 `{change: PendingChange}`
 * instead of `PointerInfo`: setting, promoting, rolling back to a composition of choice, and starting, resizing,
 * resuming or promoting a canary. A rollback to the default target and the end of a canary take effect at once.
 * GET /ops/changes `?cursor=&limit=` → `{changes, nextCursor}`, newest first. POST /ops/changes/:id/approve, with
 * another token that existed when the change was requested, → `PointerInfo`; 409 `conflict` if the pointer has moved
 * since. POST /ops/changes/:id/reject, also with the same token, → `PendingChange`.
 */
export const PendingChange = z.object({
  /** 8 hex digits. */
  id: z.string(),
  kind: z.enum(['set', 'rollback', 'canary', 'share', 'resume', 'promote']),
  /** The body of the call, without the fields of `ChangeNote`. */
  request: z.record(z.string(), z.unknown()),
  /** What it names, for display: `mfe-chat@1.5.0`, `−mfe-records` for one taken out, `4f2a91c0`, `25%`. */
  names: z.array(z.string()),
  author: z.string(),
  reason: z.string(),
  /** Name of the token that requested it. */
  token: z.string(),
  /** The pointer's revision that it is based on. */
  revision: z.number(),
  /** `outdated`: the pointer has moved since. */
  state: z.enum(['waiting', 'applied', 'rejected', 'expired', 'outdated']),
  requestedAt: z.string(),
  /** A day later. */
  expiresAt: z.string(),
  approvedBy: z.string().nullable(),
  rejectedBy: z.string().nullable(),
});
export type PendingChange = z.infer<typeof PendingChange>;

/** Versions; null if there was, or is, none. */
export const ReleaseChange = z.object({
  name: z.string(),
  from: z.string().nullable(),
  to: z.string().nullable(),
});
export type ReleaseChange = z.infer<typeof ReleaseChange>;

/** GET /ops/history `?cursor=&limit=` → `{moves, nextCursor}`, newest first. Append-only. */
export const MoveInfo = z.object({
  /** The pointer's revision after the move. */
  revision: z.number(),
  kind: MoveKind,
  at: z.string(),
  author: z.string(),
  reason: z.string(),
  /** Name of the token that requested it. Missing for automatic moves and for those of earlier versions. */
  token: z.string().exactOptional(),
  /** Name of the second token, if the change had to be approved. */
  approvedBy: z.string().exactOptional(),
  /** The live composition after the move. */
  composition: z.string(),
  /** The live composition before the move; null at first. */
  from: z.string().nullable(),
  /**
   * The canary that the move concerns, and its share after the move; for a `set` or `rollback` that ended
   * canaries, the first of them.
   */
  canary: z.string().nullable(),
  share: z.number().nullable(),
  /** Set for a promotion from another environment. */
  promotedFrom: PromotedFrom.exactOptional(),
  /**
   * Changes of `canary` relative to the live composition, otherwise of the new live composition relative to
   * the previous one.
   */
  changes: z.array(ReleaseChange),
});
export type MoveInfo = z.infer<typeof MoveInfo>;

export const PartDiff = ReleaseChange.extend({
  added: z.array(ReleaseFileInfo),
  removed: z.array(ReleaseFileInfo),
  /** Number of files in both. */
  kept: z.number(),
  bytes: z.number(),
  exposesAdded: z.array(z.string()),
  exposesRemoved: z.array(z.string()),
  /** Ranges that differ, `{library, from, to}`. */
  shared: z.array(z.object({ library: z.string(), from: z.string().nullable(), to: z.string().nullable() })),
  contract: z.object({ from: z.string().nullable(), to: z.string().nullable() }),
});
export type PartDiff = z.infer<typeof PartDiff>;

/** Query of GET /ops/diff. */
export const DiffQuery = z.object({ from: CompositionId, to: CompositionId });

/** GET /ops/diff → how two compositions differ. */
export const CompositionDiff = z.object({
  from: z.string(),
  to: z.string(),
  /** Host first, then by name; equal parts have no lists. */
  parts: z.array(PartDiff),
  /** Difference of the total size in bytes. */
  bytes: z.number(),
});
export type CompositionDiff = z.infer<typeof CompositionDiff>;

/**
 * POST /ops/check takes a `CompositionChoice`, with the ops token or a release token; with `author` and
 * `reason`, `composition` is exactly the id that setting it would create. Files of releases that are already
 * live are not checked, unless nothing else was chosen. The same check is part of every call that makes
 * something live, which returns 422 `check_failed` with `findings` in the error body.
 */
export const CheckReport = z.object({
  /** The id that the choice has or would have. */
  composition: z.string(),
  isFine: z.boolean(),
  findings: z.array(CheckFinding),
  /** Findings that do not prevent going live but may be unintended. Missing if there are none. */
  warnings: z.array(CheckFinding).exactOptional(),
  /** Number of items checked by rule: files, modules, libraries … */
  looked: z.partialRecord(CheckRule, z.number()),
  tookMs: z.number(),
});
export type CheckReport = z.infer<typeof CheckReport>;

/** The file that `compose export` prints. */
export const ExportedComposition = CompositionInfo.extend({ format: z.literal('desk-composition/1') });
export type ExportedComposition = z.infer<typeof ExportedComposition>;

const ReleaseId = z.string().regex(/^[a-z][a-z0-9-]{0,63}@[\w.+-]{1,64}$/);
const Part = z
  .strictObject({
    name: z.string(),
    release: ReleaseId,
    version: z.string(),
    base: z
      .string()
      .max(1000)
      .regex(/^(https?:\/\/|\/chatbot\/releases\/)[^\p{Cc}]*\/$/u),
    digest: FullId,
    previous: ReleaseId.nullable(),
  })
  .refine(({ name, version, release }) => release === `${name}@${version}`);

/**
 * POST /ops/compositions/import → `ImportedComposition`: stores an exported composition under its own id, if that is
 * the hash of its content and this server has each release with the same digest. 404 `not_found` or 409
 * `version_taken` with the field `releases` name those that it does not have. Nothing goes live.
 */
export const ImportComposition = z.strictObject({
  format: ExportedComposition.shape.format,
  id: FullId,
  host: Part.refine(({ name }) => name === 'host'),
  remotes: z
    .array(Part)
    .max(maxNames)
    .refine((remotes) => {
      const names = remotes.map(({ name }) => name);
      return !names.includes('host') && names.every((name, at) => at === 0 || (names[at - 1] ?? '') < name);
    }),
  parent: FullId.nullable(),
  author: Author,
  reason: Reason,
  createdAt: z.string().max(40),
});
export type ImportComposition = z.infer<typeof ImportComposition>;

export const ImportedComposition = z.object({
  composition: CompositionInfo,
  /** Whether it did not exist before. */
  isNew: z.boolean(),
  /** Fallback releases that this server does not have. */
  missingFallbacks: z.array(z.string()),
});
export type ImportedComposition = z.infer<typeof ImportedComposition>;

/**
 * POST /ops/override → `OverrideLink`. `remote` and `address` (of a remote entry, within RELEASE_ORIGINS), or
 * `composition`, for a page of a composition that is not live.
 */
export const OverrideRequest = z.strictObject({
  author: Author,
  /** Default 60. */
  minutes: z.int().min(1).max(480).exactOptional(),
  remote: z.string().max(64).exactOptional(),
  /** Browsers store 4096 bytes per cookie, and the address is in it, signed and in Base64. */
  address: z.string().max(1024).exactOptional(),
  composition: CompositionId.exactOptional(),
});
export type OverrideRequest = z.infer<typeof OverrideRequest>;

/**
 * POST /ops/previews → 201 `PreviewInfo`, with a token of scope `preview`: a link that shows a composition, or
 * releases in place of those in the live composition, to whoever opens it. Nothing is checked, and what is live does
 * not change. With a `name`, such as that of a branch, the link stays the same whenever another composition is given
 * to it.
 */
export const PreviewRequest = CompositionChoice.safeExtend({
  author: Author,
  name: line(1, 100).exactOptional(),
  /** Default 24. */
  hours: z.int().min(1).max(24).exactOptional(),
});
export type PreviewRequest = z.infer<typeof PreviewRequest>;

/** Open `url` in the browser that is to see it; /chatbot/override/leave ends it there. */
export const OverrideLink = z.object({ url: z.string(), expiresAt: z.string() });
export type OverrideLink = z.infer<typeof OverrideLink>;

export const PreviewInfo = OverrideLink.extend({ name: z.string().nullable(), composition: CompositionInfo });
export type PreviewInfo = z.infer<typeof PreviewInfo>;

/** GET /ops/live, for anyone: the composition of this visitor's next page. */
export const NextPage = z.object({ composition: z.string() });
export type NextPage = z.infer<typeof NextPage>;
