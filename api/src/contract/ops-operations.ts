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
  [`GET /ops/${name}`]: token({ 200: z.object({ [name]: z.array(info) }) }),
  [`POST /ops/${name}/grant`]: token({ body: RightRequest, 200: info }),
  [`POST /ops/${name}/revoke`]: token({ body: RightRequest, 200: info }),
});

/** Every call below /ops, by method and path. */
export const opsOperations: Record<string, Operation> = {
  'GET /ops/live': anyone({ 200: compositions.NextPage }),
  'POST /ops/reports': anyone({ body: PageReport, 204: null }),
  'POST /ops/violations': anyone({ body: 'application/reports+json', 204: null }),

  'GET /ops/pointer': reader({ ...moved }),
  'POST /ops/pointer': token({ body: compositions.SetPointer, ...changed }),
  'POST /ops/pointer/rollback': token({ body: compositions.RollBack, ...changed }),
  'POST /ops/check': token({ body: compositions.CheckRequest, 200: compositions.CheckReport }),
  'POST /ops/freeze': token({ body: compositions.FreezeRequest, ...moved }),
  'POST /ops/unfreeze': token({ body: compositions.ChangeNote, ...moved }),
  'POST /ops/pin': token({ body: compositions.PinRequest, ...moved }),
  'POST /ops/unpin': token({ body: compositions.UnpinRequest, ...moved }),
  'GET /ops/history': reader({
    query: PageQuery,
    200: z.object({ moves: z.array(compositions.MoveInfo), nextCursor }),
  }),
  'GET /ops/environments': reader({ 200: z.object({ environments: z.array(compositions.EnvironmentInfo) }) }),

  'GET /ops/compositions': reader({
    query: PageQuery,
    200: z.object({ compositions: z.array(compositions.CompositionInfo), nextCursor }),
  }),
  'POST /ops/compositions': token({
    body: compositions.SetComposition,
    200: compositions.CompositionInfo,
    201: compositions.CompositionInfo,
  }),
  'POST /ops/compositions/import': token({
    body: compositions.ImportComposition,
    200: compositions.ImportedComposition,
    201: compositions.ImportedComposition,
  }),
  'GET /ops/compositions/:id': reader({ 200: compositions.CompositionInfo }),
  'GET /ops/diff': reader({ query: compositions.DiffQuery, 200: compositions.CompositionDiff }),

  'GET /ops/canary': reader({ 200: z.object({ canaries: z.array(compositions.CanaryProgress) }) }),
  'POST /ops/canary': token({ body: compositions.StartCanary, ...changed }),
  'PATCH /ops/canary': token({ body: compositions.ShareCanary, ...changed }),
  'POST /ops/canary/promote': token({ body: compositions.CanaryChange, ...changed }),
  'POST /ops/canary/resume': token({ body: compositions.CanaryChange, ...changed }),
  'POST /ops/canary/pause': token({ body: compositions.CanaryChange, ...moved }),
  'POST /ops/canary/abort': token({ body: compositions.CanaryChange, ...moved }),

  'GET /ops/changes': reader({
    query: PageQuery,
    200: z.object({ changes: z.array(compositions.PendingChange), nextCursor }),
  }),
  'POST /ops/changes/:id/approve': token({ ...moved }),
  'POST /ops/changes/:id/reject': token({ 200: compositions.PendingChange }),

  'POST /ops/override': token({ body: compositions.OverrideRequest, 201: compositions.OverrideLink }),
  'POST /ops/previews': token({ body: compositions.PreviewRequest, 201: compositions.PreviewInfo }),

  'GET /ops/releases': reader({
    query: releases.ReleaseQuery,
    200: z.object({ releases: z.array(releases.ReleaseSummary), nextCursor }),
  }),
  'POST /ops/releases': token({ body: releases.ReleaseUpload, 200: releases.ReleaseClaim }),
  'GET /ops/releases/:id': reader({ 200: releases.ReleaseDetails }),
  'GET /ops/releases/:id/upload': token({ 200: releases.ReleaseUpload }),
  'GET /ops/releases/:id/files/:path': token({ 200: binary }),
  'PUT /ops/releases/:id/files/:path': token({ body: binary, 204: null }),
  'POST /ops/releases/:id/publish': token({ 200: releases.ReleaseDetails }),
  'POST /ops/releases/:id/yank': token({ body: compositions.YankRequest, 200: releases.YankedRelease }),
  'POST /ops/releases/:id/unyank': token({ body: compositions.UnyankRequest, 200: releases.YankedRelease }),
  'POST /ops/stack': token({ body: StackRequest, 200: ResolvedStack }),
  'GET /ops/health': reader({ query: HealthQuery, 200: Health }),

  'POST /ops/session': token({ 200: releases.OpsSession }),
  'POST /api/operate': operate({ body: Proof, 200: releases.OpsSession }),
  'GET /ops/tokens': token({ query: PageQuery, 200: z.object({ tokens: z.array(TokenInfo), nextCursor }) }),
  'POST /ops/tokens': token({ body: NewToken, 201: CreatedToken }),
  'POST /ops/tokens/:id/revoke': token({ 200: TokenInfo }),

  'GET /ops/webhooks': token({ 200: z.object({ webhooks: z.array(WebhookInfo) }) }),
  'POST /ops/webhooks': token({ body: NewWebhook, 201: CreatedWebhook }),
  'POST /ops/webhooks/:id/remove': token({ 204: null }),
  'POST /ops/webhooks/:id/test': token({ 201: WebhookDelivery }),
  'GET /ops/webhooks/deliveries': token({
    query: DeliveryQuery,
    200: z.object({ deliveries: z.array(WebhookDelivery), nextCursor }),
  }),
  'POST /ops/webhooks/deliveries/:id/retry': token({ 200: WebhookDelivery }),

  ...rightOperations('editors', EditorInfo),
  ...rightOperations('administrators', AdministratorInfo),
  'GET /ops/models': token({ 200: ModelStatusList }),
  'GET /ops/jobs': token({ 200: DeadJobs }),
  'POST /ops/jobs/:id/retry': token({ 204: null }),
};
