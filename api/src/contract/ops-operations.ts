import { z } from 'zod';
import { AdministratorInfo, EditorInfo, Proof, RightRequest } from './accounts.ts';
import * as compositions from './compositions.ts';
import { nextCursor, PageQuery } from './fields.ts';
import { DeadJobs } from './jobs.ts';
import { ModelStatusList } from './models.ts';
import { callsOf, type Operation } from './operation.ts';
import * as releases from './releases.ts';
import { Health, HealthQuery, PageReport, ResolvedStack, StackRequest } from './reports.ts';
import { CreatedToken, NewToken, TokenInfo } from './tokens.ts';
import { CreatedWebhook, DeliveryQuery, NewWebhook, WebhookDelivery, WebhookInfo } from './webhooks.ts';

const token = callsOf('token');
const reader = callsOf('reader');
const anyone = callsOf('anyone');
const operate = callsOf('operate');
const binary = 'application/octet-stream';

/** The change took effect, or waits for a second token. */
const changed = { 200: compositions.PointerInfo, 202: z.object({ change: compositions.PendingChange }) };
const moved = { 200: compositions.PointerInfo };

const rightOperations = (name: 'editors' | 'administrators', info: z.ZodType): Record<string, Operation> => ({
  [`GET /ops/${name}`]: token(`List ${name}`, { 200: z.object({ [name]: z.array(info) }) }),
  [`POST /ops/${name}/grant`]: token(`Add an account to the ${name}`, { body: RightRequest, 200: info }),
  [`POST /ops/${name}/revoke`]: token(`Remove an account from the ${name}`, {
    body: RightRequest,
    200: info,
  }),
});

