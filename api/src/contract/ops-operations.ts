import { z } from 'zod';
import { AdministratorInfo, EditorInfo, PasswordProof, RightRequest } from './accounts.ts';
import {
  CanaryChange,
  CanaryProgress,
  ChangeNote,
  CheckReport,
  CheckRequest,
  CompositionDiff,
  CompositionInfo,
  DiffQuery,
  EnvironmentInfo,
  FreezeRequest,
  ImportComposition,
  ImportedComposition,
  MoveInfo,
  NextPage,
  OverrideLink,
  OverrideRequest,
  PendingChange,
  PinRequest,
  PointerInfo,
  PreviewInfo,
  PreviewRequest,
  RollBack,
  SetComposition,
  SetPointer,
  ShareCanary,
  StartCanary,
  UnpinRequest,
  UnyankRequest,
  YankRequest,
} from './compositions.ts';
import { nextCursor, PageQuery } from './fields.ts';
import { DeadJobs } from './jobs.ts';
import { ModelStatusList } from './models.ts';
import type { Operation } from './operation.ts';
import {
  OpsSession,
  ReleaseClaim,
  ReleaseDetails,
  ReleaseQuery,
  ReleaseSummary,
  ReleaseUpload,
  YankedRelease,
} from './releases.ts';
import { Health, HealthQuery, PageReport, ResolvedStack, StackRequest } from './reports.ts';
import { CreatedToken, NewToken, TokenInfo } from './tokens.ts';
import { CreatedWebhook, DeliveryQuery, NewWebhook, WebhookDelivery, WebhookInfo } from './webhooks.ts';

const token = { access: 'token' } as const;
const reader = { access: 'reader' } as const;
const anyone = { access: 'anyone' } as const;
const binary = 'application/octet-stream';

/** The change took effect, or waits for a second token. */
const changed = { 200: PointerInfo, 202: z.object({ change: PendingChange }) };
const moved = { 200: PointerInfo };

const rightOperations = (name: 'editors' | 'administrators', info: z.ZodType): Record<string, Operation> => ({
  [`GET /ops/${name}`]: {
    summary: `List ${name}`,
    ...token,
    replies: { 200: z.object({ [name]: z.array(info) }) },
  },
  [`POST /ops/${name}/grant`]: {
    summary: `Add an account to the ${name}`,
    ...token,
    body: RightRequest,
    replies: { 200: info },
  },
  [`POST /ops/${name}/revoke`]: {
    summary: `Remove an account from the ${name}`,
    ...token,
    body: RightRequest,
    replies: { 200: info },
  },
});

