import type { Context } from 'koa';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { isOnOrigin } from '../../config/variable.ts';
import { OverrideRequest, type PreviewInfo, PreviewRequest } from '../../contract/compositions.ts';
import { languages } from '../../contract/language.ts';
import { invalidRequest, notFound } from '../../errors/errors.ts';
import { escapeHtml, PLAIN_POLICY, plainPage } from '../../http/plain-page.ts';
import { createRoutes, type DeskRoutes } from '../../http/routes.ts';
import type { TextKey } from '../../i18n/texts-of.ts';
import { databaseNow } from '../../store/database-clock.ts';
import { partsOf } from '../data/changes-between.ts';
import { type CompositionStore, findComposition } from '../data/composition-store.ts';
import type { Composing } from '../live/composing.ts';
import type { LiveComposition, ResolvedComposition } from '../live/live-composition.ts';
import { inEach, sectionsOf, wordsOf } from '../pages/in-each-language.ts';
import { sendUncached } from '../pages/page-headers.ts';
import type { OpsGuard } from '../tokens/ops-guard.ts';
import type { Offer, OverrideAim, Overrides } from './create-overrides.ts';
import type { Previews } from './previews.ts';

const HOUR_MS = 3_600_000;
const HEADERS = { policy: PLAIN_POLICY };

interface OverrideRoutesDeps {
  config: Pick<Config, 'releaseOrigins' | 'publicUrl'>;
  log: Pick<Logger, 'info'>;
  ops: Pick<OpsGuard, 'need'>;
  overrides: Overrides;
  live: LiveComposition;
  compositions: CompositionStore;
  composing: Pick<Composing, 'keep'>;
  previews: Pick<Previews, 'save'>;
}

/**
 * POST /ops/previews creates a link below /chatbot/preview, POST /ops/override one below /chatbot/override. GET shows what it would open; POST, which that page's
 * form sends, starts the override in the browser. /leave ends it in the same way.
 */
export function createOverrideRoutes(deps: OverrideRoutesDeps): DeskRoutes {
  const { config, log, ops, overrides, composing, live, previews } = deps;
  const router = createRoutes();

  router.post(
    '/ops/override',
    ops.need('preview'),
    OverrideRequest,
    async (ctx, { author, minutes = 60, ...request }) => {
      const aim = await aimOf(request, deps);
      const by = { author, token: ctx.state.opsToken.name };
      const link = overrides.link({ aim, by }, minutes, config.publicUrl ?? `${ctx.protocol}://${ctx.host}`);
      log.info({ author, ...aim, expiresAt: link.expiresAt }, 'an override link was created');
      ctx.status = 201;
      return link;
    },
  );

  router.post(
    '/ops/previews',
    ops.need('preview'),
    PreviewRequest,
    async (ctx, { author, name = null, hours = 24, ...choice }) => {
      const { info } = await composing.keep(choice, { author, reason: 'preview' });
      await assertResolvable(info.id, live);
      const expiresAt = new Date(databaseNow() + hours * HOUR_MS);
      const token = ctx.state.opsToken.name;
      const link = await previews.save({ name, composition: info.id, author, token, expiresAt });
      const origin = config.publicUrl ?? `${ctx.protocol}://${ctx.host}`;
      log.info({ author, name, composition: info.id, expiresAt }, 'a preview was created');
      ctx.status = 201;
      return {
        url: `${origin}/chatbot/preview/${link}`,
        expiresAt: expiresAt.toISOString(),
        name,
        composition: info,
      } satisfies PreviewInfo;
    },
  );

  router.get('/chatbot/override/leave', (ctx) => sendUncached(ctx, 200, LEAVE_PAGE, HEADERS));
  router.post('/chatbot/override/leave', (ctx) => {
    overrides.leave(ctx);
    toTheDesk(ctx);
  });

  for (const [path, read] of [
    ['/chatbot/preview/:link', overrides.offerPreview],
    ['/chatbot/override/:link', overrides.offer],
  ] as const) {
    router.get(path, async (ctx) => ask(ctx, await read(ctx.params.link ?? '')));
    router.post(path, async (ctx) => {
      const offer = await read(ctx.params.link ?? '');
      // The preview may have changed since the visitor read its description.
      if (!offer || ctx.query.composition !== offer.composition.id) return ask(ctx, offer);
      overrides.enter(ctx, offer.override);
      toTheDesk(ctx);
    });
  }

  return router;
}

