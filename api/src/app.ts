import Koa from 'koa';
import {
  createAccountRoutes,
  createPasskeyRoutes,
  createSecondFactorRoutes,
} from './accounts/account-routes.ts';
import { createAuditRoutes, createPeopleRoutes, createRoleRoutes } from './accounts/people-routes.ts';
import { createSignInLimits } from './accounts/sign-in-limits.ts';
import { createSsoRoutes } from './accounts/sso-routes.ts';
import { createChatRoutes, createPredictRoutes, createShareRoutes } from './chat/chat-routes.ts';
import { createFormRoutes } from './chat/form-routes.ts';
import { createSourceRoutes } from './files/source-routes.ts';
import { createHandoverRoutes, createInboxRoutes } from './handover/handover-routes.ts';
import { basePathOf, belowBasePath } from './http/base-path.ts';
import type { DeskContext, DeskState } from './http/desk-state.ts';
import { language, requestId } from './http/desk-state.ts';
import { writeErrors } from './http/error-body.ts';
import { logRequests, traceRequests } from './http/log-requests.ts';
import { createMetricsRoute } from './http/metrics-route.ts';
import { drainBody } from './http/read-body.ts';
import { receiveUpload } from './http/receive-upload.ts';
import { knownHost, refuseCrossSite, wellFormedUrl } from './http/refuse-requests.ts';
import type { DeskRoutes } from './http/routes.ts';
import { securityHeaders } from './http/security-headers.ts';
import { createServiceRoutes } from './http/service-routes.ts';
import {
  createCollectionRoutes,
  createKnowledgeRoutes,
  createOverviewRoutes,
} from './knowledge/knowledge-routes.ts';
import type { Domains } from './open-domains.ts';
import { createArchiveRoutes, createPdfRoutes, createRecordRoutes } from './records/record-routes.ts';
import { createCanaryRoutes } from './releases/canary/canary-routes.ts';
import { createChangeRoutes } from './releases/changes/change-routes.ts';
import { createReportRoutes, createViolationRoutes } from './releases/health/report-routes.ts';
import { createCompositionRoutes } from './releases/live/composition-routes.ts';
import { createYankRoutes } from './releases/live/yank-routes.ts';
import { createOverrideRoutes } from './releases/preview/override-routes.ts';
import { createReleaseRoutes } from './releases/publish/release-routes.ts';
import { createTokenRoutes } from './releases/tokens/token-routes.ts';
import { createWebhookRoutes } from './releases/webhooks/webhook-routes.ts';
import { createSettingsRoutes } from './settings/settings-routes.ts';

/** The whole middleware pipeline, from the outside in. `drain` aborts when the server begins to stop. */
export function createApp(domains: Domains, drain: AbortSignal): Koa<DeskState> {
  const { config, log, jobs, clock, ping, modelDesk, knowledge, handover, desk } = domains;
  const { accounts, files, records, chat } = domains;
  const { identity, guardRoutes, quotas, limits } = accounts;
  const { readFiles, readPassage, sourceDocuments, upload } = files;
  const { composing, changes, ops, live, overrides, releases } = domains.compositions;
  const { logSecurity, audited } = domains.auditing;
  const app = new Koa<DeskState>();
  app.proxy = config.trustProxy > 0;
  app.maxIpsCount = config.trustProxy;
  app.on('error', (cause) => log.debug({ err: cause }, 'a response was interrupted'));

  app.use(drainBody());
  const basePath = basePathOf(config);
  if (basePath) app.use(belowBasePath(basePath));
  if (config.otlpEndpoint !== null) app.use(traceRequests());
  app.use(requestId(config));
  app.use(language());
  app.use(logRequests(log, domains.metrics));
  app.use(securityHeaders(config));
  app.use(writeErrors(log));
  app.use(audited);
  app.use(knownHost(config));
  app.use(wellFormedUrl());
  app.use(refuseCrossSite(config));

  const use = ({ router }: DeskRoutes) => {
    guardRoutes(router);
    app.use(router.routes());
  };
  const needAdmin = ops.need('admin');
  use(createServiceRoutes({ config, clock, ping, drain, jobs, needAdmin, log }));
  if (domains.metrics && config.metricsPort === null) use(createMetricsRoute(domains.metrics, config));
  const limit = createSignInLimits(accounts, logSecurity, config);
  use(createAccountRoutes(accounts, { limit, logSecurity, config }));
  use(createSecondFactorRoutes(accounts, { limit, logSecurity }));
  use(createPasskeyRoutes(accounts, { limit, logSecurity, config }));
  use(createSsoRoutes(accounts, { limit, logSecurity, log, config }));
  const { asking, predicting } = chat;
  const { embeddings, starters } = domains.answers;
  use(
    createChatRoutes({
      asking,
      modelDesk,
      limit: limits.chat,
      recordList: records.recordList,
      embeddings: config.embeddings && embeddings,
      needCompose: ops.needCompose,
    }),
  );
  use(createPredictRoutes({ predicting, modelDesk, quotas, upload, log, limit: limits.chat }));
  use(createSourceRoutes({ readFiles, sourceDocuments, starters, readPassage }));
  use(createFormRoutes(chat, records, accounts, { limit, logSecurity, desk: desk.read }));
  use(createShareRoutes(records, files, limits.shared));
  const handoverFigures = async ({ state }: DeskContext) =>
    state.rights.includes('see_all_reports') ? handover.figures() : undefined;
  use(createRecordRoutes(records, { config, limits, handoverFigures }));
  use(createPdfRoutes(records.reports, limits));
  use(createArchiveRoutes(records, quotas));
  const receiveFile = receiveUpload({ ...upload, maxFiles: 1 });
  use(
    createCollectionRoutes({
      collections: domains.collections,
      models: domains.answers.models,
      hideQuestions: knowledge.inbox.hideCollection,
      forget: knowledge.golden.forget,
    }),
  );
  use(createKnowledgeRoutes({ knowledge, log, receiveFile }));
  use(createOverviewRoutes(knowledge, records.deskDays));
  use(createHandoverRoutes(handover, accounts));
  use(createInboxRoutes(handover, accounts, log));
  use(createSettingsRoutes(desk));
  use(createPeopleRoutes(accounts, { transfers: domains.transfers, logSecurity }));
  use(createAuditRoutes(domains.audit, domains.auditStream));
  const giving = { needAdmin, logSecurity };
  use(createRoleRoutes('editors', accounts, giving));
  use(createRoleRoutes('administrators', accounts, giving));
  const { tokens, webhooks, restrictions, canaries, readProgress, compositions } = domains.compositions;
  use(createTokenRoutes({ tokens, ops, accounts, limit: limit.bySession, logSecurity, log }));
  use(createReleaseRoutes({ releases, ops, log }));
  use(createCompositionRoutes({ store: compositions, composing, restrictions, changes, ops }));
  use(createYankRoutes({ releases, ops }));
  use(createWebhookRoutes({ webhooks, ops, log }));
  use(createChangeRoutes({ changes, ops }));
  use(createCanaryRoutes({ canaries, readProgress, composing, changes, ops }));
  const { pageReports, readHealth, previews, pages } = domains.compositions;
  use(createReportRoutes({ pageReports, overrides, readHealth, ops, limits }));
  use(createOverrideRoutes({ overrides, previews, live, composing, compositions, config, log, ops }));
  use(createViolationRoutes({ log, limits }));
  app.use(identity.refuseEnded);
  app.use(pages.routes());
  return app;
}