/** Every call below /ops, by method and path. */
export const opsOperations: Record<string, Operation> = {
  'GET /ops/live': {
    summary: "Read the composition of the visitor's next page",
    ...anyone,
    replies: { 200: NextPage },
  },
  'POST /ops/reports': {
    summary: 'Report events of a page',
    ...anyone,
    body: PageReport,
    replies: { 204: null },
  },
  'POST /ops/violations': {
    summary: 'Report violations of a page, as browsers do',
    ...anyone,
    body: 'application/reports+json',
    replies: { 204: null },
  },

  'GET /ops/pointer': { summary: 'Read what is live', ...reader, replies: moved },
  'POST /ops/pointer': {
    summary: 'Make a composition live',
    ...token,
    body: SetPointer,
    replies: changed,
  },
  'POST /ops/pointer/rollback': {
    summary: 'Make an earlier composition live',
    ...token,
    body: RollBack,
    replies: changed,
  },
  'POST /ops/check': {
    summary: 'Check whether a composition could go live',
    ...token,
    body: CheckRequest,
    replies: { 200: CheckReport },
  },
  'POST /ops/freeze': { summary: 'Freeze what is live', ...token, body: FreezeRequest, replies: moved },
  'POST /ops/unfreeze': { summary: 'End a freeze', ...token, body: ChangeNote, replies: moved },
  'POST /ops/pin': { summary: 'Keep the release of a part', ...token, body: PinRequest, replies: moved },
  'POST /ops/unpin': { summary: 'Release a pinned part', ...token, body: UnpinRequest, replies: moved },
  'GET /ops/history': {
    summary: 'List moves of the pointer',
    ...reader,
    query: PageQuery,
    replies: { 200: z.object({ moves: z.array(MoveInfo), nextCursor }) },
  },
  'GET /ops/environments': {
    summary: 'List the environments of the database',
    ...reader,
    replies: { 200: z.object({ environments: z.array(EnvironmentInfo) }) },
  },

  'GET /ops/compositions': {
    summary: 'List compositions',
    ...reader,
    query: PageQuery,
    replies: { 200: z.object({ compositions: z.array(CompositionInfo), nextCursor }) },
  },
  'POST /ops/compositions': {
    summary: 'Store a composition',
    ...token,
    body: SetComposition,
    replies: { 200: CompositionInfo, 201: CompositionInfo },
  },
  'POST /ops/compositions/import': {
    summary: 'Store an exported composition',
    ...token,
    body: ImportComposition,
    replies: { 200: ImportedComposition, 201: ImportedComposition },
  },
  'GET /ops/compositions/:id': {
    summary: 'Read a composition',
    ...reader,
    replies: { 200: CompositionInfo },
  },
  'GET /ops/diff': {
    summary: 'Compare two compositions',
    ...reader,
    query: DiffQuery,
    replies: { 200: CompositionDiff },
  },

  'GET /ops/canary': {
    summary: 'List canaries and their progress',
    ...reader,
    replies: { 200: z.object({ canaries: z.array(CanaryProgress) }) },
  },
  'POST /ops/canary': { summary: 'Start a canary', ...token, body: StartCanary, replies: changed },
  'PATCH /ops/canary': {
    summary: 'Change the share of a canary',
    ...token,
    body: ShareCanary,
    replies: changed,
  },
  'POST /ops/canary/promote': {
    summary: 'Make a canary live for everyone',
    ...token,
    body: CanaryChange,
    replies: changed,
  },
  'POST /ops/canary/resume': {
    summary: 'Resume the plan of a canary',
    ...token,
    body: CanaryChange,
    replies: changed,
  },
  'POST /ops/canary/pause': {
    summary: 'Suspend the plan of a canary',
    ...token,
    body: CanaryChange,
    replies: moved,
  },
  'POST /ops/canary/abort': { summary: 'End a canary', ...token, body: CanaryChange, replies: moved },

  'GET /ops/changes': {
    summary: 'List changes that need a second token',
    ...reader,
    query: PageQuery,
    replies: { 200: z.object({ changes: z.array(PendingChange), nextCursor }) },
  },
  'POST /ops/changes/:id/approve': { summary: 'Approve a change', ...token, replies: moved },
  'POST /ops/changes/:id/reject': { summary: 'Reject a change', ...token, replies: { 200: PendingChange } },

  'POST /ops/override': {
    summary: 'Create a link to a page with a remote of another address',
    ...token,
    body: OverrideRequest,
    replies: { 201: OverrideLink },
  },
  'POST /ops/previews': {
    summary: 'Create a link to a composition that is not live',
    ...token,
    body: PreviewRequest,
    replies: { 201: PreviewInfo },
  },

  'GET /ops/releases': {
    summary: 'List releases',
    ...reader,
    query: ReleaseQuery,
    replies: { 200: z.object({ releases: z.array(ReleaseSummary), nextCursor }) },
  },
  'POST /ops/releases': {
    summary: 'Begin to upload a release, or register one of another origin',
    ...token,
    body: ReleaseUpload,
    replies: { 200: ReleaseClaim },
  },
  'GET /ops/releases/:id': { summary: 'Read a release', ...reader, replies: { 200: ReleaseDetails } },
  'GET /ops/releases/:id/upload': {
    summary: 'Read a release in the form of an upload',
    ...token,
    replies: { 200: ReleaseUpload },
  },
  'GET /ops/releases/:id/files/:path': {
    summary: 'Download a file of a release',
    ...token,
    replies: { 200: binary },
  },
  'PUT /ops/releases/:id/files/:path': {
    summary: 'Upload a file of a release',
    ...token,
    body: binary,
    replies: { 204: null },
  },
  'POST /ops/releases/:id/publish': {
    summary: 'Publish an uploaded release',
    ...token,
    replies: { 200: ReleaseDetails },
  },
  'POST /ops/releases/:id/yank': {
    summary: 'Withdraw a release',
    ...token,
    body: YankRequest,
    replies: { 200: YankedRelease },
  },
  'POST /ops/releases/:id/unyank': {
    summary: 'Undo the withdrawal of a release',
    ...token,
    body: UnyankRequest,
    replies: { 200: YankedRelease },
  },
  'POST /ops/stack': {
    summary: 'Find the sources of a stack trace',
    ...token,
    body: StackRequest,
    replies: { 200: ResolvedStack },
  },
  'GET /ops/health': {
    summary: 'Read reports of pages by release',
    ...reader,
    query: HealthQuery,
    replies: { 200: Health },
  },

  'POST /ops/session': {
    summary: 'Exchange a token for one of 30 minutes',
    ...token,
    replies: { 200: OpsSession },
  },
  'POST /api/operate': {
    summary: 'Prove the password of an account that may operate, for a token of 30 minutes',
    access: 'operate',
    body: PasswordProof,
    replies: { 200: OpsSession },
  },
  'GET /ops/tokens': {
    summary: 'List tokens',
    ...token,
    query: PageQuery,
    replies: { 200: z.object({ tokens: z.array(TokenInfo), nextCursor }) },
  },
  'POST /ops/tokens': {
    summary: 'Create a token',
    ...token,
    body: NewToken,
    replies: { 201: CreatedToken },
  },
  'POST /ops/tokens/:id/revoke': { summary: 'Revoke a token', ...token, replies: { 200: TokenInfo } },

  'GET /ops/webhooks': {
    summary: 'List webhooks',
    ...token,
    replies: { 200: z.object({ webhooks: z.array(WebhookInfo) }) },
  },
  'POST /ops/webhooks': {
    summary: 'Add a webhook',
    ...token,
    body: NewWebhook,
    replies: { 201: CreatedWebhook },
  },
  'POST /ops/webhooks/:id/remove': { summary: 'Remove a webhook', ...token, replies: { 204: null } },
  'POST /ops/webhooks/:id/test': {
    summary: 'Send a message to try a webhook',
    ...token,
    replies: { 201: WebhookDelivery },
  },
  'GET /ops/webhooks/deliveries': {
    summary: 'List messages to webhooks',
    ...token,
    query: DeliveryQuery,
    replies: { 200: z.object({ deliveries: z.array(WebhookDelivery), nextCursor }) },
  },
  'POST /ops/webhooks/deliveries/:id/retry': {
    summary: 'Send a message again',
    ...token,
    replies: { 200: WebhookDelivery },
  },

  ...rightOperations('editors', EditorInfo),
  ...rightOperations('administrators', AdministratorInfo),
  'GET /ops/models': {
    summary: 'Read the state of the models',
    ...token,
    replies: { 200: ModelStatusList },
  },
  'GET /ops/jobs': {
    summary: 'List background work that has failed too often',
    ...token,
    replies: { 200: DeadJobs },
  },
  'POST /ops/jobs/:id/retry': {
    summary: 'Run failed background work again',
    ...token,
    replies: { 204: null },
  },
};