/** Shows what a link would open, or that it has expired. Changes nothing: anyone can make a browser send a GET. */
function ask(ctx: Context, offer: Offer | undefined): void {
  const page = offer && confirmationPage(offer, `${ctx.path}?composition=${offer.composition.id}`);
  sendUncached(ctx, page ? 200 : 410, page ?? OVERRIDE_OVER_PAGE, HEADERS);
}

/** @throws notFound('composition') if its releases have been removed since it was composed. */
async function assertResolvable(id: string, live: LiveComposition): Promise<void> {
  await live.resolve(id).catch(() => {
    throw notFound('composition');
  });
}

async function aimOf(
  { remote, address, composition }: Omit<OverrideRequest, 'author' | 'minutes'>,
  { config, live, compositions }: OverrideRoutesDeps,
): Promise<OverrideAim> {
  if (composition !== undefined) {
    if (remote !== undefined || address !== undefined) throw invalidRequest(remote ? 'remote' : 'address');
    const { _id } = await findComposition(compositions, composition);
    await assertResolvable(_id, live);
    return { kind: 'composition', composition: _id };
  }
  const { composition: current } = await live.need();
  if (!current.remotes.some((part) => part.live.name === remote))
    throw invalidRequest('remote', 'override_remote');
  if (!isOnOrigin(address ?? '', config.releaseOrigins)) throw invalidRequest('address', 'override_address');
  return { kind: 'remote', remote: remote!, address: new URL(address!).href };
}

function toTheDesk(ctx: Context): void {
  ctx.set('Cache-Control', 'private, no-store');
  ctx.status = 303;
  ctx.redirect('/chatbot/');
}

const LEAVE = '/chatbot/override/leave';

const OVERRIDE_OVER_PAGE = pageOf('over', `<a href="/chatbot/">${inEach('open_desk')}</a>`);

/** Page of GET /chatbot/override/leave, which changes nothing by itself. */
const LEAVE_PAGE = pageOf('leave', formTo(LEAVE, 'leave'));

/** Asks for consent before code that is not live runs in the visitor's session. `action` is where the consent is sent. */
function confirmationPage({ name, override, composition, live }: Offer, action: string): string {
  const { aim, by, expiresAt } = override;
  const until = expiresAt.toISOString();
  const rows: [label: TextKey<'pages'>, value: string][] = [
    ...(name === null ? [] : [['preview', escapeHtml(name)] as [TextKey<'pages'>, string]]),
    ['composition', composition.id.slice(0, 12)],
    ['not_live', changesOf(composition, live).map(escapeHtml).join('<br>') || '–'],
    ...(aim.kind === 'remote'
      ? [['loaded_from', escapeHtml(aim.address)] as [TextKey<'pages'>, string]]
      : []),
    ['made_by', by ? escapeHtml(`${by.author} (${by.token})`) : '–'],
    ['until', `<time datetime="${until}">${until.slice(0, 16).replace('T', ' ')} UTC</time>`],
  ];
  return pageOf(
    'open',
    `<dl>${rows.map(([label, value]) => `<dt>${wordsOf(label)}</dt><dd>${value}</dd>`).join('\n')}</dl>
${formTo(escapeHtml(action), 'open_as_me')}
${formTo(LEAVE, 'not_open', 'plain')}`,
  );
}

function formTo(action: string, label: TextKey<'pages'>, look?: string): string {
  const button = look ? `<button class="${look}">` : '<button>';
  return `<form method="post" action="${action}">${button}${inEach(label)}</button></form>`;
}

/** The releases of a composition that are not live, as 'mfe-chat 1.0.0 → 2.0.0'. */
function changesOf(composition: ResolvedComposition, live: ResolvedComposition): string[] {
  const versions = (one: ResolvedComposition) =>
    new Map(partsOf(one).map(({ live: { name, version } }) => [name, version]));
  const [before, after] = [versions(live), versions(composition)];
  return [...new Set([...after.keys(), ...before.keys()])]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name} ${before.get(name) ?? '–'} → ${after.get(name) ?? '–'}`);
}

/** A page whose title and texts are `key`, `<key>_title` and `<key>_text`. */
function pageOf(key: 'over' | 'leave' | 'open', main: string): string {
  return plainPage(languages[0], wordsOf(key), `${sectionsOf(key)}\n${main}`);
}