/** Every call below /ops, by method and path. */
export const opsOperations: Record<string, Operation> = {
  'GET /ops/live': anyone("Read the composition of the visitor's next page", { 200: compositions.NextPage }),
  'POST /ops/reports': anyone('Report events of a page', { body: PageReport, 204: null }),
  'POST /ops/violations': anyone('Report violations of a page, as browsers do', {
    body: 'application/reports+json',
    204: null,
  }),

  'GET /ops/pointer': reader('Read what is live', { ...moved }),
  'POST /ops/pointer': token('Make a composition live', { body: compositions.SetPointer, ...changed }),
  'POST /ops/pointer/rollback': token('Make an earlier composition live', {
    body: compositions.RollBack,
    ...changed,
  }),
  'POST /ops/check': token('Check whether a composition could go live', {
    body: compositions.CheckRequest,
    200: compositions.CheckReport,
  }),
  'POST /ops/freeze': token('Freeze what is live', { body: compositions.FreezeRequest, ...moved }),
  'POST /ops/unfreeze': token('End a freeze', { body: compositions.ChangeNote, ...moved }),
  'POST /ops/pin': token('Keep the release of a part', { body: compositions.PinRequest, ...moved }),
  'POST /ops/unpin': token('Release a pinned part', { body: compositions.UnpinRequest, ...moved }),
  'GET /ops/history': reader('List moves of the pointer', {
    query: PageQuery,
    200: z.object({ moves: z.array(compositions.MoveInfo), nextCursor }),
  }),
  'GET /ops/environments': reader('List the environments of the database', {
    200: z.object({ environments: z.array(compositions.EnvironmentInfo) }),
  }),

  'GET /ops/compositions': reader('List compositions', {
    query: PageQuery,
    200: z.object({ compositions: z.array(compositions.CompositionInfo), nextCursor }),
  }),
  'POST /ops/compositions': token('Store a composition', {
    body: compositions.SetComposition,
    200: compositions.CompositionInfo,
    201: compositions.CompositionInfo,
  }),
  'POST /ops/compositions/import': token('Store an exported composition', {
    body: compositions.ImportComposition,
    200: compositions.ImportedComposition,
    201: compositions.ImportedComposition,
  }),
  'GET /ops/compositions/:id': reader('Read a composition', { 200: compositions.CompositionInfo }),
  'GET /ops/diff': reader('Compare two compositions', {
    query: compositions.DiffQuery,
    200: compositions.CompositionDiff,
  }),

  'GET /ops/canary': reader('List canaries and their progress', {
    200: z.object({ canaries: z.array(compositions.CanaryProgress) }),
  }),
  'POST /ops/canary': token('Start a canary', { body: compositions.StartCanary, ...changed }),
  'PATCH /ops/canary': token('Change the share of a canary', { body: compositions.ShareCanary, ...changed }),
  'POST /ops/canary/promote': token('Make a canary live for everyone', {
    body: compositions.CanaryChange,
    ...changed,
  }),
  'POST /ops/canary/resume': token('Resume the plan of a canary', {
    body: compositions.CanaryChange,
    ...changed,
  }),
  'POST /ops/canary/pause': token('Suspend the plan of a canary', {
    body: compositions.CanaryChange,
    ...moved,
  }),
  'POST /ops/canary/abort': token('End a canary', { body: compositions.CanaryChange, ...moved }),

  'GET /ops/changes': reader('List changes that need a second token', {
    query: PageQuery,
    200: z.object({ changes: z.array(compositions.PendingChange), nextCursor }),
  }),
  'POST /ops/changes/:id/approve': token('Approve a change', { ...moved }),
  'POST /ops/changes/:id/reject': token('Reject a change', { 200: compositions.PendingChange }),

  'POST /ops/override': token('Create a link to a page with a remote of another address', {
    body: compositions.OverrideRequest,
    201: compositions.OverrideLink,
  }),
  'POST /ops/previews': token('Create a link to a composition that is not live', {
    body: compositions.PreviewRequest,
    201: compositions.PreviewInfo,
  }),

  'GET /ops/releases': reader('List releases', {
    query: releases.ReleaseQuery,
    200: z.object({ releases: z.array(releases.ReleaseSummary), nextCursor }),
  }),
  'POST /ops/releases': token('Begin to upload a release, or register one of another origin', {
    body: releases.ReleaseUpload,
    200: releases.ReleaseClaim,
  }),
  'GET /ops/releases/:id': reader('Read a release', { 200: releases.ReleaseDetails }),
  'GET /ops/releases/:id/upload': token('Read a release in the form of an upload', {
    200: releases.ReleaseUpload,
  }),
  'GET /ops/releases/:id/files/:path': token('Download a file of a release', { 200: binary }),
  'PUT /ops/releases/:id/files/:path': token('Upload a file of a release', { body: binary, 204: null }),
  'POST /ops/releases/:id/publish': token('Publish an uploaded release', { 200: releases.ReleaseDetails }),
  'POST /ops/releases/:id/yank': token('Withdraw a release', {
    body: compositions.YankRequest,
    200: releases.YankedRelease,
  }),
  'POST /ops/releases/:id/unyank': token('Undo the withdrawal of a release', {
    body: compositions.UnyankRequest,
    200: releases.YankedRelease,
  }),
  'POST /ops/stack': token('Find the sources of a stack trace', { body: StackRequest, 200: ResolvedStack }),
  'GET /ops/health': reader('Read reports of pages by release', { query: HealthQuery, 200: Health }),

  'POST /ops/session': token('Exchange a token for one of 30 minutes', { 200: releases.OpsSession }),
  'POST /api/operate': operate(
    'Prove to be the owner of an account that may operate, for a token of 30 minutes',
    { body: Proof, 200: releases.OpsSession },
  ),
  'GET /ops/tokens': token('List tokens', {
    query: PageQuery,
    200: z.object({ tokens: z.array(TokenInfo), nextCursor }),
  }),
  'POST /ops/tokens': token('Create a token', { body: NewToken, 201: CreatedToken }),
  'POST /ops/tokens/:id/revoke': token('Revoke a token', { 200: TokenInfo }),

  'GET /ops/webhooks': token('List webhooks', { 200: z.object({ webhooks: z.array(WebhookInfo) }) }),
  'POST /ops/webhooks': token('Add a webhook', { body: NewWebhook, 201: CreatedWebhook }),
  'POST /ops/webhooks/:id/remove': token('Remove a webhook', { 204: null }),
  'POST /ops/webhooks/:id/test': token('Send a message to try a webhook', { 201: WebhookDelivery }),
  'GET /ops/webhooks/deliveries': token('List messages to webhooks', {
    query: DeliveryQuery,
    200: z.object({ deliveries: z.array(WebhookDelivery), nextCursor }),
  }),
  'POST /ops/webhooks/deliveries/:id/retry': token('Send a message again', { 200: WebhookDelivery }),

  ...rightOperations('editors', EditorInfo),
  ...rightOperations('administrators', AdministratorInfo),
  'GET /ops/models': token('Read the state of the models', { 200: ModelStatusList }),
  'GET /ops/jobs': token('List background work that has failed too often', { 200: DeadJobs }),
  'POST /ops/jobs/:id/retry': token('Run failed background work again', { 204: null }),
};
